"""A warehouse: any SQL database that SQLAlchemy speaks to and that can upsert."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from sqlalchemy import URL, Engine, create_engine, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.pool import NullPool

from apply import warehouse_trial
from diagnosis.errors import Area
from diagnosis.findings import Finding, Severity, passed
from diagnosis.secrets import Secret, conceal, redact

CODES: Final = {
    "PEN-511": "The warehouse's URL is malformed",
    "PEN-512": "The driver for the warehouse is missing or does not fit",
    "PEN-513": "We cannot write to this kind of database",
    "PEN-514": "The warehouse does not answer",
    "PEN-515": "The warehouse refuses the login",
    "PEN-516": "The warehouse's database does not exist",
    **warehouse_trial.CODES,
    "PEN-519": "The copy would be written into the database that it copies",
}

# Those whose upsert we know: a repeated batch must change nothing.
UPSERTING: Final = ("postgresql", "sqlite", "mysql", "mariadb")

_PACKAGE_OF: Final = {
    "MySQLdb": "mysqlclient",
    "mysql": "mysql-connector-python",
    "psycopg2": "psycopg2-binary",
    "pymysql": "PyMySQL",
}
_TIMEOUT_OF: Final = {
    "psycopg": {"connect_timeout": 10},
    "psycopg2": {"connect_timeout": 10},
    "pg8000": {"timeout": 10},
    "mysqldb": {"connect_timeout": 10},
    "pymysql": {"connect_timeout": 10},
    "mysqlconnector": {"connection_timeout": 10},
    "pysqlite": {"timeout": 3},
}
# libpq gives no SQLSTATE for a connection that was never made, only text.
_NO_DATABASE: Final = re.compile(r'database ".*" does not exist|Unknown database')
_NO_LOGIN: Final = re.compile(
    r'authentication failed|no password supplied|role ".*" (?:does not exist|is not permitted)'
    r"|no pg_hba\.conf entry|permission denied for database|Access denied"
)
_LONGEST_TEXT: Final = 400


@dataclass(frozen=True, slots=True)
class Warehouse:
    """A database, and where in it: ``prefix`` stands before each table's name."""

    name: str
    url: Secret
    schema: str | None = None
    prefix: str | None = None


