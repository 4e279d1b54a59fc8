"""What our role may do in a warehouse: tried for real, then rolled back.

PostgreSQL and SQLite undo CREATE TABLE with the transaction, so nothing stays.
MySQL does not, and is not tried.
"""

import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from sqlalchemy import URL, Column, Connection, Engine, Integer, MetaData, Table, text
from sqlalchemy import inspect as inspector_of
from sqlalchemy.exc import DBAPIError
from sqlalchemy.schema import CreateSchema, CreateTable

from apply.folders import why_not_writable
from diagnosis.errors import Area
from diagnosis.findings import Finding, Severity, passed
from diagnosis.secrets import redact

CODES: Final = {
    "PEN-517": "We may not create or write a table in the warehouse",
    "PEN-518": "What we may do in the warehouse cannot be tried",
}

_READ_ONLY: Final = "25006"
_READ_ONLY_FIX: Final = (
    "name the primary in the URL, not a standby; or reset default_transaction_read_only"
)


def on_server(connection: Connection, subject: str, schema: str | None) -> Iterator[Finding]:
    """Try what the applier needs, as far as the server can undo it."""
    if connection.dialect.name == "postgresql":
        yield _on_postgresql(connection, subject, schema)
        return
    missing = schema is not None and not inspector_of(connection).has_schema(schema)
    note = f"schema {schema} is not there yet; " if missing else ""
    yield Finding(
        "PEN-518",
        Severity.NOTE,
        Area.STORE,
        subject,
        f"{note}this server cannot undo CREATE TABLE, so our rights were not tried",
        fix="make sure that the user may CREATE, ALTER, INSERT, UPDATE, DELETE and SELECT there",
    )


def _on_postgresql(connection: Connection, subject: str, schema: str | None) -> Finding:
    """Make the schema if it is missing, a table and a row; undo all of it."""
    place = schema or connection.scalar(text("SELECT current_schema()"))
    grant = _grant(connection, place)
    connection.rollback()
    step = "begin"
    try:
        # A lock that others hold must not keep this check waiting.
        connection.execute(text("SET LOCAL lock_timeout = '5s'"))
        connection.execute(text("SET LOCAL statement_timeout = '10s'"))
        if schema is not None and not inspector_of(connection).has_schema(schema):
            step = f"creating schema {schema}"
            connection.execute(CreateSchema(schema))
        step = f"creating a table in {place or 'the search path'}"
        table = _trial_table(schema)
        connection.execute(CreateTable(table))
        step = f"writing to a table in {place}"
        connection.execute(table.insert().values(id=1))
    except DBAPIError as error:
        fact = f"{step} fails: {_words(error)}"
        fix = _READ_ONLY_FIX if _sqlstate(error) == _READ_ONLY else grant
        return Finding("PEN-517", Severity.ERROR, Area.STORE, subject, fact, fix=fix)
    finally:
        connection.rollback()
    return passed(Area.STORE, subject, f"our role may create and write tables in {place}")


def _grant(connection: Connection, schema: str | None) -> str:
    """Write the statement that gives our role what it lacks."""
    role, database = connection.execute(text("SELECT current_user, current_database()")).one()
    quote = connection.dialect.identifier_preparer.quote_identifier
    if schema is not None and inspector_of(connection).has_schema(schema):
        return f"GRANT USAGE, CREATE ON SCHEMA {quote(schema)} TO {quote(role)}"
    return f"GRANT CREATE ON DATABASE {quote(database)} TO {quote(role)}"


def sqlite_file(url: URL) -> Path | None:
    """Give the file behind a SQLite URL; None for a database in memory."""
    name = url.database or ":memory:"
    if name.startswith("file:"):
        parts = urlsplit(name)
        in_memory = "mode=memory" in parts.query or url.query.get("mode") == "memory"
        name = ":memory:" if in_memory else unquote(parts.path)
    return None if ":memory:" in name or not name else Path(name)


def on_missing_file(path: Path, subject: str) -> Iterator[Finding]:
    """SQLite makes the file on first use: see whether it could, and make none."""
    folder = path.absolute().parent
    reason = why_not_writable(folder) if folder.is_dir() else "there is no such folder"
    if reason is None:
        yield passed(Area.STORE, subject, f"{path} can be made")
        return
    yield Finding(
        "PEN-517",
        Severity.ERROR,
        Area.STORE,
        subject,
        f"{path} cannot be made in {folder}: {reason}",
        fix="make the folder, and let our user write there",
    )


def on_file(engine: Engine, path: Path, subject: str) -> Iterator[Finding]:
    """Make a table and a row in an existing file, and undo it."""
    try:
        # Python's driver would begin no transaction before CREATE TABLE.
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            table = _trial_table(None)
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            # If one of these fails, closing the connection undoes the rest.
            connection.execute(CreateTable(table))
            connection.execute(table.insert().values(id=1))
            connection.exec_driver_sql("ROLLBACK")
    except DBAPIError as error:
        yield Finding(
            "PEN-517",
            Severity.ERROR,
            Area.STORE,
            subject,
            f"{path} cannot be written to: {_words(error)}",
            fix="name a SQLite file that our user may write to and that nobody else holds",
        )
        return
    yield passed(Area.STORE, subject, f"{path} can be written to")


def _sqlstate(error: DBAPIError) -> str | None:
    """Each driver for PostgreSQL has a name of its own for it."""
    return getattr(error.orig, "sqlstate", None) or getattr(error.orig, "pgcode", None)


def _trial_table(schema: str | None) -> Table:
    name = f"penstock_check_{uuid.uuid4().hex[:12]}"
    column = Column("id", Integer, primary_key=True, autoincrement=False)
    return Table(name, MetaData(), column, schema=schema)


def _words(error: DBAPIError) -> str:
    return redact(" ".join(str(error.orig).split()))
