"""Is all published that is asked for?"""

from collections.abc import Iterator

from capture import publication as statements
from capture.facts import Publication, Relation
from capture.preflight.observed import Observed
from capture.preflight.report import about, error, good, note, some
from capture.publication import OPERATIONS
from diagnosis.findings import Finding


def check_publication(seen: Observed) -> Iterator[Finding]:
    """Look for tables, operations, rows and columns that would not arrive."""
    publication = seen.publication
    if publication is None:
        yield _absent(seen)
        return
    trouble = [
        *_tables(publication, seen),
        *_operations(publication),
        *_partitions(publication, seen),
    ]
    yield from trouble
    yield from _narrowed(publication, seen)
    yield from _others(publication, seen)
    if not trouble:
        yield good(_about(publication), f"publishes all changes of {len(seen.tables)} tables")


def _about(publication: Publication) -> str:
    return f"publication {publication.name}"


def _absent(seen: Observed) -> Finding:
    name, tables = seen.source.publication, seen.tables
    subject = f"publication {name}"
    if not tables:
        fix = "mend source.tables first"
        return error("PEN-250", subject, "does not exist, and no table is there for it", fix=fix)
    foreign = [t.name for t in tables if not t.owned]
    if seen.role.superuser or (seen.role.may_create_publications and not foreign):
        return note("PEN-251", subject, "does not exist yet; the first run creates it")
    lacks = (
        f"does not own {some(foreign)}"
        if foreign
        else f"lacks CREATE on database {seen.server.database}"
    )
    return error(
        "PEN-250",
        subject,
        f"does not exist, and role {seen.role.name} cannot create it: it {lacks}",
        fix="have a DBA create it",
        sql=[statements.create(name, tables, seen.server.major)],
    )


def _tables(publication: Publication, seen: Observed) -> Iterator[Finding]:
    lacking = [t for t in seen.tables if not publication.names(t)]
    if lacking:
        yield error(
            "PEN-252",
            _about(publication),
            f"lacks {some(t.name for t in lacking)}: their changes would not arrive",
            fix="have a DBA add them",
            sql=[statements.add_tables(publication.name, lacking)],
        )


def _operations(publication: Publication) -> Iterator[Finding]:
    lacking = [word for word in OPERATIONS if word not in publication.operations]
    if lacking:
        yield error(
            "PEN-253",
            _about(publication),
            f"does not publish {some(lacking)}: copies would drift from the source",
            fix="have a DBA publish every operation",
            sql=[statements.publish_all_operations(publication.name)],
        )


def _partitions(publication: Publication, seen: Observed) -> Iterator[Finding]:
    roots = [t.name for t in seen.tables if t.partitioned]
    if roots and not publication.via_root:
        yield error(
            "PEN-254",
            _about(publication),
            f"publishes the partitions of {some(roots)} under their own names",
            fix="have a DBA publish them under the root's",
            sql=[statements.publish_via_root(publication.name)],
        )
    for relation in seen.tables:
        above = _published_above(relation, publication)
        if publication.via_root and above:
            fact = f"is a partition, and its changes are published as those of {above[-1]}"
            fix = f"list {above[-1]} in source.tables instead"
            yield error("PEN-246", about(relation), fact, fix=fix)


def _published_above(relation: Relation, publication: Publication) -> list[object]:
    return [
        name
        for name in relation.ancestors
        if publication.all_tables
        or name in publication.members
        or name.schema in publication.schemas
    ]


def _narrowed(publication: Publication, seen: Observed) -> Iterator[Finding]:
    for relation in seen.tables:
        member = publication.member(relation)
        if member is None:
            continue
        if member.columns is not None:
            names = [column.name for column in relation.columns]
            left_out = [name for name in names if name not in member.columns]
            if left_out:
                fact = f"the publication leaves out {some(left_out)}"
                yield note("PEN-256", about(relation), fact, fix="nothing to do if it is meant")
        if member.row_filter is not None:
            fact = f"the publication leaves out rows: WHERE {member.row_filter}"
            yield note("PEN-257", about(relation), fact, fix="nothing to do if it is meant")


def _others(publication: Publication, seen: Observed) -> Iterator[Finding]:
    if publication.all_tables:
        return  # a choice, not an accident
    ours = {
        name
        for relation in seen.tables
        for name in (relation.name, *relation.ancestors, *(leaf.name for leaf in relation.leaves))
    }
    others = sorted(publication.published - ours)
    if others:
        fact = f"has more tables than the connector: {some(others)}; Postgres sends them in vain"
        fix = "take them out of the publication, unless somebody else reads it"
        yield note("PEN-258", _about(publication), fact, fix=fix)
