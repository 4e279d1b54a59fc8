"""Can every row be read, and by how many workers at once?"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import psycopg
from psycopg import sql
from psycopg.rows import class_row

from capture.catalog import read_role, read_server
from capture.facts import Relation, Role, Server
from capture.preflight.report import (
    about,
    error,
    good,
    in_bytes,
    restart_for,
    set_on_server,
    warning,
)
from capture.preflight.server import OLDEST
from capture.source import Source, connect
from capture.source_errors import SourceError
from capture.statements import named, statement
from capture.tables import resolution
from diagnosis.findings import Finding

# Beside the workers: one connection for the catalogs, one to read the log.
BESIDE: Final = 2

UNLIMITED: Final = -1

# Sessions show their user and database to everybody, their kind only to some.
# Readers of the log have a limit of their own.
_CONNECTIONS: Final = """
    SELECT count(*) AS on_server,
           count(*) FILTER (WHERE usename = session_user) AS of_role,
           count(*) FILTER (WHERE datname = current_database()) AS on_database,
           (SELECT rolconnlimit FROM pg_roles WHERE rolname = session_user) AS role_limit,
           (SELECT datconnlimit FROM pg_database
            WHERE datname = current_database()) AS database_limit,
           (SELECT coalesce(bool_or(pg_has_role(oid, 'USAGE')), false) FROM pg_roles
            WHERE rolname = 'pg_use_reserved_connections') AS uses_reserved
    FROM pg_stat_activity
    WHERE datid IS NOT NULL AND pid <> pg_backend_pid()
      AND pid NOT IN (SELECT pid FROM pg_stat_replication)
"""

_SIZE: Final = """
    SELECT coalesce(sum(pg_table_size(part)), 0)::bigint
    FROM unnest(%s::oid[]) AS part
"""


@dataclass(frozen=True, slots=True)
class Connections:
    """What is in use now, without our own look, and the limits of role and database."""

    on_server: int
    of_role: int
    on_database: int
    role_limit: int
    database_limit: int
    uses_reserved: bool


def inspect(source: Source, workers: int) -> list[Finding]:
    """Find what would keep the snapshot from reading every row."""
    try:
        with connect(source) as connection:
            server = read_server(connection)
            if server.major < OLDEST:
                return []  # the look at the log refuses it by name
            role = read_role(connection)
            tables = resolution(connection, source).tables
            in_use = _read_connections(connection)
            size = _read_size(connection, tables)
    except SourceError as trouble:
        return [trouble.finding()]
    return [
        *check_row_security(role, tables),
        *check_connections(server, role, in_use, workers),
        *_volume(tables, size),
    ]


def check_row_security(role: Role, tables: tuple[Relation, ...]) -> Iterator[Finding]:
    """Refuse a copy from which a policy would leave out rows."""
    hidden = [relation for relation in tables if relation.row_security]
    for relation in hidden:
        yield error(
            "PEN-290",
            about(relation),
            f"row-level security applies to role {role.name}: rows would be missing from the copy",
            fix="have a DBA let the role read past policies",
            sql=[statement("ALTER ROLE {role} BYPASSRLS", role=named(role.name))],
        )
    if tables and not hidden:
        yield good("row-level security", f"hides no row of {len(tables)} tables from us")


def check_connections(
    server: Server, role: Role, in_use: Connections, workers: int
) -> Iterator[Finding]:
    """Compare what the snapshot opens with each limit that stands in its way."""
    needed = workers + BESIDE
    trouble = [
        *_on_server(server, role, in_use, needed),
        *([] if role.superuser else _by_limits(server, role, in_use, needed)),
    ]
    yield from trouble
    if not trouble:
        yield good("connections", f"enough are left for {workers} workers and {BESIDE} more")


def _on_server(server: Server, role: Role, in_use: Connections, needed: int) -> Iterator[Finding]:
    setting = server.settings["max_connections"]
    most = int(setting.value)
    if not role.superuser:
        most -= server.number("superuser_reserved_connections")
        # Came with PG16; a member of the role that goes with it may use them.
        if "reserved_connections" in server.settings and not in_use.uses_reserved:
            most -= server.number("reserved_connections")
    fewer = "lower source.snapshot.workers"
    if most < needed:
        wanted = str(int(setting.value) + needed - most + in_use.on_server)
        yield error(
            "PEN-291",
            setting.name,
            f"allows us {max(most, 0)} connections, and the snapshot needs {needed}",
            fix=f"{fewer}; or {restart_for(setting, wanted)}",
            sql=set_on_server(setting, wanted),
        )
    elif most - in_use.on_server < needed:
        left = max(most - in_use.on_server, 0)
        fact = f"{left} connections are left at the moment, and the snapshot needs {needed}"
        yield warning("PEN-291", setting.name, fact, fix=f"{fewer}, or close idle connections")


def _by_limits(server: Server, role: Role, in_use: Connections, needed: int) -> Iterator[Finding]:
    if in_use.role_limit != UNLIMITED and in_use.role_limit - in_use.of_role < needed:
        mend = statement(
            "ALTER ROLE {role} CONNECTION LIMIT {limit}",
            role=named(role.name),
            limit=sql.Literal(in_use.of_role + needed),
        )
        fact = f"has a limit of {in_use.role_limit} connections, {in_use.of_role} of them in use"
        yield _limited(f"role {role.name}", fact, needed, mend)
    if in_use.database_limit != UNLIMITED and in_use.database_limit - in_use.on_database < needed:
        mend = statement(
            "ALTER DATABASE {database} CONNECTION LIMIT {limit}",
            database=named(server.database),
            limit=sql.Literal(in_use.on_database + needed),
        )
        fact = f"has a limit of {in_use.database_limit} connections, {in_use.on_database} in use"
        yield _limited(f"database {server.database}", fact, needed, mend)


def _limited(subject: str, fact: str, needed: int, mend: str) -> Finding:
    fix = "have a DBA raise it, or lower source.snapshot.workers"
    return error("PEN-291", subject, f"{fact}; the snapshot needs {needed}", fix=fix, sql=[mend])


def _volume(tables: tuple[Relation, ...], size: int) -> Iterator[Finding]:
    if not tables:
        return
    parts = [part for relation in tables for part in relation.leaves or (relation,)]
    counted = sum(int(part.rows) for part in parts if part.rows >= 0)
    unknown = sum(part.rows < 0 for part in parts)
    fact = f"{len(tables)} tables, {in_bytes(size)}, about {counted:,} rows"
    if unknown:
        fact += f" and those of {unknown} never analyzed"
    yield good("snapshot", fact)


def _read_connections(connection: psycopg.Connection) -> Connections:
    with connection.cursor(row_factory=class_row(Connections)) as cursor:
        return cursor.execute(_CONNECTIONS).fetchall()[0]


def _read_size(connection: psycopg.Connection, tables: tuple[Relation, ...]) -> int:
    oids = [part.oid for relation in tables for part in relation.leaves or (relation,)]
    return int(connection.execute(_SIZE, [oids]).fetchall()[0][0])
