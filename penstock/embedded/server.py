"""What all embedded servers have in common: a folder, a port, a life."""

import os
import threading
import time
from abc import ABC, abstractmethod
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Final, Self

from penstock.embedded.accounts import Account, hand_over, run_as, server_account
from penstock.embedded.errors import PortTaken, ServerDied, ServerNotReady, StartCancelled
from penstock.embedded.kept import Kept, Launch
from penstock.embedded.ports import free_port, is_free

# Between looking for a free port and listening on it, another process may take
# it. Three misses in a row mean something else is wrong.
PORT_TRIES: Final = 3
POLL_SECONDS: Final = 0.05
TAIL_LINES: Final = 20


class Server(ABC):
    """One server in a folder of its own, used as a context manager.

    Nothing of it outlives the process that started it: see ``keeper``. The data
    stays in the folder, and the next start goes on with it.
    """

    name: ClassVar[str]
    ready_within: ClassVar[float] = 60.0

    def __init__(self, directory: Path, port: int | None = None) -> None:
        self.directory = directory.absolute()
        self.log = self.directory / "server.log"
        self.account: Account | None = server_account()
        self.cancelled = threading.Event()
        self._asked_port = port
        self._port = port or 0
        self._chosen: list[int] = []
        self._launch: Launch | None = None
        self._kept: Kept | None = None

    @property
    def port(self) -> int:
        """The port it listens on, on 127.0.0.1."""
        return self._port

    @property
    def pid(self) -> int | None:
        """Its process, if it has been started."""
        return self._kept.pid if self._kept else None

    @property
    @abstractmethod
    def address(self) -> str:
        """What a client connects to."""

    @abstractmethod
    def prepare(self) -> Launch:
        """Put the folder in order for the current port, and say how to start."""

    @abstractmethod
    def answers(self) -> bool:
        """Tell whether a client would be served now."""

    def start(self) -> Self:
        """Start and wait until clients are served."""
        hand_over(self.directory, self.account)
        if self._asked_port is not None and not is_free(self._asked_port):
            raise PortTaken(self.name, self._asked_port)
        for tries_left in reversed(range(PORT_TRIES)):
            self._chosen.clear()
            self._port = self._asked_port or self.choose_port()
            try:
                self._start_once()
            except ServerDied:
                # Another process may have taken a port in between: choose others.
                if tries_left == 0 or all(is_free(port) for port in self._chosen):
                    raise
            else:
                return self
        raise AssertionError("unreachable: the last try returns or raises")

    def choose_port(self) -> int:
        """Find a free port, and remember that it was our choice."""
        self._chosen.append(free_port())
        return self._chosen[-1]

    def stop(self) -> None:
        """Ask it to stop, wait, and make sure of it."""
        if self._kept is not None:
            self._kept.stop()
            self._kept = None

    def kill(self) -> None:
        """End it at once, as a crash would; the folder keeps its data."""
        if self._kept is None or self._kept.pid is None or self._launch is None:
            return
        # Its own death signal, so that it takes its children along.
        os.kill(self._kept.pid, self._launch.death_signal)
        self._kept.keeper.wait()
        self.stop()

    def running(self) -> bool:
        """Tell whether its process is alive."""
        return self._kept is not None and self._kept.poll() is None

    def run_tool(self, title: str, command: list[str], timeout: float) -> None:
        """Run a program of the server that prepares its folder, as the server's user."""
        done = run_as(self.account, command, timeout=timeout, cwd=self.directory)
        if done.returncode != 0:
            with self.log.open("a") as log:
                log.write(done.stdout)
            raise ServerDied(title, done.returncode, self.log, done.stdout)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def _start_once(self) -> None:
        self._launch = self.prepare()
        log_from = log_size(self.log)
        try:
            self._kept = Kept(self._launch, log=self.log, cwd=self.directory, account=self.account)
            self._wait_until_ready(self._kept, log_from)
        except BaseException:
            self.stop()
            raise

    def _wait_until_ready(self, kept: Kept, log_from: int) -> None:
        deadline = time.monotonic() + self.ready_within
        while time.monotonic() < deadline:
            if self.cancelled.is_set():
                raise StartCancelled(self.name)
            if (code := kept.poll()) is not None:
                raise ServerDied(self.name, code, self.log, tail(self.log, log_from))
            if self.answers():
                return
            time.sleep(POLL_SECONDS)
        raise ServerNotReady(self.name, self.ready_within, self.log, tail(self.log, log_from))


def log_size(log: Path) -> int:
    """Tell where a log ends now, so that its tail begins there later."""
    return log.stat().st_size if log.exists() else 0


def tail(log: Path, start: int = 0, lines: int = TAIL_LINES) -> str:
    """Give the last lines that were written to a log since an offset."""
    try:
        with log.open("rb") as file:
            file.seek(max(start, log.stat().st_size - 64 * 1024))
            text = file.read().decode(errors="replace")
    except OSError as error:
        return f"(no log: {error.strerror})"
    return "\n".join(text.splitlines()[-lines:]) or "(it wrote nothing)"