class UnusableUrlError(Exception):
    """The URL leads to no database; holds the finding that says why."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.fact)
        self.finding = finding


def inspect(warehouse: Warehouse) -> list[Finding]:
    """Connect, and try what the applier will do, without leaving a trace."""
    try:
        url = parse(warehouse)
        if url.get_backend_name() == "sqlite":
            return list(_sqlite(warehouse, url))
        engine = engine_for(warehouse, url)
    except UnusableUrlError as unusable:
        return [unusable.finding]
    return list(_server(warehouse, url, engine))


def parse(warehouse: Warehouse) -> URL:
    """Read the URL. What is wrong with it is told without quoting it."""
    try:
        url = make_url(warehouse.url.reveal().strip())
    except (ArgumentError, ValueError):
        fact = "the URL cannot be read; its port may be no number"
        fix = "write it as dialect+driver://user:password@host:port/database"
        raise UnusableUrlError(_error(warehouse, "PEN-511", fact, fix)) from None
    if url.password:
        conceal(str(url.password))
    if url.get_backend_name() not in UPSERTING:
        raise UnusableUrlError(_not_upserting(warehouse, url))
    return url


def engine_for(warehouse: Warehouse, url: URL) -> Engine:
    """Make an engine that keeps no connections, or say which package is missing."""
    try:
        dialect = url.get_dialect()
        if dialect.is_async:
            raise UnusableUrlError(_asynchronous(warehouse, url))
        return create_engine(
            url,
            poolclass=NullPool,
            connect_args=_TIMEOUT_OF.get(dialect.driver, {}),
            hide_parameters=True,
        )
    except NoSuchModuleError:
        fact = f"SQLAlchemy knows no driver {url.get_driver_name()!r} for {url.get_backend_name()}"
        fix = f"leave the driver out: {url.get_backend_name()}://…"
        raise UnusableUrlError(_error(warehouse, "PEN-512", fact, fix)) from None
    except ImportError as error:
        raise UnusableUrlError(_not_installed(warehouse, error)) from None
    except (SQLAlchemyError, TypeError, ValueError) as error:
        fact = f"SQLAlchemy refuses the URL: {_text(error)}"
        fix = "check the options behind the question mark"
        raise UnusableUrlError(_error(warehouse, "PEN-511", fact, fix)) from None


def _server(warehouse: Warehouse, url: URL, engine: Engine) -> Iterator[Finding]:
    where = f"{url.host or 'the local socket'}{f':{url.port}' if url.port else ''}"
    try:
        with engine.connect() as connection:
            release = ".".join(str(part) for part in connection.dialect.server_version_info or ())
            fact = f"{engine.dialect.name} {release} answers at {where}"
            yield passed(Area.STORE, subject(warehouse), fact)
            yield from warehouse_trial.on_server(connection, subject(warehouse), warehouse.schema)
    except SQLAlchemyError as error:
        yield _no_connection(warehouse, url, where, error)
    finally:
        engine.dispose()


def _sqlite(warehouse: Warehouse, url: URL) -> Iterator[Finding]:
    path = warehouse_trial.sqlite_file(url)
    if path is None:
        yield _error(
            warehouse,
            "PEN-513",
            "a database in memory is gone when the applier stops",
            "name a file: sqlite:///path/to/copy.db",
        )
        return
    if warehouse.schema not in (None, "main"):
        yield _error(
            warehouse,
            "PEN-513",
            f"SQLite has no schema {warehouse.schema!r}",
            "leave schema out, and use prefix",
        )
        return
    if not path.exists():
        yield from warehouse_trial.on_missing_file(path, subject(warehouse))
        return
    engine = engine_for(warehouse, url)
    try:
        yield from warehouse_trial.on_file(engine, path, subject(warehouse))
    finally:
        engine.dispose()


def _no_connection(warehouse: Warehouse, url: URL, where: str, error: SQLAlchemyError) -> Finding:
    text = _text(error)
    if _NO_DATABASE.search(text):
        name = url.database or ""
        return _error(
            warehouse,
            "PEN-516",
            f"there is no database {name!r} at {where}",
            f"create it, or correct the name in the URL: CREATE DATABASE {name}",
        )
    if _NO_LOGIN.search(text):
        fix = "check user and password in the URL, and the server's rules for this host"
        return _error(warehouse, "PEN-515", f"{where} refuses the login: {text}", fix)
    fix = "check host and port in the URL, that the server runs, and the network between"
    return _error(warehouse, "PEN-514", f"{where}: {text}", fix)


def _not_upserting(warehouse: Warehouse, url: URL) -> Finding:
    return _error(
        warehouse,
        "PEN-513",
        f"we know no upsert for {redact(url.get_backend_name())}, "
        "and without one a repeated batch would change rows twice",
        f"use one of: {', '.join(UPSERTING)}",
    )


def _not_installed(warehouse: Warehouse, error: ImportError) -> Finding:
    module = (error.name or "unknown").partition(".")[0]
    return _error(
        warehouse,
        "PEN-512",
        f"the Python package for this driver is not installed (no module {module})",
        f"pip install {_PACKAGE_OF.get(module, module)}",
    )


def _asynchronous(warehouse: Warehouse, url: URL) -> Finding:
    return _error(
        warehouse,
        "PEN-512",
        f"{url.get_driver_name()} is a driver for asyncio, which the applier does not use",
        f"leave the driver out: {url.get_backend_name()}://…",
    )


def subject(warehouse: Warehouse) -> str:
    """Name the store in a finding."""
    return f"store {warehouse.name}"


def _error(warehouse: Warehouse, code: str, fact: str, fix: str) -> Finding:
    return Finding(code, Severity.ERROR, Area.STORE, subject(warehouse), fact, fix=fix)


def _text(error: Exception) -> str:
    """Take the driver's words; SQLAlchemy's would add the statement."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    return redact(" ".join(str(cause).split()))[:_LONGEST_TEXT]
