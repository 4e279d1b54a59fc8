"""Statements about the publication: what `check` prints, `run` may carry out."""

from collections.abc import Sequence
from typing import Final

from psycopg import sql

from capture.facts import Member, Relation
from capture.statements import listed, named, statement, table

# The first release that can publish generated columns.
GENERATED_SINCE: Final = 18

OPERATIONS: Final = ("insert", "update", "delete", "truncate")


def create(name: str, tables: Sequence[Relation], major: int) -> str:
    """Publish these tables whole: partitions under their roots, generated values too."""
    stored = major >= GENERATED_SINCE and any(t.generated("s") for t in tables)
    return statement(
        "CREATE PUBLICATION {name} FOR TABLE {tables} WITH ({options})",
        name=named(name),
        tables=_tables(tables),
        options=sql.SQL(
            "publish_via_partition_root = true, publish_generated_columns = stored"
            if stored
            else "publish_via_partition_root = true"
        ),
    )


def add_tables(name: str, tables: Sequence[Relation]) -> str:
    """Publish more tables."""
    return statement(
        "ALTER PUBLICATION {name} ADD TABLE {tables}", name=named(name), tables=_tables(tables)
    )


def publish_all_operations(name: str) -> str:
    """Publish every kind of change."""
    return statement(
        "ALTER PUBLICATION {name} SET (publish = 'insert, update, delete, truncate')",
        name=named(name),
    )


def publish_via_root(name: str) -> str:
    """Publish the changes of partitions under the names of their roots."""
    return statement(
        "ALTER PUBLICATION {name} SET (publish_via_partition_root = true)", name=named(name)
    )


def publish_generated(name: str) -> str:
    """Publish stored generated columns; PG18 and newer."""
    return statement(
        "ALTER PUBLICATION {name} SET (publish_generated_columns = stored)", name=named(name)
    )


def widen_columns(
    name: str, relation: Relation, member: Member, columns: Sequence[str]
) -> tuple[str, ...]:
    """Change a table's column list and keep its row filter.

    There is no single statement for it. Without the transaction, changes made
    between the two would be lost to every reader.
    """
    on = _tables([relation])
    drop = statement("ALTER PUBLICATION {name} DROP TABLE {table}", name=named(name), table=on)
    add = statement(
        "ALTER PUBLICATION {name} ADD TABLE {table} ({columns})",
        name=named(name),
        table=on,
        columns=listed([named(column) for column in columns]),
    )
    # Postgres wrote the filter out itself, with every name qualified and quoted.
    kept = f" WHERE ({member.row_filter})" if member.row_filter is not None else ""
    return ("BEGIN", drop, add + kept, "COMMIT")


def _tables(tables: Sequence[Relation]) -> sql.Composable:
    # Without ONLY, tables that inherit from a plain table would be published as well.
    return listed(
        [
            sql.SQL("ONLY {}").format(table(t.name))
            if t.has_children and not t.partitioned
            else table(t.name)
            for t in tables
        ]
    )
