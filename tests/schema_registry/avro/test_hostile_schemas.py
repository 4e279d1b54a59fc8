"""Schemas that were made to hurt: bounded in time, depth, memory and in what is shown."""

import json
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from schema_registry.avro.compatibility import incompatibilities
from schema_registry.avro.differences import differences
from schema_registry.avro.errors import MalformedSchema, TooComplex
from schema_registry.avro.parse import MOST_NODES, parse
from schema_registry.avro.text import canonical, fingerprint, normalised, parsing_form
from tests.schema_registry.avro.build import record, refused, root


def test_a_message_stays_short_and_shows_nothing_that_cannot_be_seen() -> None:
    for name in ("x" * 1_000_000 + "-", "\x1b[31m\u202e\n" * 1000):
        error = refused(record(name=name))
        assert len(str(error)) < 1000
        assert str(error).isprintable()
    deep = '{"type":"array","items":' * 150 + "5" + "}" * 150
    with pytest.raises(MalformedSchema) as raised:
        parse(deep)
    assert len(raised.value.path) > 800
    assert len(str(raised.value)) < 400


def test_a_secret_in_a_name_is_not_shown() -> None:
    assert "hunter2" not in str(refused("password=hunter2"))


def test_a_name_has_a_longest_length() -> None:
    assert root(record(name="n" * 1000)).name == "n" * 1000
    for attributes in ({"name": "n" * 1001}, {"namespace": "n" * 999}, {"namespace": "n" * 10**6}):
        assert "longer than 1,000" in refused(record(**attributes)).reason


