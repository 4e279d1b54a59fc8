"""A small process that keeps one server, and ends it when its own parent is gone.

It is started as a script of its own, imports nothing but the standard library,
and has as its standard input a pipe whose other end lives in the process that
wanted the server. When that end closes, for whatever reason, kill -9 included,
the server is asked to stop and then made to. Should the keeper itself be
killed, Linux sends the server its death signal.
"""

import argparse
import ctypes
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable

PR_SET_PDEATHSIG = 1


def main() -> int:
    """Start the server, report its process id, wait for either end."""
    options = _options()
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: None)

    with open(options.log, "ab", buffering=0) as log:
        server = subprocess.Popen(
            options.command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            cwd=options.cwd,
            user=options.uid,
            group=options.gid,
            extra_groups=None if options.uid is None else [],
            process_group=0,
            preexec_fn=_dies_with_parent(options.death_signal, os.getpid()),
        )
    _say({"pid": server.pid})

    while server.poll() is None:
        ready, _, _ = select.select([sys.stdin, woken], [], [])
        if sys.stdin in ready:
            break
        if woken in ready and any(number != signal.SIGCHLD for number in os.read(woken, 64)):
            break
    if server.poll() is None:
        _stop(server, options)
    code = server.wait()
    return code if code >= 0 else 128 - code


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--log", required=True)
    parser.add_argument("--cwd", required=True)
    parser.add_argument("--uid", type=int)
    parser.add_argument("--gid", type=int)
    parser.add_argument("--stop-signal", type=int, required=True)
    parser.add_argument("--death-signal", type=int, required=True)
    parser.add_argument("--grace", type=float, required=True)
    parser.add_argument("command", nargs="+")
    return parser.parse_args()


def _dies_with_parent(death_signal: int, parent: int) -> Callable[[], None] | None:
    # Runs after the change of user, which would clear the setting.
    if not sys.platform.startswith("linux"):
        return None
    prctl = ctypes.CDLL(None, use_errno=True).prctl

    def arrange() -> None:
        prctl(PR_SET_PDEATHSIG, death_signal, 0, 0, 0)
        if os.getppid() != parent:  # it died before the setting took hold
            os._exit(1)

    return arrange


def _stop(server: "subprocess.Popen[bytes]", options: argparse.Namespace) -> None:
    # The death signal lets Postgres take its children along; the last one is for
    # whatever does not listen.
    steps = ((options.stop_signal, options.grace), (options.death_signal, 3.0))
    for number, seconds in steps:
        server.send_signal(number)
        deadline = time.monotonic() + seconds
        while server.poll() is None and time.monotonic() < deadline:
            time.sleep(0.02)
    if server.poll() is None:
        os.killpg(server.pid, signal.SIGKILL)


def _say(message: dict[str, int]) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
