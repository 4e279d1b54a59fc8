"""Do publication and replica identities go together?

Where they do not, Postgres refuses the application's UPDATE and DELETE on the
table, with a message that the application's people have never seen.
"""

from collections.abc import Iterator

from capture.facts import Member, Publication, Relation, ReplicaIdentity
from capture.identity import by_key, identity_columns
from capture.preflight.identity import whole_row
from capture.preflight.observed import Observed
from capture.preflight.report import about, error, some
from capture.publication import GENERATED_SINCE, publish_generated, widen_columns
from diagnosis.findings import Finding

_REFUSED = "Postgres refuses the application's UPDATE and DELETE on it"


def check_fit(seen: Observed) -> Iterator[Finding]:
    """Compare what is logged of an old row with what is published."""
    for relation in seen.tables:
        member = seen.publication.member(relation) if seen.publication else None
        yield from _generated(relation, member, seen)
        if member is not None and seen.publication is not None:
            yield from _column_list(relation, member, seen.publication)
            yield from _row_filter(relation, member, seen)


def _whole(relation: Relation) -> bool:
    return any(part.identity is ReplicaIdentity.FULL for part in relation.logged)


def _identity(relation: Relation) -> set[str]:
    return {name for part in relation.logged for name in identity_columns(part) or ()}


def _column_list(relation: Relation, member: Member, publication: Publication) -> Iterator[Finding]:
    if member.columns is None:
        return
    if _whole(relation):
        fact = f"has a column list and REPLICA IDENTITY FULL, which exclude each other: {_REFUSED}"
        sql = _back_to_key(relation, frozenset(member.columns))
        fix = "have a DBA set another identity" if sql else "take the column list away"
        yield error("PEN-255", about(relation), fact, fix=fix, sql=sql)
    elif lacking := sorted(_identity(relation).difference(member.columns)):
        fact = f"the column list leaves out {some(lacking)} of the replica identity: {_REFUSED}"
        wanted = {*member.columns, *lacking}
        columns = [column.name for column in relation.columns if column.name in wanted]
        sql = widen_columns(publication.name, relation, member, columns)
        fix = "have a DBA add it to the list; run the statements as one transaction"
        yield error("PEN-255", about(relation), fact, fix=fix, sql=sql)


def _row_filter(relation: Relation, member: Member, seen: Observed) -> Iterator[Finding]:
    if _whole(relation) or not member.filter_columns:
        return
    if foreign := sorted(set(member.filter_columns) - _identity(relation)):
        fact = f"the row filter looks at {some(foreign)}, not in the replica identity: {_REFUSED}"
        sql = whole_row(relation, seen)
        fix = "have a DBA set the identity" if sql else "change the row filter"
        yield error("PEN-255", about(relation), fact, fix=fix, sql=sql)


def _generated(relation: Relation, member: Member | None, seen: Observed) -> Iterator[Finding]:
    if member is not None and member.columns is not None:
        return  # the list says what is published, and is looked at as such
    identity = _identity(relation)
    virtual = [name for name in relation.generated("v") if name in identity]
    stored = [name for name in relation.generated("s") if name in identity]
    if virtual:
        fact = f"the replica identity holds virtual column {some(virtual)}: {_REFUSED}"
        sql = _back_to_key(relation)
        fix = "have a DBA set another identity" if sql else "add a primary key"
        yield error("PEN-255", about(relation), fact, fix=fix, sql=sql)
    elif stored and seen.server.major < GENERATED_SINCE:
        if not _whole(relation):  # then only the value is missing, not the key
            fact = f"its key holds generated column {some(stored)}, which is not published"
            fix = "choose another unique index as replica identity"
            yield error("PEN-255", about(relation), fact, fix=fix)
    elif stored and seen.publication is not None and not seen.publication.stored_generated:
        fact = f"the replica identity holds {some(stored)}, generated and unpublished: {_REFUSED}"
        sql = (publish_generated(seen.publication.name),)
        yield error("PEN-255", about(relation), fact, fix="have it published", sql=sql)


def _back_to_key(relation: Relation, within: frozenset[str] | None = None) -> tuple[str, ...]:
    keyed = [by_key(part, within) for part in relation.logged]
    return tuple(mend for mend in keyed if mend is not None) if None not in keyed else ()
