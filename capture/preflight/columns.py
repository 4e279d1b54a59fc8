"""Values that the log leaves out: large ones that did not change, generated ones."""

from collections.abc import Iterator

from capture.facts import Publication, Relation, ReplicaIdentity
from capture.identity import identity_columns
from capture.preflight.identity import whole_row
from capture.preflight.observed import Observed
from capture.preflight.report import about, note, some
from capture.publication import GENERATED_SINCE, publish_generated
from diagnosis.findings import Finding


def check_large_values(seen: Observed) -> Iterator[Finding]:
    """Name the columns whose unchanged values Postgres may not send again."""
    for relation in seen.tables:
        columns = _unsent(relation, seen.publication)
        if not columns:
            continue
        sql = whole_row(relation, seen)
        fix = "nothing for stores, which keep the old value; for other readers of the topic, "
        fix += "REPLICA IDENTITY FULL"
        if not sql:
            fix += ", which a column list and virtual columns do not allow"
        yield note(
            "PEN-266",
            about(relation),
            f"an update that does not touch {some(columns)} lacks it if the value is large (TOAST)",
            fix=fix,
            sql=sql,
        )


def check_generated(seen: Observed) -> Iterator[Finding]:
    """Name the generated columns that are not in the stream."""
    for relation in seen.tables:
        if virtual := relation.generated("v"):
            fact = f"virtual column {some(virtual)} is not in the log, and so not in the copy"
            yield note("PEN-259", about(relation), fact)
        stored = _unpublished(relation, seen)
        if not stored:
            continue
        fact = f"generated column {some(stored)} is not published"
        if seen.server.major < GENERATED_SINCE:
            fix = f"only PostgreSQL {GENERATED_SINCE} and newer can publish it"
            yield note("PEN-259", about(relation), fact, fix=fix)
        else:
            sql = [publish_generated(seen.source.publication)]
            yield note("PEN-259", about(relation), fact, fix="have it published", sql=sql)


def _unsent(relation: Relation, publication: Publication | None) -> list[str]:
    parts = [part for part in relation.logged if part.identity is not ReplicaIdentity.FULL]
    if not parts or not any(part.has_toast for part in relation.logged):
        return []
    if any(identity_columns(part) is None for part in parts):
        return []  # it gets another identity first
    member = publication.member(relation) if publication else None
    sent = member.columns if member else None
    logged = identity_columns(relation) or frozenset()
    return [
        column.name
        for column in relation.columns
        if column.toastable and not column.generated
        if column.name not in logged and (sent is None or column.name in sent)
    ]


def _unpublished(relation: Relation, seen: Observed) -> tuple[str, ...]:
    stored, publication = relation.generated("s"), seen.publication
    if seen.server.major < GENERATED_SINCE:
        return stored
    # A publication that is still to be made will publish them.
    if publication is None or publication.stored_generated or not publication.names(relation):
        return ()
    member = publication.member(relation)
    # What a column list leaves out is reported as such.
    return () if member is not None and member.columns is not None else stored
