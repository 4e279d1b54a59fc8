"""What changed, where no server is needed to know it; the rest is told by Postgres itself."""

from dataclasses import replace

import pytest
from hypothesis import given

from schema_registry.avro.encoding import DecimalMode, Modes, TimeMode
from schema_registry.changes import (
    Added,
    Dropped,
    KeyChanged,
    Recreated,
    Renamed,
    Reordered,
    Retyped,
    changes,
    describe,
)
from schema_registry.column_type import (
    ColumnType,
    TypeKind,
    TypeName,
    array_of,
    builtin,
    numeric,
    varchar,
)
from schema_registry.table_name import TableName
from schema_registry.table_schema import Column, TableSchema
from schema_registry.widths import Meaning
from tests.schema_registry.test_table_schema import tables


def enum(*labels: str, name: str = "mood") -> ColumnType:
    return ColumnType(TypeName("public", name), TypeKind.ENUM, labels=labels)


def domain(base: ColumnType) -> ColumnType:
    return ColumnType(TypeName("public", "d"), TypeKind.DOMAIN, base=base)


def table(*columns: Column, oid: int | None = 1, key: tuple[str, ...] = ()) -> TableSchema:
    return TableSchema(TableName("public", "t"), columns, key, oid=oid)


def bare(table: TableSchema) -> TableSchema:
    """Leave out what may be unknown, and then says nothing."""
    columns = tuple(replace(column, number=None) for column in table.columns)
    return replace(table, oid=None, columns=columns)


def retyped(before: ColumnType, after: ColumnType, modes: Modes | None = None) -> Retyped:
    (found,) = changes(table(Column("c", before)), table(Column("c", after)), modes)
    assert isinstance(found, Retyped)
    return found


INT, BIG, TEXT, DOUBLE = builtin("int4"), builtin("int8"), builtin("text"), builtin("float8")
SPAN = 0x7FFF << 16
SAME, WIDER, NARROWER, OTHER = Meaning.SAME, Meaning.WIDENED, Meaning.NARROWED, Meaning.OTHER


@pytest.mark.parametrize(
    ("before", "after", "there", "back"),
    [
        (builtin("int2"), INT, WIDER, NARROWER),
        (INT, BIG, WIDER, NARROWER),
        (builtin("float4"), DOUBLE, WIDER, NARROWER),
        (INT, DOUBLE, OTHER, OTHER),
        (INT, TEXT, OTHER, OTHER),
        (INT, numeric(20, 0), OTHER, OTHER),
        (varchar(10), varchar(20), WIDER, NARROWER),
        (varchar(10), TEXT, WIDER, NARROWER),
        (builtin("varchar"), TEXT, SAME, SAME),
        (builtin("bpchar", 9), builtin("bpchar", 10), WIDER, NARROWER),
        (builtin("bpchar", 9), TEXT, OTHER, OTHER),
        (numeric(10, 2), numeric(12, 2), WIDER, NARROWER),
        (numeric(10, 2), numeric(12, 4), WIDER, NARROWER),
        (numeric(10, 2), numeric(10, 4), OTHER, OTHER),
        (numeric(10, 2), builtin("numeric"), WIDER, NARROWER),
        (numeric(2, -3), numeric(5, 0), WIDER, NARROWER),
        (builtin("timestamp", 3), builtin("timestamp", 6), WIDER, NARROWER),
        (builtin("timestamp"), builtin("timestamp", 6), SAME, SAME),
        (builtin("time", 0), builtin("time", 3), WIDER, NARROWER),
        (builtin("date"), builtin("timestamp"), OTHER, OTHER),
        (builtin("interval", SPAN | 3), builtin("interval"), WIDER, NARROWER),
        (builtin("interval", 4 << 16 | 0xFFFF), builtin("interval"), WIDER, NARROWER),
        (
            builtin("interval", 4 << 16 | 0xFFFF),
            builtin("interval", 2 << 16 | 0xFFFF),
            OTHER,
            OTHER,
        ),
        (builtin("bit", 3), builtin("bit", 4), OTHER, OTHER),
        (builtin("bit", 3), builtin("varbit", 4), WIDER, NARROWER),
        (array_of(INT), array_of(BIG), WIDER, NARROWER),
        (array_of(INT), array_of(INT, 2), OTHER, OTHER),
        (INT, array_of(INT), OTHER, OTHER),
        (INT, domain(INT), SAME, SAME),
        (domain(INT), domain(BIG), WIDER, NARROWER),
        (enum("a"), enum("a", "b"), Meaning.LABELS_ADDED, Meaning.LABELS_REMOVED),
        (enum("a"), enum("b"), Meaning.LABELS_REMOVED, Meaning.LABELS_REMOVED),
        (enum("a", "b"), enum("b", "a"), *[Meaning.LABELS_REORDERED] * 2),
        (enum("a"), enum("a", name="n"), SAME, SAME),
        (
            array_of(enum("a")),
            array_of(enum("a", "b")),
            *[Meaning.LABELS_ADDED, Meaning.LABELS_REMOVED],
        ),
        (enum("a"), array_of(enum("a")), OTHER, OTHER),
        (enum("a"), TEXT, OTHER, OTHER),
        (
            ColumnType(TypeName("public", "vector"), modifier=3),
            ColumnType(TypeName("public", "vector")),
            WIDER,
            NARROWER,
        ),
        (
            ColumnType(TypeName("public", "vector"), modifier=3),
            ColumnType(TypeName("public", "vector"), modifier=4),
            OTHER,
            OTHER,
        ),
    ],
)
def test_a_new_type_is_wider_or_narrower_or_another(
    before: ColumnType, after: ColumnType, there: Meaning, back: Meaning
) -> None:
    assert (retyped(before, after).meaning, retyped(after, before).meaning) == (there, back)


