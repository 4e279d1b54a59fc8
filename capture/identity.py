"""What a replica identity comes to, and the statement that gives a better one.

The rules are those of Postgres itself: by them it decides whether an UPDATE or
a DELETE on a published table is carried out or refused.
"""

from typing import assert_never

from capture.facts import Index, Relation, ReplicaIdentity
from capture.statements import named, statement, table


def identity_columns(relation: Relation) -> frozenset[str] | None:
    """Give the columns that are logged of an old row; None if there is no identity."""
    match relation.identity:
        case ReplicaIdentity.FULL:
            return frozenset(column.name for column in relation.columns)
        case ReplicaIdentity.DEFAULT:
            key = usable_primary_key(relation)
            return frozenset(key.columns) if key else None
        case ReplicaIdentity.INDEX:
            chosen = (index for index in relation.indexes if index.is_identity and index.valid)
            return next((frozenset(index.columns) for index in chosen), None)
        case ReplicaIdentity.NOTHING:
            return None
        case never:
            assert_never(never)


def usable_primary_key(relation: Relation) -> Index | None:
    """Give the primary key, unless it is deferrable: then it identifies nothing."""
    key = relation.primary_key
    return key if key is not None and key.immediate else None


def usable_index(relation: Relation, within: frozenset[str] | None = None) -> Index | None:
    """Find the shortest unique index that can be an identity, of these columns if given."""
    known = {column.name: column for column in relation.columns}
    fit = [
        index
        for index in relation.indexes
        if index.valid and index.immediate and not index.partial and not index.on_expressions
        if all(known[name].not_null and not known[name].generated for name in index.columns)
        if within is None or within.issuperset(index.columns)
    ]
    return min(fit, key=lambda index: (len(index.columns), index.columns, index.name), default=None)


def has_key(relation: Relation) -> bool:
    """Tell whether something tells the rows apart, so that a copy can be kept."""
    return relation.primary_key is not None or usable_index(relation) is not None


def by_key(relation: Relation, within: frozenset[str] | None = None) -> str | None:
    """Give the statement that makes a key the identity, if there is a key for it."""
    on = table(relation.name)
    key = usable_primary_key(relation)
    if key is not None and (within is None or within.issuperset(key.columns)):
        return statement("ALTER TABLE {table} REPLICA IDENTITY DEFAULT", table=on)
    index = usable_index(relation, within)
    if index is None:
        return None
    return statement(
        "ALTER TABLE {table} REPLICA IDENTITY USING INDEX {index}",
        table=on,
        index=named(index.name),
    )


def by_whole_row(relation: Relation) -> str:
    """Give the statement that makes the whole row the identity."""
    return statement("ALTER TABLE {table} REPLICA IDENTITY FULL", table=table(relation.name))
