"""Servers that stay up between commands: ``penstock dev up|down|status|env``.

A process of its own, the supervisor, holds the servers and a lock on their
folder for as long as it lives. The lock says whether they are up, which no
process id could: ids are used again.
"""

import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from filelock import FileLock

from penstock.embedded.accounts import make_open
from penstock.embedded.catalogue import CATALOGUE
from penstock.embedded.downloads import fetch
from penstock.embedded.errors import (
    AlreadyUp,
    FolderNotUsable,
    NotUp,
    Relayed,
    ServerDied,
    StopFailed,
)
from penstock.embedded.ports import is_free
from penstock.embedded.server import log_size, tail

STOP_SECONDS: Final = 60.0


@dataclass(frozen=True, slots=True)
class Running:
    """A server that is up."""

    name: str
    pid: int
    port: int
    address: str
    log: str


@dataclass(frozen=True, slots=True)
class State:
    """What a supervisor notes: itself, and its servers once all of them are up."""

    pid: int
    servers: list[Running]


class Folder:
    """The folder of one set of servers, and who holds it."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self.state = self.path / "state.json"
        self.log = self.path / "supervisor.log"
        self.obituary = self.path / "ended"
        self._lock = self.path / "lock"
        self._ports = self.path / "ports.json"

    def lock(self) -> FileLock:
        """The lock that a living supervisor holds."""
        return FileLock(self._lock)

    def is_held(self) -> bool:
        """Tell whether a supervisor is alive.

        Asks for a share of the lock, so that two who ask do not see each other.
        """
        try:
            with self._lock.open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except (FileNotFoundError, NotADirectoryError):
            return False
        except BlockingIOError:
            return True
        except OSError as error:
            raise FolderNotUsable(self.path, error.strerror or str(error)) from error
        return False

    def write(self, pid: int, servers: Iterable[Running]) -> None:
        """Note who holds the folder and what runs, for this user only."""
        running = [asdict(server) for server in servers]
        self._put(self.state, {"pid": pid, "servers": running})
        if running:
            self._put(self._ports, {server["name"]: server["port"] for server in running})

    def forget(self) -> None:
        """Say that nobody holds the folder any more."""
        self.state.unlink(missing_ok=True)

    def read(self) -> State | None:
        """Give the supervisor's notes; None if there are none that can be read."""
        try:
            state = json.loads(self.state.read_text())
            return State(state["pid"], [Running(**server) for server in state["servers"]])
        except (OSError, ValueError, TypeError, KeyError):
            return None

    def remembered_ports(self) -> dict[str, int]:
        """Give the ports of the last time, where they are still to be had."""
        try:
            ports = json.loads(self._ports.read_text())
            return {name: port for name, port in ports.items() if is_free(port)}
        except (OSError, ValueError, TypeError, AttributeError):
            return {}

    def last_words(self) -> str | None:
        """Tell why the last supervisor ended, if it was not told to."""
        try:
            return self.obituary.read_text()
        except OSError:
            return None

    def _put(self, file: Path, content: Any) -> None:
        half = file.with_name(f".{file.name}.{os.getpid()}")
        half.touch(mode=0o600)
        half.write_text(json.dumps(content))
        half.rename(file)


def fetch_for(names: Iterable[str]) -> None:
    """Download what servers need, here where a person sees the progress bar."""
    for name in names:
        if bundle := CATALOGUE[name].bundle:
            fetch(bundle)


def up(
    folder: Folder, ports: Mapping[str, int | None], ready: Callable[[Running], None]
) -> list[Running]:
    """Start the servers in the background, wait until all of them serve."""
    if folder.is_held():
        state = folder.read()
        servers = state.servers if state else []
        if _is_what_was_asked(servers, ports):
            return servers
        raise AlreadyUp(folder.path, [server.name for server in servers])
    _make(folder)
    remembered = folder.remembered_ports()
    wishes = {name: port or remembered.get(name) for name, port in ports.items()}
    servers = []
    for message in _supervise(folder, wishes):
        if "failure" in message:
            raise Relayed(**message["failure"])
        servers.append(Running(**message["ready"]))
        ready(servers[-1])
    return sorted(servers, key=lambda server: list(ports).index(server.name))


def down(folder: Folder) -> list[Running]:
    """Stop the servers and wait until they are gone. Their data stays."""
    deadline = time.monotonic() + STOP_SECONDS
    told: State | None = None
    while folder.is_held():
        # A supervisor that has only just begun has left no note yet.
        if told is None and (told := folder.read()) is not None:
            with suppress(ProcessLookupError):
                os.kill(told.pid, signal.SIGTERM)
        if time.monotonic() > deadline:
            raise StopFailed(folder.path, told.pid if told else None, STOP_SECONDS)
        time.sleep(0.05)
    return told.servers if told else []


def status(folder: Folder) -> list[Running]:
    """Give the servers that are up; none while they start or if there are none."""
    state = folder.read() if folder.is_held() else None
    return state.servers if state else []


def environment(folder: Folder) -> dict[str, str]:
    """Give the variables that name the servers' addresses."""
    servers = status(folder)
    if not servers:
        raise NotUp(folder.path)
    return {CATALOGUE[server.name].variable: server.address for server in servers}


def _is_what_was_asked(servers: list[Running], ports: Mapping[str, int | None]) -> bool:
    there = {server.name: server.port for server in servers}
    return there.keys() == ports.keys() and all(
        port in (None, there[name]) for name, port in ports.items()
    )


def _make(folder: Folder) -> None:
    try:
        # Entered by the user that servers run as; what is secret in it is closed.
        make_open(folder.path)
        folder.log.touch()
    except OSError as error:
        raise FolderNotUsable(folder.path, error.strerror or str(error)) from error


def _supervise(folder: Folder, ports: Mapping[str, int | None]) -> Iterator[dict[str, Any]]:
    wishes = [f"{name}={port or 0}" for name, port in ports.items()]
    log_from = log_size(folder.log)
    with folder.log.open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "penstock.embedded.supervisor", str(folder.path), *wishes],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            start_new_session=True,
        )
    assert process.stdout is not None
    with process.stdout as said:
        try:
            for line in said:
                message = json.loads(line)
                if "up" in message:
                    process.returncode = 0  # it goes on without us; nobody waits for it here
                    return
                yield message
        except BaseException:
            process.terminate()
            raise
    code = process.wait()
    raise ServerDied("the supervisor", code, folder.log, tail(folder.log, log_from))
