"""The process behind ``penstock dev up``: holds a folder's servers until told to stop.

It talks to the command that started it by one line of JSON per event, and when
all servers serve it is on its own.
"""

import json
import os
import signal
import sys
import threading
from pathlib import Path
from typing import Any, Final

from filelock import Timeout

from diagnosis.errors import PenstockError
from diagnosis.secrets import redact
from penstock.embedded.dev import Folder, Running
from penstock.embedded.errors import AlreadyUp
from penstock.embedded.group import Group
from penstock.embedded.server import Server

WATCH_SECONDS: Final = 1.0


def main(arguments: list[str]) -> int:
    """Hold the servers named as ``name=port`` in a folder."""
    folder = Folder(Path(arguments[0]))
    ports = {name: int(port) or None for name, _, port in (a.partition("=") for a in arguments[1:])}
    asked_to_stop = threading.Event()

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: asked_to_stop.set())
    try:
        return _hold(folder, ports, asked_to_stop)
    except PenstockError as error:
        facts = {"code": error.code, "message": error.message}
        _tell({"failure": {**facts, "cause": error.cause, "fix": error.fix}})
        return error.area.exit_code
    except Exception as bug:
        message = redact(f"the supervisor failed: {type(bug).__name__}: {bug}")
        fix = f"please report it with {folder.log}"
        _tell({"failure": {"code": "PEN-999", "message": message, "cause": None, "fix": fix}})
        raise


def _hold(folder: Folder, ports: dict[str, int | None], stop: threading.Event) -> int:
    running: dict[str, Running] = {}

    def report(name: str, server: Server) -> None:
        assert server.pid is not None
        running[name] = Running(name, server.pid, server.port, server.address, str(server.log))
        _tell({"ready": _shown(running[name])})

    try:
        lock = folder.lock().acquire(blocking=False)
    except Timeout:
        raise AlreadyUp(folder.path, []) from None
    with lock:
        folder.obituary.unlink(missing_ok=True)
        folder.write(os.getpid(), {})
        with Group(folder.path, ports, report) as group:
            folder.write(os.getpid(), {name: running[name] for name in ports})
            _tell({"up": True})
            _detach()
            while not stop.wait(WATCH_SECONDS):
                for name in group.dead():
                    log = group.servers[name].log
                    folder.obituary.write_text(f"{name} ended by itself, see {log}")
                    return 1
    return 0


def _shown(server: Running) -> dict[str, Any]:
    return {name: getattr(server, name) for name in Running.__slots__}


def _tell(message: dict[str, Any]) -> None:
    try:
        sys.stdout.write(json.dumps(message) + "\n")
        sys.stdout.flush()
    except BrokenPipeError:  # the command was interrupted; the servers go on to be stopped
        _detach()


def _detach() -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
