"""Can Postgres log which row was changed?

A published table without a replica identity is worse than one that is not
copied: Postgres then refuses the application's own UPDATE and DELETE on it.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Final, assert_never

from capture.facts import Relation, ReplicaIdentity
from capture.identity import by_key, by_whole_row, has_key, identity_columns
from capture.preflight.observed import Observed
from capture.preflight.report import about, error, good, note, some, warning
from capture.publication import GENERATED_SINCE, publish_generated
from diagnosis.findings import Finding

_FACTS: Final = {
    "PEN-260": "has neither a primary key nor another replica identity",
    "PEN-261": "has REPLICA IDENTITY NOTHING",
    "PEN-262": "has lost the index that was its replica identity",
    "PEN-265": "has a deferrable primary key, which cannot be a replica identity",
}


def check_identities(seen: Observed) -> Iterator[Finding]:
    """Look at every table and, where its rows lie in partitions, at each of those."""
    sound = 0
    for relation in seen.tables:
        without: dict[str, list[Relation]] = defaultdict(list)
        for part in relation.logged:
            if code := _lack(part):
                without[code].append(part)
        for code, parts in without.items():
            yield _refused(code, relation, parts, seen)
        if not without:
            sound += 1
            yield from _whole_row(relation)
    if sound:
        yield good("replica identity", f"{sound} of {len(seen.tables)} tables have one")


def whole_row(relation: Relation, seen: Observed) -> tuple[str, ...]:
    """Give the statements that make the whole row the identity, if Postgres allows it.

    With it Postgres takes no column list, in no publication of the table, and
    from PG18 on no generated column that is not published: the application's
    updates would be refused.
    """
    publication = seen.publication
    if any(part.narrowed for part in relation.logged):
        return ()
    before: tuple[str, ...] = ()
    if seen.server.major >= GENERATED_SINCE:
        if relation.generated("v"):
            return ()
        if relation.generated("s") and publication and not publication.stored_generated:
            before = (publish_generated(publication.name),)
    return (*before, *(by_whole_row(part) for part in relation.logged))


def _lack(relation: Relation) -> str | None:
    if identity_columns(relation) is not None:
        return None
    match relation.identity:
        case ReplicaIdentity.DEFAULT:
            return "PEN-260" if relation.primary_key is None else "PEN-265"
        case ReplicaIdentity.NOTHING:
            return "PEN-261"
        case ReplicaIdentity.INDEX:
            return "PEN-262"
        case ReplicaIdentity.FULL:
            raise AssertionError("the whole row is always an identity")
        case never:
            assert_never(never)


def _refused(code: str, relation: Relation, parts: list[Relation], seen: Observed) -> Finding:
    publication = seen.publication
    published = (
        publication is not None
        and publication.names(relation)
        and bool(publication.operations & {"update", "delete"})
    )
    leaves = [part.name for part in parts if part is not relation]
    where = f"partition {some(leaves)} " if leaves else ""
    if relation.leaves and not leaves:
        danger = "its partitions have one, but the log describes their rows by the root"
    elif published:
        danger = "Postgres refuses the application's UPDATE and DELETE on it now"
    else:
        danger = "once it is published, Postgres refuses the application's UPDATE and DELETE on it"
    sql = _mend(relation, parts, seen)
    fix = "have a DBA set another; best is a primary key" if sql else "add a primary key"
    if leaves:
        fix += "; each new partition needs the same"
    return error(code, about(relation), f"{where}{_FACTS[code]}: {danger}", fix=fix, sql=sql)


def _mend(relation: Relation, parts: list[Relation], seen: Observed) -> tuple[str, ...]:
    keyed = [by_key(part) for part in parts]
    # The root describes what the leaves log: one kind of identity for all of them.
    if None in keyed:
        return whole_row(relation, seen)
    return tuple(mend for mend in keyed if mend is not None)


def _whole_row(relation: Relation) -> Iterator[Finding]:
    if not any(part.identity is ReplicaIdentity.FULL for part in relation.logged):
        return
    if has_key(relation):
        fact = "has REPLICA IDENTITY FULL: each UPDATE and DELETE logs the whole old row"
        yield note("PEN-263", about(relation), fact)
    else:
        fact = "has no key: a changelog can be kept of it, but no mirror"
        fix = "add a primary key, or take it out of the stores that mirror"
        yield warning("PEN-264", about(relation), fact, fix=fix)
