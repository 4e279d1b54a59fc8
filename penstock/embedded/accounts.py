"""Which user a server runs as, and what that user can reach."""

import os
import pwd
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from penstock.embedded.errors import FolderNotReachable, NoAccount
from penstock.embedded.once import made_once

USER_VARIABLE: Final = "PENSTOCK_SERVER_USER"


@dataclass(frozen=True, slots=True)
class Account:
    """A user other than root that servers run as when root starts them."""

    name: str
    uid: int
    gid: int


def server_account() -> Account | None:
    """Find the user to drop to. None: we are a plain user, servers run as we do."""
    if os.geteuid() != 0:
        return None
    sudo = os.environ.get("SUDO_USER")
    name = os.environ.get(USER_VARIABLE) or (sudo if sudo != "root" else None) or "nobody"
    try:
        entry = pwd.getpwnam(name)
    except KeyError:
        raise NoAccount(name) from None
    if entry.pw_uid == 0:
        raise NoAccount(name)
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)


def run_as(
    account: Account | None, command: list[str], *, timeout: float, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a short command as that user, its output in one text."""
    return subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        timeout=timeout,
        check=False,
        cwd=cwd or "/",
        user=account.uid if account else None,
        group=account.gid if account else None,
        extra_groups=[] if account else None,
    )


def reaches(account: Account | None, path: Path) -> bool:
    """Tell whether the user can read and enter a path, by trying."""
    if account is None:
        return os.access(path, os.R_OK | os.X_OK)
    script = '[ -r "$1" ] && [ -x "$1" ]'
    return run_as(account, ["sh", "-c", script, "sh", str(path)], timeout=10).returncode == 0


def hand_over(folder: Path, account: Account | None) -> None:
    """Make a folder that only this user may enter, its own."""
    folder.mkdir(parents=True, exist_ok=True)
    if account is not None and folder.stat().st_uid != account.uid:
        os.chown(folder, account.uid, account.gid)
    folder.chmod(0o700)
    if not reaches(account, folder):
        raise FolderNotReachable(folder, account.name if account else "you")


def within_reach(tree: Path, account: Account | None, copies: Path) -> Path:
    """Give a folder of programs the user can run: the tree itself, or a copy of it.

    A virtual environment in root's home is closed to others, so what is
    installed there is copied once to the cache.
    """
    if reaches(account, tree):
        return tree
    copy = made_once(copies / tree.name, lambda half: shutil.copytree(tree, half, symlinks=True))
    if not reaches(account, copy):
        raise FolderNotReachable(copy, account.name if account else "you")
    return copy
