"""The queries that read facts about server, role, publication and slots.

All of them work for a role without any privilege, since catalogs are open to
everybody. None takes a lock on a table, except the one about the publication.
Columns that are younger than PG15 are reached through ``to_jsonb``, which gives
NULL where they do not exist.
"""

from typing import Final

import psycopg
from psycopg.rows import class_row

from capture.facts import Member, Publication, Role, Server, Setting, Slot
from capture.rows import rows_of
from schema_registry.table_name import TableName

# Roles by which managed services lend the right to replicate.
LENDERS: Final = ["rds_replication"]

SETTINGS: Final = [
    "idle_replication_slot_timeout",
    "max_connections",
    "max_replication_slots",
    "max_slot_wal_keep_size",
    "max_wal_senders",
    "reserved_connections",
    "server_encoding",
    "superuser_reserved_connections",
    "wal_level",
]

_SETTINGS: Final = """
    SELECT name, setting AS value, unit, source AS origin, pending_restart AS awaits_restart
    FROM pg_settings WHERE name = ANY (%s)
"""

_SERVER: Final = """
    SELECT current_setting('server_version_num')::int AS version,
           current_setting('server_version') AS version_text,
           pg_is_in_recovery() AS in_recovery,
           current_database()::text AS database,
           (SELECT count(*) FROM pg_stat_replication) AS senders_in_use
"""

_ROLE: Final = """
    SELECT r.rolname::text AS name, r.rolsuper AS superuser, r.rolreplication AS replication,
           lender.rolname::text AS lender,
           coalesce(pg_has_role(lender.oid, 'MEMBER'), false) AS borrows,
           has_database_privilege(current_database(), 'CREATE') AS may_create_publications
    FROM pg_roles AS r
    LEFT JOIN pg_roles AS lender ON lender.rolname = ANY (%s)
    WHERE r.rolname = session_user
    LIMIT 1
"""

_PUBLICATION: Final = """
    SELECT p.oid::bigint, p.pubname::text AS name, p.puballtables AS all_tables,
           p.pubinsert AS insert, p.pubupdate AS update, p.pubdelete AS delete,
           p.pubtruncate AS truncate, p.pubviaroot AS via_root,
           coalesce(to_jsonb(p) ->> 'pubgencols', 'n') = 's' AS stored_generated,
           ARRAY(SELECT n.nspname::text
                 FROM pg_publication_namespace AS pn JOIN pg_namespace AS n ON n.oid = pn.pnnspid
                 WHERE pn.pnpubid = p.oid) AS schemas
    FROM pg_publication AS p WHERE p.pubname = %s::name
"""

# The columns of a row filter are known from what the entry depends on.
_MEMBERS: Final = """
    SELECT n.nspname::text AS schema, c.relname::text AS table,
           CASE WHEN m.prattrs IS NOT NULL THEN
               ARRAY(SELECT a.attname::text
                     FROM unnest(m.prattrs::int2[]) AS listed
                     JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = listed
                     ORDER BY a.attnum) END AS columns,
           pg_get_expr(m.prqual, m.prrelid) AS row_filter,
           CASE WHEN m.prqual IS NOT NULL THEN
               ARRAY(SELECT DISTINCT a.attname::text
                     FROM pg_depend AS d
                     JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = d.refobjsubid
                     WHERE d.classid = 'pg_publication_rel'::regclass AND d.objid = m.oid
                       AND d.refclassid = 'pg_class'::regclass AND d.refobjid = c.oid
                       AND d.refobjsubid > 0) END AS filter_columns
    FROM pg_publication_rel AS m
    JOIN pg_class AS c ON c.oid = m.prrelid
    JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE m.prpubid = %s::oid
"""

_PUBLISHED: Final = """
    SELECT schemaname::text, tablename::text FROM pg_publication_tables WHERE pubname = %s::name
"""

_SLOTS: Final = """
    SELECT s.slot_name::text AS name, s.slot_type = 'logical' AS logical, s.plugin::text,
           s.database::text, s.temporary, s.active, s.active_pid AS pid,
           a.application_name, coalesce(a.usename = session_user, false) AS same_role,
           s.wal_status, to_jsonb(s) ->> 'invalidation_reason' AS invalidation,
           pg_wal_lsn_diff(log.reached, s.restart_lsn)::bigint AS retained
    FROM pg_replication_slots AS s
    LEFT JOIN pg_stat_activity AS a ON a.pid = s.active_pid
    CROSS JOIN (SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()
                            ELSE pg_current_wal_lsn() END AS reached) AS log
    ORDER BY s.slot_name
"""


def read_server(connection: psycopg.Connection) -> Server:
    """Read the version, the state and the settings that matter to us."""
    with connection.cursor(row_factory=class_row(Setting)) as cursor:
        settings = {row.name: row for row in cursor.execute(_SETTINGS, [SETTINGS])}
    (row,) = rows_of(connection, _SERVER)
    return Server(**row, settings=settings)


def read_role(connection: psycopg.Connection) -> Role:
    """Read who we are on the server."""
    (row,) = rows_of(connection, _ROLE, [LENDERS])
    return Role(**row)


def read_publication(connection: psycopg.Connection, name: str) -> Publication | None:
    """Read a publication with its tables, or None if there is none of this name."""
    rows = rows_of(connection, _PUBLICATION, [name])
    if not rows:
        return None
    (row,) = rows
    members = {
        TableName(entry["schema"], entry["table"]): Member(
            tuple(entry["columns"]) if entry["columns"] is not None else None,
            entry["row_filter"],
            tuple(entry["filter_columns"] or ()),
        )
        for entry in rows_of(connection, _MEMBERS, [row["oid"]])
    }
    published = connection.execute(_PUBLISHED, [name])
    operations = ("insert", "update", "delete", "truncate")
    return Publication(
        name=row["name"],
        all_tables=row["all_tables"],
        operations=frozenset(operation for operation in operations if row[operation]),
        via_root=row["via_root"],
        stored_generated=row["stored_generated"],
        members=members,
        schemas=frozenset(row["schemas"]),
        published=frozenset(TableName(*entry) for entry in published),
    )


def read_slots(connection: psycopg.Connection) -> list[Slot]:
    """Read all replication slots of the server."""
    with connection.cursor(row_factory=class_row(Slot)) as cursor:
        return cursor.execute(_SLOTS).fetchall()
