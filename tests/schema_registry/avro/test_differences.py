"""A person reads what changed, once, and at its place."""

from typing import Any

import pytest

from schema_registry.avro.differences import differences
from schema_registry.avro.wording import short_type
from tests.schema_registry.avro.build import field, record, schema


def told(old: Any, new: Any) -> list[str]:
    found = differences(schema(old), schema(new))
    return [f"{each.kind.value} {each.path}: {each.text}" for each in found]


def decimal(precision: int, scale: int) -> dict[str, Any]:
    return {"type": "bytes", "logicalType": "decimal", "precision": precision, "scale": scale}


def enum(*symbols: str, **attributes: Any) -> dict[str, Any]:
    return {"type": "enum", "name": "E", "symbols": list(symbols), **attributes}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("long", "long"),
        (["null", "long"], "null | long"),
        ({"type": "array", "items": "string"}, "array of string"),
        ({"type": "array", "items": ["null", "int"]}, "array of (null | int)"),
        ({"type": "map", "values": decimal(10, 2)}, "map of decimal(10,2)"),
        ({"type": "long", "logicalType": "timestamp-micros"}, "timestamp-micros"),
        (["null", record(name="shop.Value")], "null | record Value"),
        (enum("A"), "enum E"),
        ({"type": "fixed", "name": "a.Md5", "size": 16}, "fixed Md5"),
    ],
)
def test_types_are_told_in_few_words(value: Any, text: str) -> None:
    found = schema(value)
    assert short_type(found.root, found) == text


def test_a_long_type_is_shortened() -> None:
    branches = [record(name=f"Record{i}") for i in range(100)]
    found = schema(branches)
    assert len(short_type(found.root, found)) == 120


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ([], [field("a", "int")], ["added R.a: int, no default"]),
        ([], [field("a", "int", default=0)], ["added R.a: int, default 0"]),
        ([field("a", ["null", "int"])], [], ["removed R.a: was null | int"]),
        ([field("a", "int")], [field("a", "long")], ["changed R.a: from int to long"]),
        (
            [field("a", "int")],
            [field("a", ["null", "int"])],
            ["changed R.a: can be null now: null | int"],
        ),
        (
            [field("a", ["int", "null"])],
            [field("a", "int")],
            ["changed R.a: can no longer be null: int"],
        ),
        (
            [field("a", decimal(10, 2))],
            [field("a", decimal(12, 2))],
            ["changed R.a: from decimal(10,2) to decimal(12,2)"],
        ),
        (
            [field("a", "int")],
            [field("b", "int", aliases=["a"])],
            ["changed R.b: was called a", "changed R.b: aliases from none to a"],
        ),
        (
            [field("a", "int", default=1)],
            [field("a", "int")],
            ["changed R.a: default from 1 to none"],
        ),
        (
            [field("a", ["null", "int"], default=None)],
            [field("a", ["null", "int"])],
            ["changed R.a: default from null to none"],
        ),
        (
            [field("a", "int", doc="x")],
            [field("a", "int", doc="y")],
            ['changed R.a: doc from "x" to "y"'],
        ),
        ([field("a", "int")], [field("a", "int", doc="y")], ['changed R.a: doc added: "y"']),
        ([field("a", "int", doc="y")], [field("a", "int")], ['changed R.a: doc removed: "y"']),
        (
            [field("a", "int")],
            [field("a", "int", order="ignore")],
            ["changed R.a: sorted ignore, was ascending"],
        ),
        (
            [field("a", {"type": "long", "connect.name": "x.Date"})],
            [field("a", {"type": "long", "connect.name": "x.Time", "n": [1]})],
            ['changed R.a: connect.name from "x.Date" to "x.Time"', "changed R.a: n added: [1]"],
        ),
        (
            [field("a", "int", x=1)],
            [field("a", "int")],
            ["changed R.a: x removed: 1"],
        ),
        (
            [field("a", {"type": "array", "items": {"type": "int", "x": 1}})],
            [field("a", {"type": "array", "items": {"type": "int", "x": 2}})],
            ["changed R.a: x from 1 to 2"],
        ),
        (
            [field("e", enum("A", "B", default="A"))],
            [field("e", enum("B", "C"))],
            [
                "added E.C: symbol",
                "removed E.A: symbol",
                "changed E: default symbol from A to none",
            ],
        ),
        (
            [field("e", enum("A", "B"))],
            [field("e", enum("B", "A"))],
            ["changed E: its symbols stand in another order"],
        ),
        (
            [field("a", "int"), field("b", "int")],
            [field("b", "int"), field("a", "int")],
            ["changed R: its fields stand in another order"],
        ),
    ],
)
def test_a_change_of_a_record_is_told(old: Any, new: Any, expected: list[str]) -> None:
    assert told(record(*old), record(*new)) == expected


def test_a_column_of_an_envelope_is_told_once() -> None:
    def envelope(total: Any) -> dict[str, Any]:
        value = record(field("id", "int"), field("total", total), name="shop.orders.Value")
        return record(
            field("before", ["null", value], default=None),
            field("after", ["null", "shop.orders.Value"], default=None),
            name="shop.orders.Envelope",
        )

    assert told(envelope("int"), envelope(["null", "int"])) == [
        "changed Value.total: can be null now: null | int"
    ]


def test_types_that_moved_in_the_text_have_not_changed() -> None:
    value = record(name="V")
    old = record(field("a", value), field("b", "V"))
    new = record(field("b", value), field("a", "V"))
    assert told(old, new) == ["changed R: its fields stand in another order"]


def test_a_renamed_type_is_followed_by_its_alias() -> None:
    old = record(field("v", ["null", record(field("x", "int"), name="Old")]))
    new = record(field("v", ["null", record(field("x", "long"), name="New", aliases=["Old"])]))
    assert told(old, new) == [
        "changed R.v: from null | record Old to null | record New",
        "changed New: was called Old, is called New",
        "changed New.x: from int to long",
        "changed New: aliases from none to Old",
    ]


def test_a_new_namespace_is_told() -> None:
    assert told(record(name="a.R"), record(name="b.R")) == [
        "changed R: was called a.R, is called b.R"
    ]


def test_types_of_different_names_are_not_looked_into() -> None:
    old = record(field("x", "int"), name="A")
    assert told(old, record(field("x", "long"), name="B")) == [
        "changed schema: from record A to record B"
    ]


def test_a_fixed_size_is_told() -> None:
    sizes = [{"type": "fixed", "name": "F", "size": size} for size in (1, 2)]
    assert told(*sizes) == ["changed F: from 1 bytes to 2"]


def test_branches_of_a_large_union_are_told_by_what_came_and_went() -> None:
    branches = [record(name=f"Record{i}") for i in range(100)]
    assert told(branches, [*branches[1:], "int"]) == [
        "changed schema: new in the union: int; gone: record Record0"
    ]


def test_a_change_inside_a_recursive_type_is_told_once() -> None:
    def tree(leaf: str) -> dict[str, Any]:
        return record(
            field("leaf", leaf), field("left", ["null", "R"]), field("right", ["null", "R"])
        )

    assert told(tree("int"), tree("long")) == ["changed R.leaf: from int to long"]


def test_nothing_is_told_of_equal_schemas() -> None:
    value = record(field("a", ["null", "R"], default=None))
    assert told(value, value) == []
    assert told(record(field("a", {"type": "int"})), record(field("a", "int"))) == []


def test_texts_from_outside_are_shown_short_and_visible() -> None:
    old, new = ({"type": "int", "x": mark * 5000} for mark in ("\u0007", "\u202e"))
    (text,) = told(old, new)
    assert text.isprintable()
    assert len(text) < 1500
