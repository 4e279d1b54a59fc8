"""Each rule of resolution, with the kind and the path that Confluent's registry gives."""

from typing import Any

import pytest

from schema_registry.avro.compatibility import Kind, incompatibilities
from tests.schema_registry.avro.build import field, record, schema


def problems(reader: Any, writer: Any) -> list[tuple[str, str]]:
    found = incompatibilities(schema(reader), schema(writer))
    return [(each.kind.name, each.path) for each in found]


def reason(reader: Any, writer: Any) -> str:
    (found,) = incompatibilities(schema(reader), schema(writer))
    return found.reason


def array(items: Any) -> dict[str, Any]:
    return {"type": "array", "items": items}


def enum(*symbols: str, **attributes: Any) -> dict[str, Any]:
    return {"type": "enum", "name": "E", "symbols": list(symbols), **attributes}


def fixed(size: int, **attributes: Any) -> dict[str, Any]:
    return {"type": "fixed", "name": "F", "size": size, **attributes}


def decimal(precision: int, scale: int, **base: Any) -> dict[str, Any]:
    logical = {"logicalType": "decimal", "precision": precision, "scale": scale}
    return (base or {"type": "bytes"}) | logical


PRIMITIVES = ("null", "boolean", "int", "long", "float", "double", "bytes", "string")
PROMOTED = {
    *(("int", "long"), ("int", "float"), ("int", "double")),
    *(("long", "float"), ("long", "double"), ("float", "double")),
    *(("bytes", "string"), ("string", "bytes")),
}


@pytest.mark.parametrize("writer", PRIMITIVES)
@pytest.mark.parametrize("reader", PRIMITIVES)
def test_primitive_types_are_promoted_as_the_specification_says(writer: str, reader: str) -> None:
    fits = writer == reader or (writer, reader) in PROMOTED
    assert problems(reader, writer) == ([] if fits else [("TYPE_MISMATCH", "/")])


def test_items_and_values_are_resolved() -> None:
    assert problems(array("long"), array("int")) == []
    assert problems(array("int"), array("long")) == [("TYPE_MISMATCH", "/items")]
    maps = [{"type": "map", "values": each} for each in ("int", "string")]
    assert problems(*maps) == [("TYPE_MISMATCH", "/values")]
    assert problems(maps[0], array("int")) == [("TYPE_MISMATCH", "/")]


def test_a_field_that_the_writer_lacks_needs_a_default() -> None:
    reader = record(field("a", "int"), field("email", "string"))
    missing = [("READER_FIELD_MISSING_DEFAULT_VALUE", "/fields/1")]
    assert problems(reader, record(field("a", "int"))) == missing
    assert reason(reader, record(field("a", "int"))) == (
        'the reading schema requires field "email", which the writing schema lacks, '
        "and gives no default"
    )
    reader["fields"][1]["default"] = ""
    assert problems(reader, record(field("a", "int"))) == []


def test_the_default_symbol_of_an_enum_is_no_default_of_a_field() -> None:
    reader = record(field("e", enum("A", default="A")))
    assert problems(reader, record()) == [("READER_FIELD_MISSING_DEFAULT_VALUE", "/fields/0")]


def test_fields_of_the_writer_may_go_and_change_places() -> None:
    reader = record(field("b", "int"), field("a", "long"))
    writer = record(field("a", "int"), field("b", "int"), field("c", "string"))
    assert problems(reader, writer) == []
    assert problems(writer, reader) == [
        ("TYPE_MISMATCH", "/fields/0/type"),
        ("READER_FIELD_MISSING_DEFAULT_VALUE", "/fields/2"),
    ]


def test_an_alias_finds_the_field_under_its_old_name() -> None:
    reader = record(field("new", "long", aliases=["old"]))
    assert problems(reader, record(field("old", "int"))) == []
    assert problems(reader, record(field("old", "string"))) == [("TYPE_MISMATCH", "/fields/0/type")]
    # The writer's own aliases say what was, not what is.
    writer = record(field("old", "int", aliases=["new"]))
    assert problems(record(field("new", "int")), writer) == [
        ("READER_FIELD_MISSING_DEFAULT_VALUE", "/fields/0")
    ]


