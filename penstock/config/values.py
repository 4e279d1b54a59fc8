"""The single values of a connector file, each read and checked on its own.

Every function raises ValueError with words that hold no part of the value: it
may be a secret, or come from a variable. ``explain`` adds what may be shown.
"""

import ipaddress
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import SplitResult, unquote, urlsplit

import psycopg
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from schema_registry.table_name import LONGEST_NAME, TableName, is_pattern

NAME: Final = r"^[A-Za-z][A-Za-z0-9_-]{0,47}$"
SLOT: Final = r"^[a-z0-9_]{1,63}$"
# Topics are <prefix>.<schema>.<table> and hold 249 characters at most.
TOPIC_PREFIX: Final = r"^[A-Za-z0-9._-]{1,120}$"
TABLE_PREFIX: Final = r"^[A-Za-z_][A-Za-z0-9_]{0,31}$"
SIZE: Final = r"^[0-9]{1,12} ?(?:kB|MB|GB|TB)$"

SMALLEST_WAL_BUDGET: Final = 64 * 1024**2

_UNITS: Final = {"kB": 1024, "MB": 1024**2, "GB": 1024**3, "TB": 1024**4}
_BROKER: Final = re.compile(
    r"(?:\[(?P<v6>[^\]]*)\]|(?P<host>[A-Za-z0-9._-]+)):(?P<port>[0-9]{1,5})"
)
_URI: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:(?P<slashes>//)?")

# What libpq says, without the part that quotes the value, and what it means.
_DSN_REASONS: Final = (
    ("invalid percent-encoded", "a % in it must be written %25"),
    ("forbidden value %00", "it holds %00, a NUL character"),
    ("invalid URI query parameter", "libpq does not know one of the parameters behind the ?"),
    ("invalid connection option", "libpq does not know one of the keywords"),
    ("unterminated quoted string", "a quote is not closed"),
    ("IPv6", "the brackets of an IPv6 address are not in order"),
)


@dataclass(frozen=True, slots=True, order=True)
class EveryTable:
    """All tables of a schema, written ``public.*``."""

    schema: str

    def __str__(self) -> str:
        # A table name knows when a schema needs quotes.
        return str(TableName(self.schema, "t"))[:-1] + "*"


def table(text: str) -> TableName | EveryTable:
    """Read ``schema.table`` or ``schema.*``."""
    if text.startswith("*."):
        raise ValueError("a pattern names one schema and all of its tables: public.*")
    name = TableName.parse(text)
    return EveryTable(name.schema) if is_pattern(text) else name


def size(text: str) -> int:
    """Read a size with a unit of Postgres, where a kB is 1024 bytes."""
    if not re.fullmatch(SIZE, text):
        raise ValueError("must be a whole number with a unit: kB, MB, GB or TB, such as 10GB")
    return int(text[:-2]) * _UNITS[text[-2:]]


def dsn(text: str) -> str:
    """Check a libpq connection string, as a URI or as keywords."""
    if not text.strip():
        raise ValueError("is empty; libpq would connect to wherever its defaults lead")
    message = ""
    try:
        settings = conninfo_to_dict(text)
    except (psycopg.Error, UnicodeError) as error:
        message = str(error) or "unreadable"
    if message:
        why = next((why for part, why in _DSN_REASONS if part in message), None)
        form = "write postgresql://user@host:5432/database or host=... dbname=..."
        raise ValueError(f"is not a libpq connection string: {why or form}")
    if "@" in str(settings.get("host", "")):
        raise ValueError("its host holds an @; an @ in the password must be written %40")
    return text


def brokers(value: object) -> list[str]:
    """Read ``host:port,host:port``, or a list of such."""
    entries = value.split(",") if isinstance(value, str) else value
    if not isinstance(entries, list) or not all(isinstance(entry, str) for entry in entries):
        raise ValueError("must be text such as host:9092,other:9092, or a list of host:port")
    found = [_broker(entry.strip()) for entry in entries]
    if not found:
        raise ValueError("names no broker")
    if len(set(found)) < len(found):
        raise ValueError("names one broker twice")
    return found


def _broker(text: str) -> str:
    match = _BROKER.fullmatch(text)
    if match is None:
        raise ValueError("a broker is written host:port, and an IPv6 address [::1]:9092")
    if not 1 <= int(match["port"]) <= 65535:
        raise ValueError("the port of a broker must be from 1 to 65535")
    if match["v6"] is not None and not _is_v6(match["v6"]):
        raise ValueError("what stands in brackets must be an IPv6 address")
    return text


def _is_v6(text: str) -> bool:
    try:
        ipaddress.IPv6Address(text)
    except ValueError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class SplitUrl:
    """A web address, and the credentials that stood in it."""

    url: str
    username: str | None
    password: str | None


def split_url(text: str) -> SplitUrl:
    """Read the base address of an HTTP service; credentials are taken out of it."""
    if re.search(r"\s", text):
        raise ValueError("must hold no blanks")
    parts = _http(text)
    userinfo, at, host = parts.netloc.rpartition("@")
    if "@" in userinfo:
        raise ValueError("holds more than one @; an @ in the password must be written %40")
    if parts.query or parts.fragment or text.endswith(("?", "#")):
        raise ValueError(
            "must end with the path, without ? and #; in a password write them %3F and %23"
        )
    username, colon, password = userinfo.partition(":")
    return SplitUrl(
        url=f"{parts.scheme}://{host}{parts.path.rstrip('/')}",
        username=unquote(username) if at else None,
        password=unquote(password) if colon else None,
    )


def _http(text: str) -> SplitResult:
    try:
        parts = urlsplit(text)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise ValueError("must be an address such as https://host:8081")
    return parts


def http_url(text: str) -> str:
    """Check the base address of an HTTP service."""
    return split_url(text).url


def sql_url(text: str) -> str:
    """Check the address of a SQL database, in the form of SQLAlchemy."""
    try:
        usable = bool(make_url(text).drivername)
    except (ArgumentError, ValueError):
        usable = False
    if not usable or re.search(r"[\r\n]", text):
        raise ValueError("must be an SQLAlchemy address such as postgresql+psycopg://user@host/db")
    return text


def local_path(text: str, folder: Path | None) -> Path:
    """Make a path absolute; a relative one starts from the folder of the connector file."""
    if not text.strip():
        raise ValueError("must name a path")
    if text.startswith("~"):
        raise ValueError("~ is not expanded; write the whole path, or ${HOME}/...")
    if "\0" in text:
        raise ValueError("holds a NUL character")
    return Path(os.path.abspath((folder or Path.cwd()) / text))


def warehouse(text: str, folder: Path | None) -> str:
    """Read where a lakehouse lies: a folder, or a URI that is kept as it is."""
    match = _URI.match(text)
    if match is None:
        return str(local_path(text, folder))
    if match["slashes"] is None or len(text) == match.end() or re.search(r"\s", text):
        raise ValueError("must be a folder or a URI such as s3://bucket/path")
    if ":" in text[match.end() :].partition("@")[0] and "@" in text:
        raise ValueError("must hold no credentials; give them to Spark in its own way")
    return text


def postgres_name(text: str) -> str:
    """Check a name that Postgres keeps whole."""
    if not text or "\0" in text or len(text.encode()) > LONGEST_NAME:
        raise ValueError(f"must be a name of 1 to {LONGEST_NAME} bytes")
    return text
