"""The process behind ``penstock dev up``: holds a folder's servers until told to stop.

It talks to the command that started it by one line of JSON per event, and when
all servers serve it is on its own.
"""

import json
import os
import signal
import sys
import threading
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from filelock import Timeout

from diagnosis.errors import Area, PenstockError
from diagnosis.secrets import redact
from penstock.embedded.dev import Folder, Running
from penstock.embedded.errors import AlreadyUp
from penstock.embedded.group import Group
from penstock.embedded.server import Server

WATCH_SECONDS: Final = 1.0
LOCK_SECONDS: Final = 2.0


def main(arguments: list[str]) -> int:
    """Hold the servers named as ``name=port`` in a folder."""
    folder = Folder(Path(arguments[0]))
    ports = {name: int(port) or None for name, _, port in (a.partition("=") for a in arguments[1:])}
    try:
        return _hold(folder, ports)
    except PenstockError as error:
        _tell_failure(error.code, error.area, error.message, error.cause, error.fix)
        return error.area.exit_code
    except BrokenPipeError:
        _detach()  # what is left in the buffer has no reader
        return 1
    except Exception as bug:
        message = redact(f"the supervisor failed: {type(bug).__name__}: {bug}")
        fix = f"please report it with {folder.log}"
        _tell_failure("PEN-999", Area.INTERNAL, message, None, fix)
        raise


def _hold(folder: Folder, ports: dict[str, int | None]) -> int:
    running: dict[str, Running] = {}

    def report(name: str, server: Server) -> None:
        assert server.pid is not None
        running[name] = Running(name, server.pid, server.port, server.address, str(server.log))
        _tell({"ready": asdict(running[name])})

    try:
        # Whoever asks whether the folder is held has a share of the lock for a moment.
        lock = folder.lock().acquire(timeout=LOCK_SECONDS)
    except Timeout:
        raise AlreadyUp(folder.path, []) from None
    with lock:
        folder.write(os.getpid(), [])
        folder.obituary.unlink(missing_ok=True)
        try:
            group = Group(folder.path, ports, report)
            stop = _on_signal(group)
            with group:
                folder.write(os.getpid(), [running[name] for name in ports])
                _tell({"up": True})
                _detach()
                return _watch(folder, group, stop)
        finally:
            folder.forget()


def _on_signal(group: Group) -> threading.Event:
    stop = threading.Event()

    def end(*_: object) -> None:
        stop.set()
        group.cancel()

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, end)
    return stop


def _watch(folder: Folder, group: Group, stop: threading.Event) -> int:
    while not stop.wait(WATCH_SECONDS):
        for name in group.dead():
            log = group.servers[name].log
            folder.obituary.write_text(f"{name} ended by itself, see {log}")
            return 1
    return 0


def _tell_failure(code: str, area: Area, message: str, cause: str | None, fix: str | None) -> None:
    facts = {"code": code, "area": area.name, "message": message, "cause": cause, "fix": fix}
    with suppress(BrokenPipeError):
        _tell({"failure": facts})


def _tell(message: dict[str, Any]) -> None:
    # Raises if the command that started us is gone: then its servers go as well.
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def _detach() -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
