"""What has changed between two schemas of a table, as people read it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias, assert_never

from schema_registry.avro.columns import misread
from schema_registry.avro.encoding import Modes, encoding_of
from schema_registry.column_type import ColumnType
from schema_registry.table_name import TableName
from schema_registry.table_schema import Column, Generated, ReplicaIdentity, TableSchema
from schema_registry.widths import Meaning, meaning


@dataclass(frozen=True, slots=True)
class Recreated:
    """The table was dropped, and another one has its name now."""

    table: TableName


@dataclass(frozen=True, slots=True)
class TableRenamed:
    """The table has another name, or is in another schema."""

    before: TableName
    after: TableName


@dataclass(frozen=True, slots=True)
class Dropped:
    """A column is gone, with its values."""

    column: Column


@dataclass(frozen=True, slots=True)
class Added:
    """A column is new."""

    column: Column


@dataclass(frozen=True, slots=True)
class Renamed:
    """A column has another name; its number proves that it is the same one."""

    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Retyped:
    """A column has another type.

    ``misread`` says that a reader of the new type takes the old values, and takes
    them for others: milliseconds for microseconds, say. No check of compatibility
    sees that.
    """

    column: str
    before: ColumnType
    after: ColumnType
    meaning: Meaning
    misread: bool


@dataclass(frozen=True, slots=True)
class MadeNullable:
    """A column may be null now."""

    column: str


@dataclass(frozen=True, slots=True)
class MadeRequired:
    """A column may no longer be null."""

    column: str


@dataclass(frozen=True, slots=True)
class GenerationChanged:
    """Postgres computes a column now, or does so no longer, or in another way."""

    column: str
    before: Generated
    after: Generated


@dataclass(frozen=True, slots=True)
class Reordered:
    """The columns stand in another order."""

    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KeyChanged:
    """Other columns make the key, or the same ones in another order."""

    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class IdentityChanged:
    """Postgres logs more or less of the old row."""

    before: ReplicaIdentity
    after: ReplicaIdentity


Change: TypeAlias = (
    Recreated
    | TableRenamed
    | Dropped
    | Added
    | Renamed
    | Retyped
    | MadeNullable
    | MadeRequired
    | GenerationChanged
    | Reordered
    | KeyChanged
    | IdentityChanged
)
_Pair: TypeAlias = tuple[Column, Column]


def changes(old: TableSchema, new: TableSchema, modes: Modes | None = None) -> tuple[Change, ...]:
    """Give all that differs: the table first, then its columns in their order, then the key.

    The modes decide how values are written, and so what can be misread.
    """
    return tuple(_changes(old, new, modes or Modes()))


def _changes(old: TableSchema, new: TableSchema, modes: Modes) -> Iterator[Change]:
    recreated = None not in (old.oid, new.oid) and old.oid != new.oid
    if recreated:
        yield Recreated(new.name)
    if old.name != new.name:
        yield TableRenamed(old.name, new.name)
    pairs = _pairs(old, new, by_number=not recreated)
    stayed, came_from = {pair[0].name for pair in pairs}, {pair[1].name: pair for pair in pairs}
    for column in old.columns:
        if column.name not in stayed:
            yield Dropped(column)
    for column in new.columns:
        if column.name in came_from:
            yield from _column_changes(*came_from[column.name], modes)
        else:
            yield Added(column)
    yield from _order(old, new, pairs)
    names = {before.name: after.name for before, after in pairs}
    if tuple(names.get(name, name) for name in old.key) != new.key or not stayed.issuperset(
        old.key
    ):
        yield KeyChanged(old.key, new.key)
    if old.identity is not new.identity:
        yield IdentityChanged(old.identity, new.identity)


def _pairs(old: TableSchema, new: TableSchema, *, by_number: bool) -> list[_Pair]:
    """Find the columns that are the same one, by number as far as numbers are known.

    Numbers belong to a table. In another one, or without them, only names are left.
    """
    numbered = {c.number: c for c in new.columns if by_number and c.number is not None}
    pairs = [(c, numbered[c.number]) for c in old.columns if c.number in numbered]
    paired, taken = {before.name for before, _ in pairs}, {after.name for _, after in pairs}
    named = {column.name: column for column in new.columns if column.name not in taken}
    for column in old.columns:
        other = named.get(column.name)
        if column.name in paired or other is None:
            continue
        # Both numbered, and not paired: dropped and added again under its old name.
        if not by_number or column.number is None or other.number is None:
            pairs.append((column, other))
    return pairs


def _column_changes(before: Column, after: Column, modes: Modes) -> Iterator[Change]:
    if before.name != after.name:
        yield Renamed(before.name, after.name)
    if before.type != after.type:
        mistaken = misread(encoding_of(before.type, modes), encoding_of(after.type, modes))
        value = meaning(before.type, after.type)
        yield Retyped(after.name, before.type, after.type, value, mistaken)
    if before.nullable != after.nullable:
        yield MadeNullable(after.name) if after.nullable else MadeRequired(after.name)
    if before.generated is not after.generated:
        yield GenerationChanged(after.name, before.generated, after.generated)


def _order(old: TableSchema, new: TableSchema, pairs: list[_Pair]) -> Iterator[Change]:
    names = {before.name: after.name for before, after in pairs}
    were = [names[column.name] for column in old.columns if column.name in names]
    stayed = set(were)
    are = [column.name for column in new.columns if column.name in stayed]
    if were != are:
        yield Reordered(tuple(are))


_GENERATED: Final = {
    Generated.NEVER: "an ordinary column",
    Generated.STORED: "a stored generated column",
    Generated.VIRTUAL: "a virtual generated column",
}


def describe(change: Change) -> str:
    """Say a change as a sentence."""
    match change:
        case Recreated(table):
            return f"table {table} was dropped and made again"
        case TableRenamed(before, after):
            return f"table {before} is called {after} now"
        case Dropped(column):
            return f"column {column.name}: dropped; it was {_shown(column)}"
        case Added(column):
            return f"column {column.name}: added as {_shown(column)}"
        case Renamed(old, new):
            return f"column {old} is called {new} now"
        case Retyped():
            return _retyped(change)
        case MadeNullable(name):
            return f"column {name}: may be null now"
        case MadeRequired(name):
            return f"column {name}: may no longer be null"
        case GenerationChanged(name, was, is_now):
            return f"column {name}: was {_GENERATED[was]} and is {_GENERATED[is_now]} now"
        case Reordered(names):
            return f"the columns stand in another order: {_listed(names)}"
        case KeyChanged(were, are) if were == are:
            return f"the key is {_listed(are)} as before, but of columns that are new"
        case KeyChanged(were, are):
            return f"the key was {_listed(were)} and is {_listed(are)} now"
        case IdentityChanged(identity, other):
            return f"the replica identity was {identity.name} and is {other.name} now"
        case unknown:
            assert_never(unknown)


def _retyped(change: Retyped) -> str:
    text = f"column {change.column}: {change.before} became {change.after}, {change.meaning.value}"
    if change.misread:
        text += "; a reader of the new type would misread the old values"
    return text


def _shown(column: Column) -> str:
    return f"{column.type}{'' if column.nullable else ' NOT NULL'}"


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(names) or "none"
