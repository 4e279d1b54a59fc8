"""Where the source is, and a plain connection that no outside setting can colour."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import psycopg
from psycopg.conninfo import conninfo_to_dict

from capture.source_errors import (
    Address,
    ConnectFailed,
    MalformedDsn,
    ReplicationRefused,
    why_no_answer,
    why_no_connection,
)
from diagnosis.secrets import Secret, conceal

# Roles and databases may carry settings of their own (ALTER ROLE … SET). These
# travel in the start-up packet, which outranks them, and hold before the first
# statement: a role with statement_timeout = 1 could not even run a SET.
PINNED: Final = {
    "DateStyle": "ISO,YMD",
    "IntervalStyle": "postgres",
    "TimeZone": "UTC",
    "bytea_output": "hex",
    "extra_float_digits": "1",
    "lc_monetary": "C",
    "xmlbinary": "base64",
    "quote_all_identifiers": "off",
    "search_path": "pg_catalog,pg_temp",  # pg_temp would come first if it were not named
    "role": "none",  # privileges are looked up for the role that logs in
    # Off does not switch policies off. It makes Postgres raise an error where
    # one would hide rows, and a partial copy is worse than none.
    "row_security": "off",
    "statement_timeout": "30s",
    "lock_timeout": "5s",
    "idle_in_transaction_session_timeout": "0",
    "idle_session_timeout": "0",
    "default_transaction_isolation": "read committed",
    "default_transaction_deferrable": "off",
    "transform_null_equals": "off",
    "jit": "off",  # compiling a catalog query takes longer than running it
}

# Set after the login. Read-only, because a login trigger that writes (they
# exist since PG17) would otherwise keep us out; the other is unknown before PG17.
_AFTER_LOGIN: Final = """
    SELECT pg_catalog.set_config(known.name, wanted.value, false)
    FROM pg_catalog.pg_settings AS known
    JOIN (VALUES ('default_transaction_read_only', 'on'), ('transaction_timeout', '0'))
         AS wanted (name, value) USING (name)
"""

# What a DSN may say otherwise: a peer that is gone is noticed within a minute.
_DEFAULTS: Final = {
    "connect_timeout": "10",
    "keepalives": "1",
    "keepalives_idle": "30",
    "keepalives_interval": "10",
    "keepalives_count": "3",
}


@dataclass(frozen=True, slots=True)
class Source:
    """The source of one connector, as its file describes it."""

    connector: str
    dsn: Secret
    tables: tuple[str, ...]  # as written: schema.table, with quotes or not, or schema.*
    slot: str
    publication: str
    wal_budget: int  # bytes of log that our slot may hold back

    @property
    def application_name(self) -> str:
        """What Postgres shows of us, cut and cleaned as it does that itself."""
        name = f"penstock {self.connector}".encode()[:63]
        return "".join(chr(byte) if 32 <= byte <= 126 else f"\\x{byte:02x}" for byte in name)[:63]


@contextmanager
def connect(source: Source) -> Iterator[psycopg.Connection]:
    """Open a read-only connection in autocommit mode, closed at the end of the block.

    Any error of psycopg, in here or in the block, leaves as a ``SourceError``.
    """
    parameters = _parameters(source)
    with _opened(parameters) as connection:
        try:
            connection.execute(_AFTER_LOGIN)
            yield connection
        except psycopg.Error as error:
            raise why_no_answer(error) from None


def try_replication(source: Source) -> None:
    """Open a replication connection as the capture will, ask who is there, and close it."""
    parameters = {**_parameters(source), "replication": "database"}
    try:
        # The replication grammar has no parameters and no prepared statements.
        with _opened(parameters) as connection, psycopg.ClientCursor(connection) as cursor:
            cursor.execute("IDENTIFY_SYSTEM")
    except psycopg.Error as error:
        raise ReplicationRefused(_address(parameters), str(why_no_answer(error).cause)) from None


@contextmanager
def _opened(parameters: dict[str, Any]) -> Iterator[psycopg.Connection]:
    try:
        connection = psycopg.connect(autocommit=True, prepare_threshold=None, **parameters)
    except psycopg.Error as error:
        raise _explained(error, parameters) from None
    with connection:
        yield connection


def _explained(error: psycopg.Error, parameters: dict[str, Any]) -> ConnectFailed | MalformedDsn:
    # A conninfo that libpq refuses outright never became an attempt.
    if isinstance(error, psycopg.ProgrammingError):
        return MalformedDsn("libpq does not accept one of its values")
    return why_no_connection(error, _address(parameters))


def _parameters(source: Source) -> dict[str, Any]:
    """Read the DSN and put our own settings over it."""
    text = source.dsn.reveal()
    _refuse_misread(text)
    try:
        given = conninfo_to_dict(text)
    except psycopg.ProgrammingError:
        # libpq's message repeats the part that it stumbled over.
        raise MalformedDsn("it is neither a URL nor a list of key=value") from None
    if not all(port.isdecimal() for port in str(given.get("port") or "5432").split(",")):
        raise MalformedDsn("its port is no number")
    for word in ("password", "sslpassword"):
        if secret := given.get(word):
            conceal(str(secret))
    pinned = " ".join(
        f"-c {name}={value.replace(' ', chr(92) + ' ')}" for name, value in PINNED.items()
    )
    return {
        **_DEFAULTS,
        **given,
        "options": f"{given.get('options') or ''} {pinned}".strip(),  # the later one wins
        "client_encoding": "UTF8",
        "application_name": source.application_name,
        "replication": "false",
    }


def _refuse_misread(dsn: str) -> None:
    """Stop at a URL that libpq would cut in the wrong place.

    With a raw ``@`` or ``/`` in the password, a part of it would be taken for
    the host and shown in an error.
    """
    scheme, found, rest = dsn.partition("://")
    if not found or scheme not in ("postgres", "postgresql"):
        return
    # libpq looks for an @ up to the first slash, and takes it for the end of the password.
    end = next((place for place, letter in enumerate(rest) if letter in "@/"), len(rest))
    if "@" in rest[end + 1 :].partition("?")[0]:
        raise MalformedDsn("its password holds a raw @ or /")


def _address(parameters: dict[str, Any]) -> Address:
    def value(name: str, variable: str, default: str) -> str:
        return str(parameters.get(name) or os.environ.get(variable) or default)

    user = value("user", "PGUSER", "")
    host = value("host", "PGHOST", "") or value("hostaddr", "PGHOSTADDR", "the local socket")
    return Address(
        server=f"{host}:{value('port', 'PGPORT', '5432')}",
        user=user,
        database=value("dbname", "PGDATABASE", user),
    )
