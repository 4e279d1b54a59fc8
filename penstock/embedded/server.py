"""What all embedded servers have in common: a folder, a port, a life."""

import json
import os
import signal
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Final, Self

from penstock.embedded import keeper
from penstock.embedded.accounts import Account, hand_over, server_account
from penstock.embedded.errors import PortTaken, ServerDied, ServerNotReady
from penstock.embedded.ports import free_port, is_free

# Between looking for a free port and listening on it, another process may take
# it. Three misses in a row mean something else is wrong.
PORT_TRIES: Final = 3
POLL_SECONDS: Final = 0.05
TAIL_LINES: Final = 20


@dataclass(frozen=True, slots=True)
class Launch:
    """How to start a server, and how to ask it to stop."""

    command: tuple[str, ...]
    stop_signal: signal.Signals = signal.SIGTERM
    death_signal: signal.Signals = signal.SIGKILL
    grace: float = 20.0


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
        self.pid: int | None = None
        self._asked_port = port
        self._port = port or 0
        self._keeper: subprocess.Popen[bytes] | None = None
        self._leash: int | None = None

    @property
    def port(self) -> int:
        """The port it listens on, on 127.0.0.1."""
        return self._port

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
            self._port = self._asked_port or free_port()
            try:
                self._start_once()
            except ServerDied as died:
                # Taken in between: without a wish for this port, try another.
                if self._asked_port is not None or tries_left == 0 or is_free(self._port):
                    raise died
            else:
                return self
        raise AssertionError("unreachable: the last try returns or raises")

    def stop(self) -> None:
        """Ask it to stop, wait, and make sure of it."""
        if self._keeper is None:
            return
        self._let_go()
        self._keeper.wait()
        self._keeper = self.pid = None

    def kill(self) -> None:
        """End it at once, as a power cut would; the folder keeps its data."""
        if self._keeper is None or self.pid is None:
            return
        os.kill(self.pid, signal.SIGKILL)
        self._keeper.wait()
        self.stop()

    def running(self) -> bool:
        """Tell whether its process is alive."""
        return self._keeper is not None and self._keeper.poll() is None

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
        launch = self.prepare()
        log_from = self.log.stat().st_size if self.log.exists() else 0
        try:
            self._spawn(launch)
            self._wait_until_ready(log_from)
        except BaseException:
            self.stop()
            raise

    def _spawn(self, launch: Launch) -> None:
        reading, self._leash = os.pipe()
        as_user = [f"--uid={self.account.uid}", f"--gid={self.account.gid}"] if self.account else []
        command = [
            *(sys.executable, "-I", "-S", keeper.__file__),
            *(f"--leash={reading}", f"--log={self.log}", f"--cwd={self.directory}", *as_user),
            f"--stop-signal={int(launch.stop_signal)}",
            f"--death-signal={int(launch.death_signal)}",
            f"--grace={launch.grace}",
            *("--", *launch.command),
        ]
        try:
            self._keeper = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                pass_fds=[reading],
                start_new_session=True,  # Ctrl-C is for us; we then stop the servers
            )
        finally:
            os.close(reading)
        assert self._keeper.stdout is not None
        with self._keeper.stdout as said:
            line = said.readline()
        self.pid = json.loads(line)["pid"] if line else None

    def _wait_until_ready(self, log_from: int) -> None:
        assert self._keeper is not None
        deadline = time.monotonic() + self.ready_within
        while time.monotonic() < deadline:
            if self._keeper.poll() is not None:
                raise ServerDied(
                    self.name, self._keeper.returncode, self.log, tail(self.log, log_from)
                )
            if self.answers():
                return
            time.sleep(POLL_SECONDS)
        raise ServerNotReady(self.name, self.ready_within, self.log, tail(self.log, log_from))

    def _let_go(self) -> None:
        if self._leash is not None:
            os.close(self._leash)
            self._leash = None


def tail(log: Path, start: int = 0, lines: int = TAIL_LINES) -> str:
    """Give the last lines that were written to a log since an offset."""
    try:
        with log.open("rb") as file:
            file.seek(max(start, log.stat().st_size - 64 * 1024))
            text = file.read().decode(errors="replace")
    except OSError as error:
        return f"(no log: {error.strerror})"
    return "\n".join(text.splitlines()[-lines:]) or "(it wrote nothing)"