@pytest.mark.parametrize(
    ("reader", "writer"),
    [
        ([field("a", "int", aliases=["b"])], "ab"),
        ([field("a", "int", aliases=["b", "c"])], "bc"),
        ([field("a", "int", aliases=["b"]), field("b", "int", default=0)], "b"),
        ([field("a", "int", aliases=["x"]), field("b", "int", aliases=["x"])], "x"),
    ],
)
def test_aliases_by_which_readers_would_differ_are_refused(reader: Any, writer: str) -> None:
    written = record(*(field(name, "int") for name in writer))
    found = problems(record(*reader), written)
    assert found[0] == ("NAME_MISMATCH", "/fields/0/aliases")
    assert {kind for kind, _ in found} == {"NAME_MISMATCH"}


def test_an_alias_that_repeats_the_name_is_harmless() -> None:
    reader = record(field("a", "long", aliases=["a"]))
    assert problems(reader, record(field("a", "int"))) == []


def test_a_schema_is_compatible_with_itself_whatever_its_aliases() -> None:
    odd = record(field("a", "int", aliases=["b"]), field("b", "int"))
    assert problems(odd, odd) == []


@pytest.mark.parametrize(
    "make", [record, lambda **names: fixed(1) | names, lambda **names: enum("A") | names]
)
def test_names_match_without_namespace_or_by_an_alias(make: Any) -> None:
    mismatch = [("NAME_MISMATCH", "/name")]
    assert problems(make(name="a.X"), make(name="b.X")) == []
    assert problems(make(name="a.Y"), make(name="a.X")) == mismatch
    assert problems(make(name="a.Y", aliases=["X"]), make(name="a.X")) == []
    assert problems(make(name="a.Y", aliases=["b.X"]), make(name="b.X")) == []
    # An alias is a full name: another namespace is another type.
    assert problems(make(name="a.Y", aliases=["X"]), make(name="b.X")) == mismatch
    assert problems(make(name="a.X"), make(name="a.Y", aliases=["X"])) == mismatch


def test_named_types_of_two_kinds_do_not_match() -> None:
    assert problems(enum("A", name="X"), record(name="X")) == [("TYPE_MISMATCH", "/")]
    assert problems(["null", enum("A", name="X")], record(name="X")) == [
        ("MISSING_UNION_BRANCH", "/")
    ]


def test_fixed_sizes_are_equal() -> None:
    assert problems(fixed(1), fixed(2)) == [("FIXED_SIZE_MISMATCH", "/size")]
    assert problems("bytes", fixed(2)) == [("TYPE_MISMATCH", "/")]


def test_an_enum_knows_every_symbol_or_has_a_default() -> None:
    assert problems(enum("B", "A"), enum("A")) == []
    assert problems(enum("A"), enum("A", "B")) == [("MISSING_ENUM_SYMBOLS", "/symbols")]
    assert '"B"' in reason(enum("A"), enum("A", "B"))
    assert problems(enum("A", default="A"), enum("B")) == []
    # The writer's default is of no use to a reader.
    assert problems(enum("A"), enum("B", default="B")) == [("MISSING_ENUM_SYMBOLS", "/symbols")]


@pytest.mark.parametrize(
    ("reader", "writer", "expected"),
    [
        (["null", "int"], "int", []),
        (["null", "long"], "int", []),
        (["null", "int"], "string", [("MISSING_UNION_BRANCH", "/")]),
        ("int", ["int"], []),
        ("long", ["int", "long"], []),
        ("int", ["null", "int"], [("TYPE_MISMATCH", "/0")]),
        (["null", "int"], ["int", "null"], []),
        (["null", "int"], ["int", "string"], [("MISSING_UNION_BRANCH", "/1")]),
        (["null", "double"], ["int", "long", "float"], []),
        (["null", record()], record(name="S"), [("MISSING_UNION_BRANCH", "/")]),
        (["null", record(name="a.R")], record(name="b.R"), []),
        (["null", record(name="S", aliases=["R"])], [record()], []),
        (["null", array("long")], array("int"), []),
        (["null", array("int")], array("string"), [("TYPE_MISMATCH", "/1/items")]),
        (["null", fixed(1)], ["null", fixed(2)], [("FIXED_SIZE_MISMATCH", "/1/size")]),
        ([], [], []),
        ("int", [], []),
        ([], "int", [("MISSING_UNION_BRANCH", "/")]),
    ],
)
def test_unions_are_resolved_branch_by_branch(reader: Any, writer: Any, expected: Any) -> None:
    assert problems(reader, writer) == expected


