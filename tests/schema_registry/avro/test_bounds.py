"""JSON from strangers is read in linear time, or refused."""

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from schema_registry.avro.bounds import DEEPEST, LONGEST, MalformedJson, read_json


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("null", None),
        (' {"a": [1, 2.5, -3e2, "x", true]} ', {"a": [1, 2.5, -300.0, "x", True]}),
        (r'"\ud83d\ude00 [ { \" ] \\"', '😀 [ { " ] \\'),
        (r'"\\ud800"', "\\ud800"),
    ],
)
def test_json_is_read(text: str, value: Any) -> None:
    assert read_json(text) == value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not JSON: Expecting value at line 1, column 1"),
        ('{"a":', "not JSON"),
        ("{'a': 1}", "not JSON"),
        ("[1] 2", "not JSON: Extra data"),
        ("[NaN]", "NaN is no JSON"),
        ("-Infinity", "-Infinity is no JSON"),
        ("1e999", "too large for a double"),
        ('{"a": {"b": 1, "b": 2}}', "a key twice"),
        (r'"\ud800"', "surrogate"),
        (r'{"\udc00": 1}', "surrogate"),
        ('"\ud800"', "surrogate"),
        ("1" * 1001, "1,000 digits"),
        ("0." + "1" * 1000, "1,000 digits"),
        ("\ufeff{}", "not JSON"),
        ('"a\nb"', "not JSON"),
    ],
)
def test_what_readers_would_disagree_about_is_refused(text: str, reason: str) -> None:
    with pytest.raises(MalformedJson, match=reason) as raised:
        read_json(text)
    assert raised.value.reason == str(raised.value)


def test_a_text_is_as_long_as_its_bytes() -> None:
    assert read_json('"äää"', longest=8) == "äää"
    with pytest.raises(MalformedJson, match="longer than 7 bytes"):
        read_json('"äää"', longest=7)
    with pytest.raises(MalformedJson, match="longer"):
        read_json('"' + "a" * LONGEST)


def test_the_last_level_is_read_and_the_next_refused() -> None:
    assert read_json("[[1]]", deepest=2) == [[1]]
    assert read_json('[["]]]]["], {"[[[": 1}]', deepest=2) == [["]]]]["], {"[[[": 1}]
    with pytest.raises(MalformedJson, match="deeper than 2 levels"):
        read_json('[{"a": []}]', deepest=2)


def test_the_deepest_text_is_read_far_down_the_stack_of_a_thread() -> None:
    found: list[Any] = []
    thread = threading.Thread(
        target=lambda: far_down(150, lambda: found.append(read_json("[" * DEEPEST + "]" * DEEPEST)))
    )
    thread.start()
    thread.join()
    assert str(found[0]).count("[") == DEEPEST


def far_down(frames: int, do: Callable[[], Any]) -> Any:
    return do() if frames == 0 else far_down(frames - 1, do)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 1000,
        '{"a":' * 100_000 + "1" + "}" * 100_000,
        '"' + "a" * 3_000_000 + '"',
        '"' + '\\"' * 1_000_000,
        '"\\' * 650_000,
        '"' * 2_000_000 + "x",
        " " * 2_000_000,
        "9" * 2_000_000,
        "-" * 2_000_000,
        "0." + "9" * 2_000_000,
    ],
    ids=lambda text: f"{text[:6]}… {len(text)}",
)
def test_a_text_that_was_made_to_hurt_is_refused_at_once(text: str) -> None:
    start = time.perf_counter()
    with pytest.raises(MalformedJson):
        read_json(text)
    assert time.perf_counter() - start < 2
