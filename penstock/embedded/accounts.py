"""Which user a server runs as, and what that user can reach."""

import os
import pwd
import shutil
import stat
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from penstock.embedded.errors import FolderNotReachable, FolderNotUsable, NoAccount
from penstock.embedded.once import made_once
from penstock.embedded.places import CACHE_VARIABLE

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


def environment() -> dict[str, str]:
    """Give the environment of a server: ours, in English and with names in UTF-8."""
    return {**os.environ, "LC_ALL": "C.UTF-8"}


def run_as(
    account: Account | None, command: list[str], *, timeout: float, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a short command as that user, its output in one text.

    One that takes too long has failed like any other, with the code of timeout(1).
    """
    try:
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
            env=environment(),
            user=account.uid if account else None,
            group=account.gid if account else None,
            extra_groups=[] if account else None,
        )
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, f"no answer within {timeout:.0f} s")


def reaches(account: Account | None, path: Path) -> bool:
    """Tell whether the user can read and enter a path, by trying."""
    if account is None:
        return os.access(path, os.R_OK | os.X_OK)
    script = '[ -r "$1" ] && [ -x "$1" ]'
    return run_as(account, ["sh", "-c", script, "sh", str(path)], timeout=60).returncode == 0


def hand_over(folder: Path, account: Account | None) -> None:
    """Make a folder that only this user may enter, its own."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if account is not None and folder.stat().st_uid != account.uid:
            os.chown(folder, account.uid, account.gid)
        folder.chmod(0o700)
    except OSError as error:
        raise FolderNotUsable(folder, error.strerror or str(error)) from error
    if not reaches(account, folder):
        raise FolderNotReachable(folder, account.name if account else "you")


def make_open(folder: Path) -> None:
    """Make a folder that others may enter, with those above it that are missing too."""
    for part in reversed([folder, *folder.parents]):
        if not part.is_dir():
            part.mkdir(exist_ok=True)
            part.chmod(0o755)


def open_to_all(tree: Path) -> None:
    """Let others read a tree of programs, whatever our umask is."""
    for folder, _, names in os.walk(tree):
        Path(folder).chmod(0o755)
        for file in (Path(folder) / name for name in names):
            if not file.is_symlink():
                file.chmod(0o755 if file.stat().st_mode & stat.S_IXUSR else 0o644)


def within_reach(tree: Path, account: Account | None, copies: Path) -> Path:
    """Give a folder of programs the user can run: the tree itself, or a copy of it.

    A virtual environment in root's home is closed to others, so what is
    installed there is copied once to the cache.
    """
    if reaches(account, tree):
        return tree

    def copied(half: Path) -> None:
        shutil.copytree(tree, half, symlinks=True)
        open_to_all(half)

    make_open(copies)
    copy = made_once(copies / tree.name, copied)
    insist_on_reach(copy, account)
    return copy


def insist_on_reach(path: Path, account: Account | None) -> None:
    """Refuse a place in the cache that the server's user could not read."""
    if not reaches(account, path):
        raise FolderNotReachable(path, account.name if account else "you", CACHE_VARIABLE)