def test_the_last_node_is_read_and_the_next_refused() -> None:
    # The record, and for each field the field and its type.
    fields = [{"name": f"f{i}", "type": "int"} for i in range(MOST_NODES // 2)]
    assert root(record(*fields[1:]))
    assert "more than 20,000" in refused(record(*fields)).reason
    symbols = [f"S{i}" for i in range(MOST_NODES)]
    assert "more than 20,000" in refused({"type": "enum", "name": "E", "symbols": symbols}).reason
    assert "more than 20,000" in refused(record(aliases=symbols)).reason


def far_down(frames: int, do: Callable[[], None]) -> None:
    do() if frames == 0 else far_down(frames - 1, do)


def nested(*around: str, core: str = '"int"', times: int) -> str:
    head, tail = around
    return head * times + core + tail * times


RECORDS = "".join(
    f'{{"type":"record","name":"R{i}","fields":[{{"name":"f","type":' for i in range(66)
)
SELF = {"name": "next", "type": ["null", "R"], "default": "X"}
DEEP = {
    "arrays": nested('{"type":"array","items":', "}", times=200),
    "maps": nested('{"type":"map","values":', "}", times=200),
    "unions": nested('[{"type":"array","items":', "}]", times=100),
    "records": RECORDS + '"int"' + "}]}" * 66,
    "default": json.dumps(record({"name": "n", "type": "int"}, SELF)).replace(
        '"X"', nested('{"n":1,"next":', "}", core="null", times=197)
    ),
}


@pytest.mark.parametrize("name", DEEP)
def test_the_deepest_schemas_are_handled_far_down_the_stack_of_a_thread(name: str) -> None:
    done: list[bool] = []

    def use() -> None:
        text = DEEP[name]
        schema, other = parse(text), parse(text.replace('"int"', '"long"'))
        assert hash(schema) != hash(other)
        assert parse(canonical(schema)) == schema
        assert normalised(schema) != normalised(other)
        assert fingerprint(schema) != fingerprint(other)
        assert incompatibilities(schema, other) != ()
        assert differences(schema, other) != ()
        done.append(True)

    # pytest reports an exception in a thread as a warning, and so as an error.
    thread = threading.Thread(target=lambda: far_down(150, use))
    thread.start()
    thread.join()
    assert done


@pytest.mark.parametrize(
    "text",
    [
        "[" * 1000,
        "[" * 100_000 + "]" * 100_000,
        '{"type":"array","items":' * 100_000,
        '"' + "a" * 3_000_000 + '"',
        '"' + "a." * 1_000_000 + '"',
        "[" + ",".join(['"null"'] * 200_000) + "]",
        "[" + ",".join(f'"T{i}"' for i in range(100_000)) + "]",
        json.dumps(record(*[{"name": "f", "type": "int"}] * 30_000)),
        json.dumps(record(namespace="n" * 1_000_000)),
    ],
    ids=lambda text: f"{text[:12]}… {len(text)}",
)
def test_a_schema_that_was_made_to_hurt_is_refused_soon(text: str) -> None:
    start = time.perf_counter()
    with pytest.raises(MalformedSchema):
        parse(text)
    assert time.perf_counter() - start < 3


def test_a_default_that_many_branches_might_take_is_bounded() -> None:
    names = [f"Z{i}" for i in range(60)]
    records = [
        {"type": "record", "name": name, "fields": [{"name": "x", "type": names[: index + 1]}]}
        for index, name in enumerate(names)
    ]
    value: Any = 1
    for _ in range(150):
        value = {"x": value}
    last = record({"name": "d", "type": names, "default": value})
    start = time.perf_counter()
    with pytest.raises(TooComplex, match="too long to check"):
        root([*records, last])
    assert time.perf_counter() - start < 3


def chain(length: int, last: str) -> str:
    """Define records that each use the one before: flat as text, deep by name."""
    return json.dumps(
        [
            {
                "type": "record",
                "name": f"R{i}",
                "fields": [{"name": "f", "type": f"R{i - 1}" if i else last}],
            }
            for i in range(length)
        ]
    )


def test_a_long_chain_of_names_is_followed_without_recursion() -> None:
    start = time.perf_counter()
    old, new = (parse('"R5999"', [chain(6000, last)]) for last in ("int", "string"))
    assert len(parsing_form(old)) > 300_000
    assert fingerprint(old) != fingerprint(new)
    assert canonical(old) == normalised(old) == '"R5999"'
    (problem,) = incompatibilities(old, new)
    assert problem.path.startswith("/fields/0/type/fields/0/type/")
    assert len(problem.path) <= 2000
    (difference,) = differences(old, new)
    assert difference.path == "R0.f"
    assert time.perf_counter() - start < 10


def fan(length: int, first: str) -> str:
    """Define records that each may hold any of the fifty before."""
    return json.dumps(
        [
            {
                "type": "record",
                "name": f"R{i}",
                "fields": [
                    {"name": "f", "type": [first, *(f"R{j}" for j in range(max(0, i - 50), i))]}
                ],
            }
            for i in range(length)
        ]
    )


def test_a_fan_of_unions_does_not_multiply() -> None:
    start = time.perf_counter()
    old, new = parse(fan(300, "null")), parse(fan(300, "string"))
    assert len(incompatibilities(old, new)) == 100
    assert len(differences(old, new)) == 300
    assert time.perf_counter() - start < 10


def alike(count: int, names: str) -> dict[str, Any]:
    """Define a ring of records, all of the simple name R, so that any may match any."""
    inner: Any = f"{names}0.R"
    for i in range(count - 1, 0, -1):
        inner = record({"name": "f", "type": inner}, name=f"{names}{i}.R")
    return record({"name": "f", "type": inner}, name=f"{names}0.R")


def test_two_rings_of_names_meet_in_every_pair_and_no_more() -> None:
    start = time.perf_counter()
    reader, writer = parse(json.dumps(alike(59, "r"))), parse(json.dumps(alike(61, "w")))
    assert incompatibilities(reader, writer) == ()
    assert time.perf_counter() - start < 5


def test_a_comparison_that_would_take_too_long_is_given_up() -> None:
    # 60 times 60 pairs of records, each with 300 fields to look at.
    fields = [{"name": f"x{i}", "type": "int"} for i in range(150)]

    def wide(count: int, names: str) -> str:
        ring = alike(count, names)
        here: Any = ring
        while isinstance(here, dict):
            here["fields"] += fields
            here = here["fields"][0]["type"]
        return json.dumps(ring)

    reader, writer = parse(wide(59, "r")), parse(wide(61, "w"))
    start = time.perf_counter()
    with pytest.raises(TooComplex, match="takes too long"):
        incompatibilities(reader, writer)
    with pytest.raises(TooComplex, match="takes too long"):
        differences(reader, writer)
    assert time.perf_counter() - start < 10


def test_many_symbols_and_aliases_are_compared_in_time() -> None:
    many = [f"A{i}" for i in range(19_000)]
    start = time.perf_counter()
    reader = parse(json.dumps({"type": "enum", "name": "E", "symbols": many}))
    writer = parse(json.dumps({"type": "enum", "name": "E", "symbols": [f"x{a}" for a in many]}))
    (problem,) = incompatibilities(reader, writer)
    assert problem.reason.startswith('the reading schema lacks "xA0", "xA1", ')
    assert "and 18995 more in" in problem.reason
    assert (
        incompatibilities(
            parse(json.dumps(record(aliases=many))), parse(json.dumps(record(name="A9")))
        )
        == ()
    )
    assert time.perf_counter() - start < 5
