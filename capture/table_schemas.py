"""The schemas of tables, from the catalog as it is now.

Which may be later than the log: a Relation message says how a table was, this
says how it is. What the message lacks (column numbers, labels of enums, what a
domain stands for) can only be had here.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import psycopg

from capture.rows import rows_of
from schema_registry.column_type import (
    DEEPEST,
    NO_MODIFIER,
    ColumnType,
    TypeKind,
    TypeName,
    array_of,
    nested_too_deep,
)
from schema_registry.table_name import TableName
from schema_registry.table_schema import Column, Generated, ReplicaIdentity, TableSchema

_Row: TypeAlias = Mapping[str, Any]

# One statement, so that all of it is of one moment. It takes no lock on a table and
# needs no privilege, since catalogs are open to everybody.
_CATALOG: Final = """
    WITH RECURSIVE relation AS (
        SELECT c.oid, n.nspname AS schema, c.relname AS table, c.relreplident AS identity
        FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
        WHERE (n.nspname, c.relname) IN (SELECT * FROM unnest(%s::name[], %s::name[]))
          AND c.relkind IN ('r', 'p')
    ), col AS (
        SELECT a.attrelid AS relation, a.attname AS name, a.attnum AS number, a.atttypid AS type,
               a.atttypmod AS modifier, a.attndims AS dimensions, NOT a.attnotnull AS nullable,
               a.attgenerated AS generated
        FROM pg_attribute AS a JOIN relation ON relation.oid = a.attrelid
        WHERE a.attnum > 0 AND NOT a.attisdropped
        ORDER BY a.attrelid, a.attnum
    ), needed AS (
        SELECT col.type AS oid FROM col
        UNION
        SELECT part.oid
        FROM needed
        JOIN pg_type AS t ON t.oid = needed.oid
        CROSS JOIN LATERAL (VALUES (t.typbasetype), (t.typelem)) AS part (oid)
        WHERE part.oid <> 0
    ), type AS (
        SELECT t.oid, n.nspname AS schema, t.typname AS name, t.typtype AS kind,
               t.typbasetype AS base, t.typtypmod AS modifier, t.typndims AS dimensions,
               -- Some types of fixed length have elements and are no arrays: point, name.
               CASE WHEN element.typarray = t.oid THEN element.oid ELSE 0 END AS element,
               ARRAY(SELECT e.enumlabel FROM pg_enum AS e
                     WHERE e.enumtypid = t.oid ORDER BY e.enumsortorder) AS labels
        FROM needed
        JOIN pg_type AS t ON t.oid = needed.oid
        JOIN pg_namespace AS n ON n.oid = t.typnamespace
        LEFT JOIN pg_type AS element ON element.oid = t.typelem
    ), key AS (
        SELECT i.indrelid AS relation, i.indisprimary AS primary,
               ARRAY(SELECT a.attname
                     FROM unnest(i.indkey::int2[]) WITH ORDINALITY AS part (attnum, place)
                     JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = part.attnum
                     WHERE place <= i.indnkeyatts ORDER BY place) AS columns
        FROM pg_index AS i JOIN relation ON relation.oid = i.indrelid
        WHERE i.indislive
          AND (i.indisprimary OR i.indisreplident AND relation.identity = 'i')
    )
    SELECT (SELECT json_agg(relation) FROM relation) AS relations,
           (SELECT json_agg(col) FROM col) AS columns,
           (SELECT json_agg(type) FROM type) AS types,
           (SELECT json_agg(key) FROM key) AS keys
"""

# pg_type.typtype. Whatever is newer than this list is taken for a base type: its
# values have a text like all others.
_KINDS: Final = {
    "e": TypeKind.ENUM,
    "c": TypeKind.COMPOSITE,
    "r": TypeKind.RANGE,
    "m": TypeKind.MULTIRANGE,
}


def read_table_schemas(
    connection: psycopg.Connection, tables: Sequence[TableName]
) -> dict[TableName, TableSchema]:
    """Read the schemas of these tables, in this order; a table that is not there is left out."""
    asked = [[name.schema for name in tables], [name.table for name in tables]]
    (catalog,) = rows_of(connection, _CATALOG, asked)
    types = {_number(row["oid"]): row for row in catalog["types"] or ()}
    columns: dict[int, list[Column]] = defaultdict(list)
    for row in catalog["columns"] or ():
        columns[_number(row["relation"])].append(_column(row, types))
    keys: dict[int, list[_Row]] = defaultdict(list)
    for row in catalog["keys"] or ():
        keys[_number(row["relation"])].append(row)
    read: dict[TableName, TableSchema] = {}
    for row in catalog["relations"] or ():
        name, oid = TableName(row["schema"], row["table"]), _number(row["oid"])
        identity = ReplicaIdentity(row["identity"])
        read[name] = TableSchema(name, tuple(columns[oid]), _key(keys[oid]), identity, oid)
    return {name: read[name] for name in tables if name in read}


def _key(indexes: Iterable[_Row]) -> tuple[str, ...]:
    """Choose the key: the index that is the replica identity, before the primary key.

    A delete brings the columns of that index and no others, so that no other key
    could be written for it.
    """
    chosen = min(indexes, key=lambda row: bool(row["primary"]), default=None)
    return tuple(chosen["columns"]) if chosen is not None else ()


def _column(row: _Row, types: Mapping[int, _Row]) -> Column:
    declared = _type(_number(row["type"]), row["modifier"], row["dimensions"], types)
    generated = Generated(row["generated"])
    return Column(row["name"], declared, row["nullable"], row["number"], generated)


def _type(
    oid: int, modifier: int, dimensions: int, types: Mapping[int, _Row], depth: int = 1
) -> ColumnType:
    row = types[oid]
    name = TypeName(row["schema"], row["name"])
    if depth > DEEPEST:
        raise nested_too_deep(name)
    if element := _number(row["element"]):
        return array_of(_type(element, modifier, 0, types, depth + 1), dimensions)
    if base := _number(row["base"]):
        under = _type(base, row["modifier"], row["dimensions"], types, depth + 1)
        return ColumnType(name, TypeKind.DOMAIN, NO_MODIFIER, base=under)
    kind = _KINDS.get(row["kind"], TypeKind.BASE)
    return ColumnType(name, kind, modifier, tuple(row["labels"]))


def _number(oid: int | str) -> int:
    # JSON has no oids: Postgres writes them as text.
    return int(oid)
