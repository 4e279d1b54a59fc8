"""Servers that stay up between commands: ``penstock dev up|down|status|env``.

A process of its own, the supervisor, holds the servers and a lock on their
folder for as long as it lives. The lock says whether they are up, which no
process id could: ids are used again.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from filelock import FileLock, Timeout

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
from penstock.embedded.server import tail

STOP_SECONDS: Final = 60.0


@dataclass(frozen=True, slots=True)
class Running:
    """A server that is up."""

    name: str
    pid: int
    port: int
    address: str
    log: str


class Folder:
    """The folder of one set of servers, and who holds it."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self.state = self.path / "state.json"
        self.log = self.path / "supervisor.log"
        self.obituary = self.path / "ended"

    def lock(self) -> FileLock:
        """The lock that a living supervisor holds."""
        return FileLock(self.path / "lock")

    def is_held(self) -> bool:
        """Tell whether a supervisor is alive."""
        if not self.path.is_dir():
            return False
        lock = self.lock()
        try:
            with lock.acquire(blocking=False):
                return False
        except Timeout:
            return True
        except OSError as error:
            raise FolderNotUsable(self.path, error.strerror or str(error)) from error

    def write(self, pid: int, servers: Mapping[str, Running]) -> None:
        """Note what runs, for other processes of this user only."""
        half = self.path / f".state.{pid}"
        half.touch(mode=0o600)
        half.write_text(json.dumps({"pid": pid, "servers": [asdict(s) for s in servers.values()]}))
        half.rename(self.state)

    def last_words(self) -> str | None:
        """Tell why the last supervisor ended, if it was not told to."""
        try:
            return self.obituary.read_text()
        except OSError:
            return None

    def read(self) -> tuple[int, list[Running]]:
        """Give the supervisor's process id and its servers."""
        try:
            state = json.loads(self.state.read_text())
        except FileNotFoundError:
            raise NotUp(self.path) from None
        return state["pid"], [Running(**server) for server in state["servers"]]


def up(
    folder: Folder, ports: Mapping[str, int | None], ready: Callable[[Running], None]
) -> list[Running]:
    """Start the servers in the background, wait until all of them serve."""
    if folder.is_held():
        _, servers = folder.read()
        if _is_what_was_asked(servers, ports):
            return servers
        raise AlreadyUp(folder.path, [server.name for server in servers])
    for name in ports:
        if bundle := CATALOGUE[name].bundle:
            fetch(bundle)  # here, where a person sees the progress bar
    _make(folder)
    remembered = _remembered_ports(folder)
    wishes = {name: port or remembered.get(name) for name, port in ports.items()}
    for message in _supervise(folder, wishes):
        if "failure" in message:
            raise Relayed(**message["failure"])
        ready(Running(**message["ready"]))
    return folder.read()[1]


def down(folder: Folder) -> list[Running]:
    """Stop the servers and wait until they are gone. Their data stays."""
    if not folder.is_held():
        return []
    pid, servers = folder.read()
    os.kill(pid, signal.SIGTERM)
    deadline = time.monotonic() + STOP_SECONDS
    while folder.is_held():
        if time.monotonic() > deadline:
            raise StopFailed(folder.path, pid, STOP_SECONDS)
        time.sleep(0.05)
    return servers


def status(folder: Folder) -> list[Running]:
    """Give the servers that are up; none if there is no supervisor."""
    return folder.read()[1] if folder.is_held() else []


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
        if not folder.path.is_dir():
            folder.path.mkdir(parents=True)
            # Entered by the user that servers run as; what is secret in it is closed.
            folder.path.chmod(0o755)
    except OSError as error:
        raise FolderNotUsable(folder.path, error.strerror or str(error)) from error


def _remembered_ports(folder: Folder) -> dict[str, int]:
    # The same address as last time, where it is still to be had.
    try:
        _, servers = folder.read()
    except NotUp:
        return {}
    return {server.name: server.port for server in servers if is_free(server.port)}


def _supervise(folder: Folder, ports: Mapping[str, int | None]) -> Iterator[dict[str, Any]]:
    wishes = [f"{name}={port or 0}" for name, port in ports.items()]
    with folder.log.open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "penstock.embedded.supervisor", str(folder.path), *wishes],
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
    raise ServerDied("the supervisor", code, folder.log, tail(folder.log))
