"""Our role: may it replicate, and may it read what it is to copy."""

from collections.abc import Iterator
from dataclasses import replace

from capture.facts import Publication, Relation, Role
from capture.preflight.observed import Observed
from capture.preflight.report import about, error, good, note, some
from capture.source import try_replication
from capture.source_errors import SourceError
from capture.statements import listed, named, statement, table
from diagnosis.findings import Finding


def may_replicate(role: Role) -> bool:
    """Tell whether the catalogs allow the role to read the log."""
    return role.superuser or role.replication or role.borrows


def check_role(role: Role) -> Finding:
    """Want the right to replicate, and no more than that."""
    subject = f"role {role.name}"
    if role.superuser:
        fact = "is a superuser; LOGIN, REPLICATION, CONNECT, USAGE and SELECT are enough"
        return note("PEN-231", subject, fact, fix="name a role with less in source.dsn")
    if may_replicate(role):
        return good(subject, "may replicate")
    if role.lender is not None:
        mend = statement(
            "GRANT {lender} TO {role}", lender=named(role.lender), role=named(role.name)
        )
    else:
        mend = statement("ALTER ROLE {role} REPLICATION", role=named(role.name))
    fact = "lacks REPLICATION, without which nobody reads the log"
    return error("PEN-230", subject, fact, fix="have a DBA allow it", sql=[mend])


def check_replication(seen: Observed) -> Finding | None:
    """Try a replication connection, which pg_hba.conf or a pooler may refuse."""
    senders = seen.server.number("max_wal_senders")
    # Both are reported by name; an attempt would only repeat them.
    if not may_replicate(seen.role) or seen.server.senders_in_use >= senders:
        return None
    try:
        try_replication(seen.source)
    except SourceError as trouble:
        return replace(trouble.finding(), subject="replication connection")
    return good("replication connection", "works")


def check_grants(seen: Observed) -> Iterator[Finding]:
    """Want USAGE on every schema and SELECT on every published column."""
    role = named(seen.role.name)
    closed = sorted({t.name.schema for t in seen.tables if not t.schema_usable})
    for schema in closed:
        grant = statement(
            "GRANT USAGE ON SCHEMA {schema} TO {role}", schema=named(schema), role=role
        )
        fact = f"role {seen.role.name} lacks USAGE on it"
        yield error("PEN-233", f"schema {schema}", fact, fix="have a DBA grant it", sql=[grant])

    unread = [(t, hidden) for t in seen.tables if (hidden := _hidden(t, seen.publication))]
    for relation, hidden in unread:
        grant = _grant(relation, seen)
        fact = f"role {seen.role.name} lacks SELECT on it"
        if len(hidden) < len(relation.columns):
            fact += f": column {some(hidden)}"
        yield error("PEN-234", about(relation), fact, fix="have a DBA grant it", sql=[grant])

    if seen.tables and not closed and not unread:
        yield good("grants", f"USAGE and SELECT on {len(seen.tables)} tables")


def _listed_columns(relation: Relation, publication: Publication | None) -> tuple[str, ...] | None:
    member = publication.member(relation) if publication else None
    return member.columns if member else None


def _hidden(relation: Relation, publication: Publication | None) -> list[str]:
    if relation.readable:
        return []
    wanted = _listed_columns(relation, publication)
    hidden = [c.name for c in relation.columns if not c.readable]
    if not relation.columns:  # a table without columns has only the table's grant
        return ["*"]
    return [name for name in hidden if wanted is None or name in wanted]


def _grant(relation: Relation, seen: Observed) -> str:
    role, on = named(seen.role.name), table(relation.name)
    columns = _listed_columns(relation, seen.publication)
    # A column list is there to keep columns back; the grant must not undo that.
    if columns is not None:
        return statement(
            "GRANT SELECT ({columns}) ON TABLE {table} TO {role}",
            columns=listed([named(name) for name in columns]),
            table=on,
            role=role,
        )
    return statement("GRANT SELECT ON TABLE {table} TO {role}", table=on, role=role)
