"""Processes that end when we do, whatever ends us."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from penstock.embedded import keeper
from penstock.embedded.accounts import Account, environment


@dataclass(frozen=True, slots=True)
class Launch:
    """How to start a process, and how to ask it to stop."""

    command: tuple[str, ...]
    stop_signal: signal.Signals = signal.SIGTERM
    death_signal: signal.Signals = signal.SIGKILL
    grace: float = 20.0


class Kept:
    """A process behind a keeper: see ``keeper`` for why it cannot outlive us."""

    def __init__(
        self, launch: Launch, *, log: Path, cwd: Path, account: Account | None = None
    ) -> None:
        as_user = [f"--uid={account.uid}", f"--gid={account.gid}"] if account else []
        command = [
            *(sys.executable, "-I", "-S", keeper.__file__, f"--log={log}", f"--cwd={cwd}"),
            *as_user,
            f"--stop-signal={int(launch.stop_signal)}",
            f"--death-signal={int(launch.death_signal)}",
            f"--grace={launch.grace}",
            *("--", *launch.command),
        ]
        reading, leash = os.pipe()
        self._leash: int | None = leash
        try:
            with log.open("ab") as errors:
                self.keeper = subprocess.Popen(
                    command,
                    stdin=reading,
                    stdout=subprocess.PIPE,
                    stderr=errors,
                    env=environment(),
                    start_new_session=True,  # Ctrl-C is for us; we then stop what we keep
                )
        except BaseException:
            self._let_go()
            raise
        finally:
            os.close(reading)
        assert self.keeper.stdout is not None
        with self.keeper.stdout as said:
            line = said.readline()
        self.pid: int | None = json.loads(line)["pid"] if line else None

    def poll(self) -> int | None:
        """Give its exit code if it has ended: 128 and the signal, if one ended it."""
        return self.keeper.poll()

    def stop(self) -> None:
        """Ask it to stop, wait, and make sure of it."""
        self._let_go()
        self.keeper.wait()

    def _let_go(self) -> None:
        if self._leash is not None:
            os.close(self._leash)
            self._leash = None
