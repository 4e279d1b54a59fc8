"""Schemas are read by the rules of the specification."""

from typing import Any

import pytest

from diagnosis.errors import Area
from schema_registry.avro.errors import MalformedSchema
from schema_registry.avro.model import (
    Absent,
    Array,
    Decimal,
    Enumeration,
    Field,
    Fixed,
    Json,
    Logical,
    Map,
    Order,
    Primitive,
    PrimitiveName,
    Reference,
    Union,
)
from tests.schema_registry.avro.build import record, refused, root

INT = Primitive(PrimitiveName.INT)
STRING = Primitive(PrimitiveName.STRING)
NULL = Primitive(PrimitiveName.NULL)


DECIMAL_FIXED = {"type": "fixed", "name": "F", "logicalType": "decimal"}


def test_every_kind_of_type_is_read() -> None:
    assert root("int") == root({"type": "int"}) == INT
    assert root({"type": "array", "items": "int"}) == Array(INT)
    assert root({"type": "map", "values": "string"}) == Map(STRING)
    assert root(["null", "int"]) == Union((NULL, INT))
    assert root({"type": "fixed", "name": "F", "size": 3}) == Fixed("F", 3)
    assert root({"type": "enum", "name": "E", "symbols": ["A"], "default": "A", "doc": "d"}) == (
        Enumeration("E", ("A",), "A", "d")
    )


def test_a_field_keeps_all_that_it_has() -> None:
    field = {"name": "f", "type": "int", "default": 1, "doc": "d", "aliases": ["g", "g"]}
    found = root(
        record(field | {"order": "ignore", "connect.index": 7}, {"name": "g", "type": "int"})
    )
    props = (("connect.index", Json("7")),)
    assert found.fields == (
        Field("f", INT, Json("1"), "d", ("g",), Order.IGNORE, props),
        Field("g", INT, Absent.NO_DEFAULT),
    )


def test_names_inherit_the_namespace_around_them() -> None:
    inner = {"type": "fixed", "name": "F", "size": 1, "aliases": ["Old", "x.Y"]}
    outer = record({"name": "f", "type": inner}, {"name": "g", "type": "F"}, namespace="a.b")
    found = root(outer)
    assert found.name == "a.b.R"
    assert found.fields[0].type == Fixed("a.b.F", 1, aliases=("a.b.Old", "x.Y"))
    assert found.fields[1].type == Reference("a.b.F")


def test_a_full_name_brings_its_own_namespace() -> None:
    inner = {"type": "fixed", "name": "F", "size": 1}
    outer = record({"name": "f", "type": inner}, name="c.R", namespace="ignored")
    assert root(outer).fields[0].type.name == "c.F"


@pytest.mark.parametrize(("space", "name"), [("", "F"), (None, "a.F"), ("b", "b.F")])
def test_a_namespace_may_be_left_and_taken(space: str | None, name: str) -> None:
    inner = {"type": "fixed", "name": "F", "namespace": space, "size": 1}
    assert root(record({"name": "f", "type": inner}, namespace="a")).fields[0].type.name == name


def test_a_name_without_a_namespace_is_found_from_inside_one() -> None:
    inner = {"type": "fixed", "name": "F", "namespace": "", "size": 1}
    outer = record({"name": "f", "type": inner}, {"name": "g", "type": "F"}, namespace="a")
    assert root(outer).fields[1].type == Reference("F")


def test_a_record_may_hold_itself() -> None:
    found = root(record({"name": "next", "type": ["null", "R"], "default": None}))
    assert found.fields[0].type == Union((NULL, Reference("R")))
    assert root(record({"name": "next", "type": "R"})).fields[0].type == Reference("R")


def test_a_reference_may_stand_in_an_object_and_loses_its_attributes() -> None:
    assert root(record({"name": "f", "type": {"type": "R", "x": 1}})).fields[0].type == (
        Reference("R")
    )


def test_attributes_without_a_meaning_are_kept_and_misplaced_ones_dropped() -> None:
    found = root({"type": "string", "name": "dropped", "b": {"y": 1, "x": 2}, "a": None})
    assert found == Primitive(
        PrimitiveName.STRING, (("a", Json("null")), ("b", Json('{"x":2,"y":1}')))
    )


def test_names_of_referenced_schemas_are_known() -> None:
    money = {"type": "record", "name": "shop.Money", "fields": []}
    price = {"type": "record", "name": "shop.Price", "fields": [{"name": "m", "type": "Money"}]}
    assert root("shop.Price", money, price) == Reference("shop.Price")
    found = root(record({"name": "p", "type": "Price"}, namespace="shop"), money, price, money)
    assert found.fields[0].type == Reference("shop.Price")
    assert refused("shop.Price", price).path == "references[0].fields[0].type"
    assert refused(money, money).reason == '"shop.Money" is defined already'