def test_the_column_inside_an_optional_row_is_named() -> None:
    def envelope(*columns: dict[str, Any]) -> dict[str, Any]:
        value = record(*columns, name="Value")
        return record(field("before", ["null", value]), field("after", ["null", "Value"]))

    reader = envelope(field("id", "int"), field("email", "string"))
    assert problems(reader, envelope(field("id", "int"))) == [
        ("READER_FIELD_MISSING_DEFAULT_VALUE", "/fields/0/type/1/fields/1")
    ]


def test_the_branch_of_the_same_full_name_comes_before_one_that_ends_alike() -> None:
    one = record(field("x", "int"), name="a.X")
    other = record(field("y", "int"), name="b.X")
    assert problems([one, other], [one, other, "null"]) == [("MISSING_UNION_BRANCH", "/2")]
    assert problems([one, other, "null"], [other, one]) == []
    # Neither has the full name: the first that ends alike is taken, and has to fit.
    assert problems([one, other], record(field("y", "int"), name="c.X")) == [
        ("READER_FIELD_MISSING_DEFAULT_VALUE", "/0/fields/0")
    ]


def test_the_same_primitive_comes_before_a_promotion() -> None:
    reader = ["string", decimal(4, 1)]
    assert problems(reader, decimal(4, 1)) == []
    assert problems(reader, decimal(4, 2)) == [("DECIMAL_MISMATCH", "/1/scale")]


def test_recursive_records_are_compared_once() -> None:
    def tree(leaf: str, **more: Any) -> dict[str, Any]:
        return record(field("leaf", leaf), field("children", array("R")), **more)

    assert problems(tree("long"), tree("int")) == []
    assert problems(tree("int"), tree("long")) == [("TYPE_MISMATCH", "/fields/0/type")]


@pytest.mark.parametrize(
    ("reader", "writer", "expected"),
    [
        (decimal(10, 2), decimal(10, 2), []),
        (decimal(12, 2), decimal(10, 2), []),
        (decimal(9, 2), decimal(10, 2), [("DECIMAL_MISMATCH", "/precision")]),
        (decimal(12, 3), decimal(10, 2), [("DECIMAL_MISMATCH", "/scale")]),
        (decimal(10, 2), "bytes", []),
        ("bytes", decimal(10, 2), []),
        ("string", decimal(10, 2), []),
        (decimal(2, 3), decimal(10, 2), []),  # no decimal, since its scale is too large
        (decimal(4, 1, **fixed(2)), decimal(4, 2, **fixed(2)), [("DECIMAL_MISMATCH", "/scale")]),
        (decimal(4, 1, **fixed(2)), decimal(4, 1), [("TYPE_MISMATCH", "/")]),
    ],
)
def test_decimals_keep_their_scale_and_may_gain_digits(
    reader: Any, writer: Any, expected: Any
) -> None:
    assert problems(reader, writer) == expected


def test_other_logical_types_go_by_what_they_are_made_of() -> None:
    def long(logical: str) -> dict[str, Any]:
        return {"type": "long", "logicalType": logical}

    assert problems(long("timestamp-millis"), long("timestamp-micros")) == []
    assert problems(long("timestamp-millis"), {"type": "int", "logicalType": "date"}) == []
    assert problems({"type": "int", "logicalType": "date"}, long("timestamp-millis")) == [
        ("TYPE_MISMATCH", "/")
    ]


def test_referenced_types_are_looked_into() -> None:
    value = record(field("m", "Money"), name="Order")
    reader = schema(value, record(field("u", "int"), name="Money"))
    writer = schema(value, record(field("u", "string"), name="Money"))
    (found,) = incompatibilities(reader, writer)
    assert (found.kind, found.path) == (Kind.TYPE_MISMATCH, "/fields/0/type/fields/0/type")


def test_all_problems_are_told_and_a_hundred_are_enough() -> None:
    def columns(type_: str, count: int) -> dict[str, Any]:
        return record(*(field(f"c{i}", type_) for i in range(count)))

    assert problems(columns("int", 3), columns("string", 3)) == [
        ("TYPE_MISMATCH", f"/fields/{i}/type") for i in range(3)
    ]
    assert len(problems(columns("int", 500), columns("string", 500))) == 100
