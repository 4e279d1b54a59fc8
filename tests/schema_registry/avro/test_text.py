"""The same schema gives the same text, and no attribute is lost on the way."""

import hashlib
import json
from typing import Any

import pytest

from schema_registry.avro.parse import parse
from schema_registry.avro.text import canonical, fingerprint, normalised, parsing_form
from tests.schema_registry.avro.build import field, record, schema

FIXED = {"type": "fixed", "name": "F", "size": 1}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("int", '"int"'),
        ({"type": "int"}, '"int"'),
        ({"type": "int", "doc": "dropped, as Java drops it"}, '"int"'),
        (["null", {"items": "int", "type": "array"}], '["null",{"type":"array","items":"int"}]'),
        ({"type": "map", "x": 1, "values": "int"}, '{"type":"map","values":"int","x":1}'),
        (
            {"type": "string", "z": {"b": 1, "a": [None, 1.0]}, "a": "ä\n"},
            '{"type":"string","a":"ä\\n","z":{"a":[null,1.0],"b":1}}',
        ),
        (
            {"symbols": ["B", "A"], "name": "a.E", "type": "enum", "default": "A", "doc": ""},
            '{"type":"enum","name":"E","namespace":"a","doc":"","symbols":["B","A"],"default":"A"}',
        ),
        (
            record(
                field("f", "int", order="ascending", default=1, aliases=["g"], x=1, doc="d"),
                field("g", "int", order="ignore"),
                aliases=["a.Old", "b.Old"],
                namespace="a",
            ),
            '{"type":"record","name":"R","namespace":"a","fields":[{"name":"f","type":"int",'
            '"doc":"d","default":1,"aliases":["g"],"x":1},{"name":"g","type":"int",'
            '"order":"ignore"}],"aliases":["Old","b.Old"]}',
        ),
    ],
)
def test_canonical_text_has_one_order_and_all_attributes(value: Any, text: str) -> None:
    found = schema(value)
    assert canonical(found) == text
    assert parse(text) == found


def test_spellings_of_a_name_become_one() -> None:
    inner = [field("f", FIXED), field("g", "F"), field("h", "a.F")]
    spellings = [
        record(*inner, name="a.R"),
        record(*inner, name="R", namespace="a"),
        record(field("f", FIXED | {"name": "a.F"}), *inner[1:], name="a.R", namespace="b"),
    ]
    texts = {canonical(schema(each)) for each in spellings}
    assert texts == {
        '{"type":"record","name":"R","namespace":"a","fields":[{"name":"f","type":{"type":"fixed",'
        '"name":"F","size":1}},{"name":"g","type":"F"},{"name":"h","type":"F"}]}'
    }


def test_a_type_without_a_namespace_inside_one_says_so() -> None:
    found = schema(record(field("f", FIXED | {"namespace": ""}), field("g", "F"), namespace="a"))
    for text in (canonical(found), normalised(found)):
        assert '"name":"F","namespace":"","size":1' in text
        assert parse(text).root == found.root


def test_a_type_named_as_a_kind_of_type_is_referred_to_in_full() -> None:
    found = schema(record(field("f", FIXED | {"name": "a.map"}), field("g", "a.map"), name="a.R"))
    assert '{"name":"g","type":"a.map"}' in canonical(found)
    assert parse(canonical(found)) == found


def test_types_of_referenced_schemas_stay_references() -> None:
    money = record(field("units", "long"), name="shop.Money")
    value = record(field("price", "shop.Money"), name="shop.Order")
    found = schema(value, money)
    assert '{"name":"price","type":"Money"}' in canonical(found)
    assert parse(canonical(found), [json.dumps(money)]) == found
    assert canonical(schema("shop.Money", money)) == '"shop.Money"'


def test_a_referenced_schema_counts_in_equality_and_fingerprint() -> None:
    value = record(field("price", "Money"), name="Order")
    one, other = (
        schema(value, record(field("u", type_), name="Money")) for type_ in ("int", "long")
    )
    assert canonical(one) == canonical(other)
    assert one != other
    assert fingerprint(one) != fingerprint(other)
    assert parsing_form(one) == (
        '{"name":"Order","type":"record","fields":[{"name":"price","type":'
        '{"name":"Money","type":"record","fields":[{"name":"u","type":"int"}]}}]}'
    )


def test_normalised_text_has_full_names_and_sorted_aliases() -> None:
    value = record(
        field("f", FIXED, aliases=["z", "y"]),
        field("g", "F"),
        field("d", {"type": "bytes", "logicalType": "decimal", "precision": 4, "scale": 0}),
        name="a.R",
        aliases=["Z", "b.A"],
    )
    assert normalised(schema(value)) == (
        '{"type":"record","name":"a.R","fields":[{"name":"f","type":{"type":"fixed",'
        '"name":"a.F","size":1},"aliases":["y","z"]},{"name":"g","type":"a.F"},{"name":"d",'
        '"type":{"type":"bytes","logicalType":"decimal","precision":4}}],'
        '"aliases":["a.Z","b.A"]}'
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (record(doc="a"), record(doc="b")),
        (record(aliases=["A"]), record(aliases=["B"])),
        (record(field("f", "int")), record(field("f", "int", default=1))),
        (record(field("f", "double", default=1)), record(field("f", "double", default=1.0))),
        ({"type": "int", "x": 1}, {"type": "int", "x": True}),
        (["null", "int"], ["int", "null"]),
        (FIXED, FIXED | {"name": "a.F"}),
        (FIXED, FIXED | {"connect.name": "x"}),
    ],
)
def test_schemas_that_differ_have_texts_that_differ(one: Any, other: Any) -> None:
    assert schema(one) != schema(other)
    assert canonical(schema(one)) != canonical(schema(other))


def test_the_parsing_form_is_the_one_of_the_specification() -> None:
    value = record(
        field("f", {"type": "array", "items": {"type": "enum", "name": "E", "symbols": ["A"]}}),
        field("g", ["null", {"type": "map", "values": "R"}], default=None, doc="d"),
        field("h", {"type": "long", "logicalType": "timestamp-micros"}),
        namespace="n",
        doc="dropped",
    )
    form = (
        '{"name":"n.R","type":"record","fields":[{"name":"f","type":{"type":"array","items":'
        '{"name":"n.E","type":"enum","symbols":["A"]}}},{"name":"g","type":["null",{"type":"map",'
        '"values":"n.R"}]},{"name":"h","type":"long"}]}'
    )
    assert parsing_form(schema(value)) == form
    assert fingerprint(schema(value)) == hashlib.sha256(form.encode()).digest()
