"""Several servers at once: started side by side, stopped together."""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from types import TracebackType
from typing import Self

from penstock.embedded.catalogue import CATALOGUE
from penstock.embedded.server import Server

Report = Callable[[str, Server], None]


class Group:
    """Named servers in sub-folders of one folder, as one context manager."""

    def __init__(
        self, folder: Path, ports: Mapping[str, int | None], report: Report | None = None
    ) -> None:
        self.servers: dict[str, Server] = {
            name: CATALOGUE[name].make(folder / name, port) for name, port in ports.items()
        }
        self._report = report or (lambda *_: None)

    def __enter__(self) -> Self:
        try:
            self._start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """Stop all of them side by side."""
        with ThreadPoolExecutor() as pool:
            list(pool.map(Server.stop, self.servers.values()))

    def dead(self) -> list[str]:
        """Name the servers that have ended by themselves."""
        return [name for name, server in self.servers.items() if not server.running()]

    def cancel(self) -> None:
        """Give up a start that is under way; safe to call from a signal handler."""
        for server in self.servers.values():
            server.cancelled.set()

    def _start(self) -> None:
        with ThreadPoolExecutor() as pool:
            starts = [pool.submit(self._start_one, name) for name in self.servers]
            for start in as_completed(starts):
                if (trouble := start.exception()) is not None:
                    self.cancel()
                    raise trouble

    def _start_one(self, name: str) -> None:
        server = self.servers[name]
        server.start()
        self._report(name, server)