@pytest.mark.parametrize(
    ("value", "logical"),
    [
        ({"type": "bytes", "logicalType": "decimal", "precision": 4}, Decimal(4, 0)),
        ({"type": "bytes", "logicalType": "decimal", "precision": 4, "scale": 4}, Decimal(4, 4)),
        ({"type": "bytes", "logicalType": "decimal", "precision": 4, "scale": 5}, None),
        ({"type": "bytes", "logicalType": "decimal", "precision": 0}, None),
        ({"type": "bytes", "logicalType": "decimal", "precision": True}, None),
        ({"type": "bytes", "logicalType": "decimal", "scale": 1}, None),
        ({"type": "string", "logicalType": "decimal", "precision": 4}, None),
        ({"type": "long", "logicalType": "timestamp-micros"}, Logical.TIMESTAMP_MICROS),
        ({"type": "int", "logicalType": "timestamp-micros"}, None),
        ({"type": "int", "logicalType": "date"}, Logical.DATE),
        ({"type": "string", "logicalType": "uuid"}, Logical.UUID),
        ({"type": "string", "logicalType": "unheard-of"}, None),
        ({"type": "string", "logicalType": 7}, None),
        ({"type": "fixed", "name": "F", "size": 12, "logicalType": "duration"}, Logical.DURATION),
        ({"type": "fixed", "name": "F", "size": 11, "logicalType": "duration"}, None),
        ({"type": "fixed", "name": "F", "size": 16, "logicalType": "uuid"}, Logical.UUID),
        (DECIMAL_FIXED | {"size": 2, "precision": 4}, Decimal(4, 0)),
        (DECIMAL_FIXED | {"size": 2, "precision": 5}, None),
        (DECIMAL_FIXED | {"size": 0, "precision": 1}, None),
    ],
)
def test_a_logical_type_is_read_and_an_invalid_one_ignored(value: Any, logical: Any) -> None:
    found = root(value)
    assert found.logical == logical
    assert ("logicalType", Json.of(value["logicalType"])) in found.props


@pytest.mark.parametrize(
    ("value", "path", "reason"),
    [
        (5, "", "a type is a name, an object or a list"),
        (None, "", "a type is a name, an object or a list"),
        ({}, "", '"type"'),
        ({"type": {"type": "int"}}, "", '"type"'),
        ("Nowhere", "", '"Nowhere" is defined before'),
        ({"type": "error", "name": "E", "fields": []}, "type", '"error"'),
        ({"type": "array"}, "", '"items" is missing'),
        ({"type": "map", "values": 5}, "values", "a type is"),
        ([["null"]], "[0]", "a union directly inside"),
        (["int", {"type": "int"}], "[1]", '"int" already'),
        ([{"type": "array", "items": "int"}, {"type": "array", "items": "long"}], "[1]", "array"),
        ([{"type": "fixed", "name": "F", "size": 1}, "F"], "[1]", '"F" already'),
        ({"type": "record", "fields": []}, "", '"name" is missing'),
        ({"type": "record", "name": "R"}, "", '"fields" is missing'),
        ({"type": "record", "name": "R", "fields": {}}, "fields", "not a list"),
        ({"type": "record", "name": "1R", "fields": []}, "name", '"1R" is no legal name'),
        ({"type": "record", "name": "Rä", "fields": []}, "name", "no legal name"),
        ({"type": "record", "name": "a..R", "fields": []}, "name", "no legal name"),
        ({"type": "record", "name": ".R", "fields": []}, "name", "no legal name"),
        ({"type": "record", "name": "R\n", "fields": []}, "name", r'"R\\n" is no legal name'),
        ({"type": "record", "name": 7, "fields": []}, "name", "this is no legal name"),
        ({"type": "record", "name": "long", "fields": []}, "name", "named as a primitive"),
        ({"type": "record", "name": "a.long", "fields": []}, "name", "named as a primitive"),
        (record(namespace="a-b"), "namespace", "no legal namespace"),
        (record(namespace=5), "namespace", "not a text"),
        (record(doc=5), "doc", "not a text"),
        (record(aliases="x"), "aliases", "not a list"),
        (record(aliases=["a-b"]), "aliases[0]", "no legal name"),
        (record("f"), "fields[0]", "a field is an object"),
        (record({"name": "f"}), "fields[0]", '"type" is missing'),
        (record({"type": "int"}), "fields[0]", '"name" is missing'),
        (record({"name": "a.f", "type": "int"}), "fields[0].name", "no legal name"),
        (record({"name": "f", "type": "int", "order": "up"}), "fields[0].order", "ascending"),
        (record({"name": "f", "type": "int", "aliases": ["a.b"]}), "fields[0].aliases[0]", "legal"),
        (record(*[{"name": "f", "type": "int"}] * 2), "fields[1]", '"f" already'),
        (record({"name": "f", "type": record()}), "fields[0].type.name", "defined already"),
        (
            record({"name": "f", "type": {"type": "array", "items": "Late"}}),
            "fields[0].type.items",
            "before this place",
        ),
        ({"type": "enum", "name": "E"}, "", '"symbols" is missing'),
        ({"type": "enum", "name": "E", "symbols": ["A", "A"]}, "symbols[1]", "already"),
        ({"type": "enum", "name": "E", "symbols": ["a-b"]}, "symbols[0]", "no legal name"),
        ({"type": "enum", "name": "E", "symbols": ["A"], "default": "B"}, "default", "a symbol"),
        ({"type": "fixed", "name": "F"}, "", '"size" is missing'),
        ({"type": "fixed", "name": "F", "size": -1}, "size", "whole number"),
        ({"type": "fixed", "name": "F", "size": 1.0}, "size", "whole number"),
        ({"type": "fixed", "name": "F", "size": True}, "size", "whole number"),
        ({"type": "fixed", "name": "F", "size": 2**31}, "size", "whole number"),
    ],
)
def test_what_breaks_a_rule_is_refused_with_its_place(value: Any, path: str, reason: str) -> None:
    with pytest.raises(MalformedSchema, match=reason) as raised:
        root(value)
    error = raised.value
    assert (error.path, error.code, error.area) == (path, "PEN-435", Area.REGISTRY)
    assert (path or "as a whole") in error.message
    assert error.fix


