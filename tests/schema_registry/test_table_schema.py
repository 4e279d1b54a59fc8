"""Table schemas as values, and their way through JSON and back."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schema_registry.column_type import (
    ColumnType,
    TypeKind,
    TypeName,
    array_of,
    builtin,
    numeric,
    varchar,
)
from schema_registry.malformed import MalformedTableSchema
from schema_registry.table_name import TableName
from schema_registry.table_schema import Column, Generated, ReplicaIdentity, TableSchema
from schema_registry.table_schema_json import from_json, to_json

MOOD = ColumnType(TypeName("shop", "mood"), TypeKind.ENUM, labels=("sad", "ok"))
PRICE = ColumnType(TypeName("shop", "price"), TypeKind.DOMAIN, base=numeric(10, 2))
TABLE = TableSchema(
    TableName("shop", "orders"),
    (
        Column("id", builtin("int8"), nullable=False, number=1),
        Column("total", PRICE, number=3),
        Column("moods", array_of(MOOD, 2), generated=Generated.STORED),
    ),
    key=("id",),
    identity=ReplicaIdentity.FULL,
    oid=16385,
)

texts = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20)
names = texts.filter(bool).map(lambda text: text.encode()[:63].decode(errors="ignore"))
type_names = st.builds(TypeName, names, names)
modifiers = st.integers(-1, 2**31 - 1)
simple = st.one_of(
    st.builds(
        ColumnType,
        type_names,
        st.sampled_from([TypeKind.BASE, TypeKind.COMPOSITE, TypeKind.RANGE, TypeKind.MULTIRANGE]),
        modifiers,
    ),
    st.builds(
        lambda name, labels: ColumnType(name, TypeKind.ENUM, labels=tuple(labels)),
        type_names,
        st.lists(texts, unique=True, max_size=3),
    ),
)
column_types = st.recursive(
    simple,
    lambda inner: st.one_of(
        st.builds(
            lambda name, base: ColumnType(name, TypeKind.DOMAIN, base=base), type_names, inner
        ),
        st.builds(
            array_of, inner.filter(lambda of: of.kind is not TypeKind.ARRAY), st.integers(0, 9)
        ),
    ),
    max_leaves=4,
)


@st.composite
def tables(draw: st.DrawFn) -> TableSchema:
    known = draw(st.lists(names, unique=True, max_size=4))
    columns = tuple(
        Column(
            name,
            draw(column_types),
            draw(st.booleans()),
            draw(st.sampled_from([None, at])),
            draw(st.sampled_from(Generated)),
        )
        for at, name in enumerate(known, start=1)
    )
    key = tuple(draw(st.lists(st.sampled_from(known), unique=True))) if known else ()
    oid = draw(st.none() | st.integers(1, 2**32 - 1))
    name = TableName(draw(names), draw(names))
    return TableSchema(name, columns, key, draw(st.sampled_from(ReplicaIdentity)), oid)


@given(tables())
def test_a_table_schema_comes_back_from_json_as_it_was(table: TableSchema) -> None:
    read = from_json(json.loads(json.dumps(to_json(table))))
    assert read == table
    assert hash(read) == hash(table)


def test_equal_is_what_means_the_same() -> None:
    assert array_of(builtin("int4"), 0) == array_of(builtin("int4"), 1)
    assert array_of(builtin("int4"), 2) != array_of(builtin("int4"), 1)
    assert varchar(5) != varchar(6)
    assert replace(TABLE, oid=2) != TABLE


JSON: dict[str, Any] = to_json(TABLE)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ((), []),
        ((), None),
        (("version",), 2),
        (("version",), "1"),
        (("version",), True),
        (("schema",), ""),
        (("schema",), "a\0b"),
        (("table",), "\ud800"),
        (("table",), "x" * 64),
        (("oid",), 0),
        (("oid",), "16385"),
        (("oid",), True),
        (("oid",), 2**32),
        (("identity",), "d"),
        (("identity",), ["full"]),
        (("key",), "id"),
        (("key",), ["nowhere"]),
        (("key",), ["id", "id"]),
        (("key",), [5]),
        (("key",), [["id"]]),
        (("columns",), {}),
        (("columns",), [JSON["columns"][0]] * 2),
        (("columns",), [{}] * 1601),
        (("more",), 1),
        (("columns", 0, "name"), None),
        (("columns", 0, "number"), 0),
        (("columns", 0, "number"), 1.0),
        (("columns", 0, "number"), 3),
        (("columns", 0, "nullable"), 0),
        (("columns", 0, "generated"), "s"),
        (("columns", 0, "more"), 1),
        (("columns", 0, "type"), "int8"),
        (("columns", 0, "type", "kind"), "pseudo"),
        (("columns", 0, "type", "modifier"), 2**31),
        (("columns", 0, "type", "modifier"), -2),
        (("columns", 0, "type", "labels"), []),
        (("columns", 1, "type", "base"), None),
        (("columns", 1, "type", "base", "modifier"), "5"),
        (("columns", 2, "type", "dimensions"), 0),
        (("columns", 2, "type", "dimensions"), 7),
        (("columns", 2, "type", "element", "labels"), ["ok", "ok"]),
        (("columns", 2, "type", "element", "labels"), [None]),
        (("columns", 2, "type", "element"), JSON["columns"][2]["type"]),
    ],
)
def test_what_we_did_not_write_is_refused(place: tuple[str | int, ...], value: object) -> None:
    given_json: Any = {"": json.loads(json.dumps(JSON))}
    within, last = given_json, ""
    for step in place:
        within, last = within[last], step  # type: ignore[assignment]  # a key or a place
    within[last] = value
    with pytest.raises(MalformedTableSchema, match="PEN-470") as refused:
        from_json(given_json[""])
    assert refused.value.fix


@pytest.mark.parametrize("missing", [*JSON, "columns.0.type", "columns.0.nullable"])
def test_nothing_is_guessed_where_something_is_missing(missing: str) -> None:
    given_json = json.loads(json.dumps(JSON))
    *steps, last = missing.split(".")
    within: Any = given_json
    for step in steps:
        within = within[int(step)] if step.isdecimal() else within[step]
    del within[last]
    with pytest.raises(MalformedTableSchema):
        from_json(given_json)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from([*JSON, "type", "x"]), inner),
    max_leaves=8,
)


@given(json_values)
def test_any_json_is_a_table_schema_or_refused(value: object) -> None:
    with pytest.raises(MalformedTableSchema):
        from_json(value)


def test_a_type_without_end_is_refused_and_brings_nobody_down() -> None:
    deep = {"kind": "base", "schema": "s", "name": "n"}
    for _ in range(900):
        deep = {"kind": "domain", "schema": "s", "name": "n", "base": deep}  # type: ignore[dict-item]  # as JSON nests
    column = {**JSON["columns"][0], "type": deep}
    with pytest.raises(MalformedTableSchema, match="deeper than 32"):
        from_json({**JSON, "columns": [column]})


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"columns": (TABLE.columns[0],) * 2}, "column 'id' is there twice"),
        ({"key": ("id", "id")}, "key column 'id' is there twice"),
        ({"key": ("id", "total", "gone")}, "key column 'gone' is no column"),
    ],
)
def test_a_table_that_cannot_be_is_refused(changed: dict[str, Any], words: str) -> None:
    with pytest.raises(MalformedTableSchema, match=words):
        replace(TABLE, **changed)


@pytest.mark.parametrize(
    "parts",
    [
        {"kind": TypeKind.DOMAIN},
        {"kind": TypeKind.ARRAY},
        {"kind": TypeKind.ARRAY, "element": builtin("int4"), "dimensions": 0},
        {"kind": TypeKind.ARRAY, "element": array_of(builtin("int4")), "dimensions": 1},
        {"labels": ("a",)},
        {"base": builtin("int4")},
        {"dimensions": 1},
        {"kind": TypeKind.ENUM, "labels": ("a", "a")},
    ],
)
def test_a_type_that_cannot_be_is_refused(parts: dict[str, Any]) -> None:
    with pytest.raises(MalformedTableSchema):
        ColumnType(TypeName("s", "n"), **parts)


def test_modifiers_are_read_for_the_types_that_have_them() -> None:
    assert numeric(10, 2).digits == (10, 2)
    assert numeric(2, -3).digits == (2, -3)
    assert numeric(3, 5).digits == (3, 5)
    assert builtin("numeric").digits is None
    assert varchar(20).length == 20
    assert builtin("bit", 9).length == 9
    assert builtin("timestamp", 0).fraction == 0
    assert builtin("timestamp").fraction is None
    assert builtin("int4", 5).length is None
    # A type of somebody's own may be called so and mean something else by its modifier.
    own = ColumnType(TypeName("public", "numeric"), modifier=numeric(10, 2).modifier)
    assert (own.digits, own.builtin) == (None, None)


def test_a_column_is_found_by_its_name() -> None:
    assert TABLE.column("total").type == PRICE
    with pytest.raises(KeyError):
        TABLE.column("nowhere")
