"""A lake: Iceberg tables below a folder, or in object storage."""

import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal
from urllib.parse import unquote, urlsplit

from apply.folders import nearest, why_not_writable
from diagnosis.errors import Area
from diagnosis.findings import Finding, Severity, passed
from diagnosis.secrets import redact

CODES: Final = {
    "PEN-501": "The lake's folder cannot be made",
    "PEN-502": "The lake's folder cannot be written to",
    "PEN-503": "The lake's disk is nearly full",
    "PEN-504": "The lake lies where this check cannot look",
}

Mode = Literal["mirror", "history", "changelog"]

# A merge writes its new files before the old ones may go.
LEAST_FREE: Final = 1024**3

_SCHEME: Final = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]+)://?(?P<rest>.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Lake:
    """Where Iceberg tables live: a folder, or a URI that Spark can write to."""

    name: str
    warehouse: str
    mode: Mode = "mirror"


def inspect(lake: Lake) -> list[Finding]:
    """Look at the folder, as far as it can be seen from here."""
    folder = _folder(lake.warehouse)
    if folder is None:
        return [_elsewhere(lake)]
    return list(_look(_subject(lake), folder))


def _folder(warehouse: str) -> Path | None:
    """Give the local folder that a path or a file: URI means; None for other URIs."""
    match = _SCHEME.fullmatch(warehouse)
    if match is None:
        return Path(warehouse)
    if match["scheme"].lower() == "file":
        return Path(unquote(urlsplit(warehouse).path))
    return None


def _look(subject: str, folder: Path) -> Iterator[Finding]:
    if "\0" in str(folder):
        yield _error("PEN-501", subject, "the folder's name holds a NUL character")
        return
    try:
        place = nearest(folder)
        free = shutil.disk_usage(place).free
    except OSError as error:
        yield _error("PEN-501", subject, f"the folder cannot be looked at: {error.strerror}")
        return
    if not place.is_dir():
        yield _error("PEN-501", subject, f"{place} is not a folder")
        return
    reason = why_not_writable(place)
    if reason is not None:
        yield _unwritable(subject, folder, place, reason)
        return
    yield passed(Area.STORE, subject, _good(folder, place))
    if free < LEAST_FREE:
        yield Finding(
            "PEN-503",
            Severity.WARNING,
            Area.STORE,
            subject,
            f"{free / 1024**2:,.0f} MiB are free on the disk of {place}",
            fix="free some space: a merge needs room for new files beside the old ones",
        )


def _good(folder: Path, place: Path) -> str:
    return f"{folder} can be written to" if place == folder.absolute() else f"{folder} can be made"


def _unwritable(subject: str, folder: Path, place: Path, reason: str) -> Finding:
    if place == folder.absolute():
        return _error("PEN-502", subject, f"no file can be written to {place}: {reason}")
    return _error("PEN-501", subject, f"{folder} cannot be made in {place}: {reason}")


def _elsewhere(lake: Lake) -> Finding:
    return Finding(
        "PEN-504",
        Severity.NOTE,
        Area.STORE,
        _subject(lake),
        f"{redact(lake.warehouse)} is reached by Spark, and cannot be looked at from here",
        fix="make sure that Spark has the connector's jar for this scheme and its credentials",
    )


def _subject(lake: Lake) -> str:
    return f"store {lake.name}"


def _error(code: str, subject: str, fact: str) -> Finding:
    fix = "choose another folder for warehouse, or let our user write there"
    return Finding(code, Severity.ERROR, Area.STORE, subject, fact, fix=fix)