@pytest.mark.parametrize(
    ("before", "after", "misread"),
    [
        (builtin("timestamp", 3), builtin("timestamp", 6), True),
        (builtin("timestamp", 3), builtin("timestamp", 2), False),
        (builtin("time", 3), builtin("time"), True),
        (builtin("date"), builtin("timestamp"), True),
        (INT, builtin("date"), True),
        (BIG, builtin("timestamp"), True),
        (builtin("interval"), BIG, True),
        (numeric(10, 2), numeric(10, 4), True),
        (numeric(10, 2), numeric(12, 2), False),
        (numeric(10, 2), builtin("money"), False),
        (numeric(10, 2), builtin("numeric"), False),
        (numeric(10, 2), builtin("bytea"), True),
        (numeric(10, 2), TEXT, True),
        (builtin("bytea"), TEXT, True),
        (array_of(builtin("timestamp", 3)), array_of(builtin("timestamp", 6)), True),
        (builtin("int2"), INT, False),
        (INT, DOUBLE, False),
        (BIG, INT, False),
        (INT, TEXT, False),
        (TEXT, builtin("uuid"), False),
        (enum("a"), TEXT, False),
        (builtin("bool"), builtin("bit", 1), False),
        (builtin("point"), builtin("numeric"), False),
        (builtin("timestamptz", 3), builtin("timestamptz", 6), False),
        (domain(builtin("timestamp", 3)), builtin("timestamp", 6), True),
    ],
)
def test_a_number_that_would_be_taken_for_another_is_marked(
    before: ColumnType, after: ColumnType, misread: bool
) -> None:
    found = retyped(before, after)
    assert found.misread is misread
    assert ("misread" in describe(found)) is misread


def test_what_is_misread_depends_on_how_values_are_written() -> None:
    milli, micro = builtin("timestamp", 3), builtin("timestamp", 6)
    assert not retyped(milli, micro, Modes(time=TimeMode.CONNECT)).misread
    text = Modes(decimal=DecimalMode.STRING)
    assert not retyped(numeric(10, 2), numeric(10, 4), text).misread


@given(tables())
def test_nothing_has_changed_where_nothing_has(table: TableSchema) -> None:
    assert changes(table, table) == ()


@given(tables(), tables())
def test_other_tables_differ_the_same_way_each_time_and_in_words(
    one: TableSchema, other: TableSchema
) -> None:
    found = changes(one, other)
    assert found != () or bare(one) == bare(other)
    assert changes(one, other) == found
    assert all(describe(change) for change in found)


def test_without_numbers_a_column_of_another_name_is_another_column() -> None:
    before, after = table(Column("a", INT)), table(Column("b", INT))
    assert changes(before, after) == (Dropped(before.columns[0]), Added(after.columns[0]))


def test_a_number_on_one_side_only_proves_nothing() -> None:
    numbered, bare = table(Column("a", INT, number=1)), table(Column("a", INT))
    assert changes(numbered, bare) == changes(bare, numbered) == ()


def test_with_numbers_the_same_name_again_is_another_column() -> None:
    before, after = table(Column("a", INT, number=1)), table(Column("a", INT, number=2))
    assert changes(before, after) == (Dropped(before.columns[0]), Added(after.columns[0]))


def test_numbers_of_another_table_say_nothing() -> None:
    before = table(Column("a", INT, number=1), Column("b", INT, number=2), oid=1)
    after = table(Column("b", INT, number=1), Column("a", INT, number=2), oid=2)
    assert changes(before, after) == (Recreated(before.name), Reordered(("b", "a")))
    unknown = replace(after, oid=None)
    assert changes(before, unknown) == (Renamed("a", "b"), Renamed("b", "a"))


def test_a_key_whose_column_was_only_renamed_is_the_same_key() -> None:
    before = table(Column("a", INT, number=1), key=("a",))
    renamed = table(Column("b", INT, number=1), key=("b",))
    assert changes(before, renamed) == (Renamed("a", "b"),)
    again = table(Column("a", INT, number=2), key=("a",))
    assert KeyChanged(("a",), ("a",)) in changes(before, again)


def test_a_change_reads_as_a_sentence() -> None:
    found = retyped(numeric(10, 2), numeric(12, 2))
    assert describe(found) == "column c: numeric(10,2) became numeric(12,2), which is wider"
