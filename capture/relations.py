"""The queries that read facts about tables: partitions, columns, keys, privileges.

They work for a role without any privilege, and take no lock on a table.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

import psycopg

from capture.facts import Column, Index, Relation, ReplicaIdentity
from capture.rows import rows_of
from schema_registry.table_name import TableName

# More names than this help nobody to find the one that was meant.
MOST_KNOWN: Final = 20_000

_MATCHING: Final = """
    SELECT c.oid::bigint
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE (n.nspname, c.relname) IN (SELECT * FROM unnest(%(schemas)s::name[], %(tables)s::name[]))
       OR n.nspname = ANY (%(patterns)s::name[]) AND c.relkind IN ('r', 'p')
"""

_LEAVES: Final = """
    WITH RECURSIVE tree AS (
        SELECT c.oid AS root, c.oid AS part, c.relkind
        FROM pg_class AS c WHERE c.oid = ANY (%s::oid[]) AND c.relkind = 'p'
        UNION ALL
        SELECT tree.root, c.oid, c.relkind
        FROM tree
        JOIN pg_inherits AS i ON i.inhparent = tree.part
        JOIN pg_class AS c ON c.oid = i.inhrelid
    )
    SELECT root::bigint, part::bigint FROM tree WHERE relkind <> 'p' ORDER BY root, part
"""

_RELATIONS: Final = """
    SELECT c.oid::bigint AS oid, n.nspname::text AS schema, c.relname::text AS table,
           c.relkind::text AS kind, c.relpersistence::text AS persistence,
           c.relreplident::text AS identity, c.reltoastrelid <> 0 AS has_toast,
           c.relhassubclass AS has_children, pg_has_role(c.relowner, 'USAGE') AS owned,
           has_schema_privilege(n.oid, 'USAGE') AS schema_usable,
           coalesce(has_table_privilege(c.oid, 'SELECT'), false) AS readable,
           row_security_active(c.oid) AS row_security, c.reltuples AS rows,
           EXISTS (SELECT FROM pg_publication_rel AS p
                   WHERE p.prrelid = c.oid AND p.prattrs IS NOT NULL) AS narrowed,
           ARRAY(SELECT above.relid::oid::bigint
                 FROM pg_partition_ancestors(c.oid) WITH ORDINALITY AS above (relid, height)
                 WHERE above.relid <> c.oid ORDER BY height) AS ancestors
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE c.oid = ANY (%s::oid[])
    ORDER BY n.nspname, c.relname
"""

_NAMES: Final = """
    SELECT c.oid::bigint, n.nspname::text, c.relname::text
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE c.oid = ANY (%s::oid[])
"""

# A value of storage "main" leaves the row only as a last resort. For numbers
# with a precision and for network addresses it never comes to that.
_COLUMNS: Final = """
    SELECT a.attrelid::bigint AS oid, a.attname::text AS name, a.attgenerated::text AS generated,
           a.attnotnull AS not_null,
           a.attlen = -1 AND (a.attstorage IN ('x', 'e')
               OR a.attstorage = 'm' AND a.atttypmod < 0
                  AND a.atttypid NOT IN ('inet'::regtype, 'cidr'::regtype)) AS toastable,
           coalesce(has_column_privilege(a.attrelid, a.attnum, 'SELECT'), false) AS readable
    FROM pg_attribute AS a
    WHERE a.attrelid = ANY (%s::oid[]) AND a.attnum > 0 AND NOT a.attisdropped
    ORDER BY a.attrelid, a.attnum
"""

_INDEXES: Final = """
    SELECT i.indrelid::bigint AS oid, c.relname::text AS name, i.indisprimary AS primary,
           i.indimmediate AS immediate, i.indisvalid AS valid, i.indpred IS NOT NULL AS partial,
           i.indexprs IS NOT NULL AS on_expressions, i.indisreplident AS is_identity,
           ARRAY(SELECT a.attname::text
                 FROM unnest(i.indkey::int2[]) WITH ORDINALITY AS key (attnum, place)
                 JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = key.attnum
                 WHERE place <= i.indnkeyatts ORDER BY place) AS columns
    FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
    WHERE i.indrelid = ANY (%s::oid[]) AND i.indisunique AND i.indislive
    ORDER BY i.indrelid, c.relname
"""

_KNOWN: Final = """
    SELECT n.nspname::text, c.relname::text
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p') AND c.relpersistence = 'p' AND NOT c.relispartition
      AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
    ORDER BY 1, 2 LIMIT %s
"""


def read_relations(
    connection: psycopg.Connection, names: Sequence[TableName], schemas: Iterable[str]
) -> list[Relation]:
    """Read what has one of these names, and all tables of these schemas, by name."""
    asked = {
        "schemas": [name.schema for name in names],
        "tables": [name.table for name in names],
        "patterns": list(schemas),
    }
    oids = [oid for (oid,) in connection.execute(_MATCHING, asked)]
    leaves: dict[int, list[int]] = defaultdict(list)
    for root, leaf in connection.execute(_LEAVES, [oids]):
        leaves[root].append(leaf)
    every = sorted({*oids, *(leaf for parts in leaves.values() for leaf in parts)})
    read = _details(connection, every, leaves)
    return [read[oid] for oid in read if oid in set(oids)]


def read_known_names(connection: psycopg.Connection) -> list[TableName]:
    """Read the names of the tables that could have been meant."""
    return [TableName(*row) for row in connection.execute(_KNOWN, [MOST_KNOWN])]


def _details(
    connection: psycopg.Connection, oids: list[int], leaves: dict[int, list[int]]
) -> dict[int, Relation]:
    columns: dict[int, list[Column]] = defaultdict(list)
    for row in rows_of(connection, _COLUMNS, [oids]):
        columns[row.pop("oid")].append(Column(**row))
    indexes: dict[int, list[Index]] = defaultdict(list)
    for row in rows_of(connection, _INDEXES, [oids]):
        indexes[row.pop("oid")].append(Index(**{**row, "columns": tuple(row["columns"])}))
    rows = rows_of(connection, _RELATIONS, [oids])
    above = sorted({oid for row in rows for oid in row["ancestors"]})
    names = {oid: TableName(*name) for oid, *name in connection.execute(_NAMES, [above])}

    read: dict[int, Relation] = {}
    # Leaves first, because whatever stands above them holds them.
    for row in sorted(rows, key=lambda row: row["oid"] in leaves):
        oid = row["oid"]
        read[oid] = Relation(
            name=TableName(row.pop("schema"), row.pop("table")),
            identity=ReplicaIdentity(row.pop("identity")),
            ancestors=tuple(names[oid] for oid in row.pop("ancestors") if oid in names),
            columns=tuple(columns[oid]),
            indexes=tuple(indexes[oid]),
            leaves=tuple(read[leaf] for leaf in leaves.get(oid, ()) if leaf in read),
            **row,
        )
    return dict(sorted(read.items(), key=lambda item: item[1].name))
