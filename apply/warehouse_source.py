"""Would a copy land in the database that it copies?

Host names cannot tell: one server has many. Two connections can: they reach
the same database if it has the same oid in a server process that was started
in the same microsecond. Every role may ask for both.
"""

from collections.abc import Sequence
from typing import Final

import psycopg
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from apply.warehouse import UnusableUrlError, Warehouse, engine_for, parse, subject
from diagnosis.errors import Area
from diagnosis.findings import Finding, Severity
from diagnosis.secrets import Secret
from schema_registry.table_name import TableName

_IDENTITY: Final = """
    SELECT current_database(),
           (SELECT CAST(oid AS bigint) FROM pg_catalog.pg_database
            WHERE datname = current_database()),
           CAST(extract(epoch FROM pg_postmaster_start_time()) AS text),
           current_setting('server_version_num')
"""
Identity = tuple[str, int, str, str]


def same_database(warehouse: Warehouse, source_dsn: Secret) -> bool:
    """Tell whether both are one database. If either does not answer: no.

    That it does not answer is a finding of its own already.
    """
    target = _target_identity(warehouse)
    return target is not None and target == _source_identity(source_dsn)


def inspect_target(
    warehouse: Warehouse, source_dsn: Secret, tables: Sequence[TableName]
) -> list[Finding]:
    """Warn of a copy inside the source; refuse one that would overwrite what it copies."""
    if not same_database(warehouse, source_dsn):
        return []
    overwritten = sorted(str(table) for table in tables if _would_overwrite(warehouse, table))
    if overwritten:
        return [
            Finding(
                "PEN-519",
                Severity.ERROR,
                Area.STORE,
                subject(warehouse),
                f"this is the source itself: the copy would overwrite {', '.join(overwritten)}",
                fix="use another database, or set schema or prefix of this store",
            )
        ]
    return [
        Finding(
            "PEN-519",
            Severity.WARNING,
            Area.STORE,
            subject(warehouse),
            "this is the source database itself: each change is written there twice, "
            "and the copy adds to the log that we read",
            fix="use another database",
        )
    ]


def _would_overwrite(warehouse: Warehouse, table: TableName) -> bool:
    # Without a schema the table's own is meant, or the first of the search path:
    # either may be a captured one.
    return not warehouse.prefix and warehouse.schema in (None, table.schema)


def _target_identity(warehouse: Warehouse) -> Identity | None:
    try:
        url = parse(warehouse)
        if url.get_backend_name() != "postgresql":
            return None
        engine = engine_for(warehouse, url)
    except UnusableUrlError:
        return None
    try:
        with engine.connect() as connection:
            row = connection.execute(text(_IDENTITY)).one()
            return (row[0], row[1], row[2], row[3])
    except SQLAlchemyError:
        return None
    finally:
        engine.dispose()


def _source_identity(dsn: Secret) -> Identity | None:
    try:
        with psycopg.connect(dsn.reveal(), connect_timeout=10) as connection:
            row = connection.execute(_IDENTITY).fetchone()
    except psycopg.Error:
        return None
    return None if row is None else (row[0], row[1], row[2], row[3])
