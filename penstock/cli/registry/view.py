"""A schema as a person reads it: its fields, and the row inside an envelope."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from rich.table import Table
from rich.text import Text

from penstock.cli.output import plain
from schema_registry.avro.envelope import EXACT_NAME
from schema_registry.avro.model import (
    Absent,
    Array,
    Enumeration,
    Field,
    Map,
    Primitive,
    Props,
    Record,
    Schema,
    Type,
    Union,
    simple_name,
)
from schema_registry.avro.wording import default, short_type

# Deeper records are only named; nobody follows a tree any further.
DEEPEST: Final = 8
_MOST_SYMBOLS: Final = 8
_LONGEST_NOTE: Final = 120


@dataclass(frozen=True, slots=True)
class Row:
    """A field: how deep it lies, its name, its type, its default, and what else is known."""

    depth: int
    name: str
    type: str
    default: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """Fields under a title."""

    title: str
    rows: tuple[Row, ...]


def sections(schema: Schema) -> list[Section]:
    """Show a schema; of an envelope the row first, and what is around it in brief."""
    root = schema.resolve(schema.root)
    if not isinstance(root, Record):
        return [Section("", (Row(0, "", short_type(root, schema), note=_note(root, schema)),))]
    row = _row_of(root, schema)
    if row is None:
        return [Section(f"record {root.name}", tuple(_rows(schema, root, 0, {root.name})))]
    seen = {root.name, row.name}
    around = tuple(_row(field, schema, 0) for field in root.fields)
    return [
        Section(f"the row, {row.name}", tuple(_rows(schema, row, 0, seen))),
        Section(f"around it, {root.name}", around),
    ]


def as_table(section: Section) -> Table:
    """Give the fields as a table without lines."""
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 3, 0, 0))
    for _ in range(4):
        table.add_column(overflow="fold")
    for row in section.rows:
        table.add_row(
            Text("  " * (row.depth + 1) + plain(row.name)),
            Text(plain(row.type), "cyan"),
            Text(f"default {plain(row.default)}" if row.default else "", "dim"),
            Text(plain(row.note), "dim"),
        )
    return table


def _row_of(envelope: Record, schema: Schema) -> Record | None:
    """Find the row that an envelope of ours or of Debezium's carries."""
    if simple_name(envelope.name) != "Envelope":
        return None
    for field in envelope.fields:
        if field.name == "before":
            return next(iter(_records(field.type, schema)), None)
    return None


def _rows(schema: Schema, record: Record, depth: int, seen: set[str]) -> Iterator[Row]:
    for field in record.fields:
        yield _row(field, schema, depth)
        for inner in _records(field.type, schema):
            # Each record once: what it holds is the same everywhere.
            if inner.name not in seen and depth < DEEPEST:
                seen.add(inner.name)
                yield from _rows(schema, inner, depth + 1, seen)


def _row(field: Field, schema: Schema, depth: int) -> Row:
    value = "" if field.default is Absent.NO_DEFAULT else default(field.default)
    exact = _prop(field.props, EXACT_NAME)
    notes = [f"column {exact}" if exact else "", _note(field.type, schema), field.doc or ""]
    note = "; ".join(note for note in notes if note)[:_LONGEST_NOTE]
    return Row(depth, field.name, short_type(field.type, schema), value, note)


def _note(type_: Type, schema: Schema) -> str:
    """Tell what a type means beyond its name: Debezium's name for it, an enum's symbols."""
    for inner in _inner(type_, schema):
        if isinstance(inner, Enumeration):
            symbols = ", ".join(inner.symbols[:_MOST_SYMBOLS])
            return symbols + (" …" if len(inner.symbols) > _MOST_SYMBOLS else "")
        if isinstance(inner, Primitive) and (name := _prop(inner.props, "connect.name")):
            return simple_name(name)
    return ""


def _records(type_: Type, schema: Schema) -> list[Record]:
    return [inner for inner in _inner(type_, schema) if isinstance(inner, Record)]


def _inner(type_: Type, schema: Schema) -> Iterator[Type]:
    """Walk through what a type is made of, down to records and other leaves."""
    left = [type_]
    while left:
        inner = schema.resolve(left.pop())
        match inner:
            case Union():
                left.extend(reversed(inner.branches))
            case Array():
                left.append(inner.items)
            case Map():
                left.append(inner.values)
            case leaf:
                yield leaf


def _prop(props: Props, wanted: str) -> str | None:
    for name, value in props:
        if name == wanted:
            found = value.value()
            return found if isinstance(found, str) else None
    return None