FIXED = {"type": "fixed", "name": "F", "size": 2}
ENUM = {"type": "enum", "name": "E", "symbols": ["A", "B"]}
INNER = {
    "type": "record",
    "name": "I",
    "fields": [{"name": "a", "type": "int"}, {"name": "b", "type": "int", "default": 1}],
}


@pytest.mark.parametrize(
    ("type_", "fitting", "unfit"),
    [
        ("null", [None], [0, "null"]),
        ("boolean", [True], [1, "true", None]),
        ("int", [0, 2**31 - 1, -(2**31)], [2**31, -(2**31) - 1, 1.0, True, "1"]),
        ("long", [2**63 - 1, -(2**63)], [2**63, 0.5, None]),
        ("float", [1, 1.5], ["1.5", True, None]),
        ("double", [1, -1.5], ["NaN", 10**400]),
        ("bytes", ["", "\u0000\u00ff"], ["\u0100", 5, None]),
        ("string", ["", "ä\u0100"], [5, None]),
        (FIXED, ["\u0000\u00ff"], ["", "abc", "a\u0100"]),
        (ENUM, ["A"], ["C", 0]),
        ({"type": "array", "items": "int"}, [[], [1]], [{}, [1, "x"], None]),
        ({"type": "map", "values": "int"}, [{}, {"k": 1}], [[], {"k": "x"}]),
        (["null", "int"], [None, 1], ["x", 1.5]),
        (INNER, [{"a": 1}, {"a": 1, "b": 2, "more": 3}], [{}, {"a": "x"}, {"a": 1, "b": "x"}, []]),
    ],
)
def test_a_default_has_to_fit_its_type(type_: Any, fitting: list[Any], unfit: list[Any]) -> None:
    for value in fitting:
        field = root(record({"name": "f", "type": type_, "default": value})).fields[0]
        assert field.default == Json.of(value)
    for value in unfit:
        error = refused(record({"name": "f", "type": type_, "default": value}))
        assert error.path == "fields[0].default"


def test_a_default_may_be_of_a_record_that_is_not_finished() -> None:
    node = record({"name": "next", "type": ["null", "R"], "default": {"next": None}})
    assert root(node).fields[0].default == Json('{"next":null}')


def test_a_default_that_is_filled_in_from_itself_is_refused() -> None:
    error = refused(record({"name": "next", "type": "R", "default": {}}))
    assert (error.path, error.reason) == (
        "fields[0].default",
        "filling this default in would never end",
    )
    inner = record({"name": "up", "type": "R", "default": {}}, name="I")
    assert "never end" in refused(record({"name": "i", "type": inner, "default": {}})).reason
