"""YAML within bounds: what is refused, in which line, and how words are read."""

import time
from pathlib import Path

import pytest

from penstock.config import document, tree
from penstock.config.document import DEEPEST, LARGEST_FILE, MOST_NODES
from penstock.config.errors import MalformedDocument
from tests.penstock.config.files import SMALL, open_text, refusal

REFUSED: dict[str, tuple[str | bytes, int, str]] = {
    "an empty file": ("", 1, "the file is empty"),
    "only comments": ("# name: shop\n\n", 1, "the file is empty"),
    "an empty document": ("---\n...\n", 1, "the file is empty"),
    "a list": ("\n- name: shop\n", 2, "the file must be a mapping"),
    "a word": ("shop\n", 1, "the file must be a mapping"),
    "two documents": ("name: shop\n---\nname: shop\n", 2, "a second document begins"),
    "a key given twice": (
        "a:\n  b: 1\n  c: 2\n  b: 3\n",
        4,
        "a.b: the key is given twice, first in line 2",
    ),
    "a number as key": ("a: 1\n2: b\n", 2, "a key must be text"),
    "nothing as key": ("a: 1\n~: b\n", 2, "a key must be text"),
    "a list as key": ("a: 1\n? [b]\n: c\n", 2, "a key must be text"),
    "templates": ("a: 1\nb: {{ c }}\n", 2, "a key must be text"),
    "an alias as key": ("a: &x b\n*x : c\n", 2, "a key must be text"),
    "a Python object": ("a: 1\nb: !!python/object/apply:os.system [id]\n", 2, "tags"),
    "a tag of our own": ("a: !secret b\n", 1, "tags"),
    "a tag on a mapping": ("a: !!map {b: c}\n", 1, "tags"),
    "a standard tag": ("a: !!str 1\n", 1, "tags"),
    "a tag without handle": ("a: !x!y z\n", 1, "tags"),
    "a merge key": ("a: &x {b: c}\nd:\n  <<: *x\n", 3, "merge keys"),
    "an anchor in itself": ("a: &x\n  - b\n  - *x\n", 3, "an anchor contains itself"),
    "an unknown alias": ("a: 1\nb: *x\n", 2, "names no anchor"),
    "a NUL character": ("a: 1\nb: c\0d\n", 2, "U+0000"),
    "an escape character": ("a: 1\r\nb: \x1b[31m\r\n", 2, "U+001B"),
    "a line end of Unicode": ("a: 1\nb: c\u2028d\n", 2, "U+2028"),
    "an escaped NUL": ('a: 1\nb: "c\\0d"\n', 2, "U+0000"),
    "half a character": ('a: "\\ud800"\n', 1, "U+D800"),
    "an impossible character": ('a: 1\nb: "\\UFFFFFFFF"\n', 2, "not valid YAML"),
    "an endless version": (f"%YAML 1.{'9' * 5000}\n---\na: 1\n", 1, "not valid YAML"),
    "bytes of Latin-1": ("a: 1\nb: müde\n".encode("latin-1"), 2, "not UTF-8"),
    "UTF-16": ("a: 1\n".encode("utf-16"), 1, "not UTF-8"),
    "an open quote": ('a: 1\nb: "c\n', 3, "a quote is not closed"),
    "an open bracket": ("a: [b, c\nd: e\n", 2, "not closed"),
    "a colon too many": ("a: b: c\n", 1, "a second ': ' in one line"),
    "a colon too few": ("a: 1\nbcd\ne: 2\n", 3, "a key without a colon"),
    "a tab": ("a:\n\tb: 1\n", 2, "indent with spaces"),
    "a wrong indentation": ("a:\n    b: 1\n  c: 2\n", 3, "indentation"),
    "a percent sign in front": ("a: %b\n", 1, "put the value in quotes"),
    "an unknown escape": ('a: "\\d"\n', 1, "use single quotes"),
    "a reference in a flow": ("a: {b: ${C}}\n", 1, "a ${...} must stand in quotes"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_a_connector_file_never_needs_is_refused_with_its_line(
    case: str, tmp_path: Path
) -> None:
    text, line, reason = REFUSED[case]
    code, lines = refusal(tmp_path, text)
    assert code == "PEN-102"
    assert len(lines) == 1
    assert lines[0].startswith(f"shop.yaml:{line}: ")
    assert reason in lines[0]


def test_a_file_of_exactly_the_largest_size_loads_and_one_byte_more_does_not(
    tmp_path: Path,
) -> None:
    filled = SMALL + "#" * (LARGEST_FILE - len(SMALL))
    assert open_text(tmp_path, filled).connector.name == "shop"
    code, lines = refusal(tmp_path, filled + "#")
    assert (code, lines) == ("PEN-102", ["shop.yaml: the file is larger than 1048576 bytes"])


def nested(depth: int) -> str:
    return "a: " + "[" * (depth - 1) + "]" * (depth - 1) + "\n"


def test_nesting_is_counted_through_aliases_too() -> None:
    assert document.parse(nested(DEEPEST).encode(), "f").height == DEEPEST
    half = f"x: &x {'[' * 16}{']' * 16}\n"
    assert document.parse(f"{half}y: {'[' * 15}*x{']' * 15}\n".encode(), "f").height == DEEPEST
    for text in (nested(DEEPEST + 1), f"{half}y: {'[' * 16}*x{']' * 16}\n"):
        with pytest.raises(MalformedDocument, match="nested more than 32 levels"):
            document.parse(text.encode(), "f")


@pytest.mark.parametrize(
    "text",
    [
        nested(10_000),
        "a: " + "{b: " * 10_000,
        "".join(" " * depth + "a:\n" for depth in range(1_400)),
        "a:\n" + "- " * 10_000,
        "? " * 10_000,
        "[" * LARGEST_FILE,
    ],
    ids=["lists", "mappings", "indented", "dashes", "question marks", "a megabyte"],
)
def test_a_file_nested_ten_thousand_deep_is_refused_quickly(text: str, tmp_path: Path) -> None:
    started = time.monotonic()
    code, lines = refusal(tmp_path, text)
    assert code == "PEN-102"
    assert "levels deep" in lines[0] or "a key must be text" in lines[0]
    assert time.monotonic() - started < 5


def laughs(factor: int, levels: int) -> str:
    text = "a0: &a0 [" + ", ".join(["lol"] * factor) + "]\n"
    for level in range(1, levels):
        text += f"a{level}: &a{level} [" + ", ".join([f"*a{level - 1}"] * factor) + "]\n"
    return text


def test_a_billion_laughs_are_refused_in_bounded_time_at_the_line_that_explodes(
    tmp_path: Path,
) -> None:
    started = time.monotonic()
    code, lines = refusal(tmp_path, laughs(9, 20))
    assert code == "PEN-102"
    # Four lines expand to 10 + 91 + 820 + 7,381 values. Each alias in the fifth
    # adds 7,381 again, so its second is the one too many.
    assert lines[0].startswith("shop.yaml:5: a4[1]: the file holds more than 20000 values")
    assert time.monotonic() - started < 2


def test_as_many_values_as_allowed_are_read() -> None:
    # The top, the key and the list count as well.
    row = "a: [" + ", ".join(["1"] * (MOST_NODES - 3)) + "]\n"
    assert isinstance(document.parse(row.encode(), "f"), tree.Mapped)
    with pytest.raises(MalformedDocument, match="more than 20000 values"):
        document.parse(row.replace("[", "[1, ").encode(), "f")


def test_anchors_that_stay_small_are_welcome(tmp_path: Path) -> None:
    text = SMALL + "stores:\n  a: &s {kind: iceberg, warehouse: s3://x/y}\n  b: *s\n"
    stores = open_text(tmp_path, text).connector.stores
    assert stores["a"] == stores["b"]


def test_an_anchor_given_again_means_the_later_one() -> None:
    root = document.parse(b"a: &x [&x 1, *x]\nb: *x\n", "f")
    assert tree.plain(root) == {"a": [1, 1], "b": 1}


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("no", "no"),
        ("on", "on"),
        ("Yes", "Yes"),
        ("12:30", "12:30"),
        ("190:20:30", "190:20:30"),
        ("2024-01-01", "2024-01-01"),
        ("1_000", "1_000"),
        ("0b11", "0b11"),
        ("010", 10),
        ("0o10", 8),
        ("0xff", 255),
        ("-7", -7),
        ("1.", 1.0),
        (".5e1", 5.0),
        ("-.inf", float("-inf")),
        ("true", True),
        ("False", False),
        ("tRue", "tRue"),
        ("~", None),
        ("", None),
        ("null", None),
        ("'null'", "null"),
        ('"1"', "1"),
        ("9" * 5000, float("inf")),
    ],
)
def test_words_are_read_as_yaml_1_2_reads_them(word: str, value: object) -> None:
    root = document.parse(f"a: {word}\n".encode(), "f")
    assert tree.plain(root) == {"a": value}
    assert type(tree.plain(root)["a"]) is type(value)


def test_a_byte_order_mark_is_no_part_of_the_first_key(tmp_path: Path) -> None:
    assert open_text(tmp_path, b"\xef\xbb\xbf" + SMALL.encode()).connector.name == "shop"


def test_every_key_and_item_knows_its_line() -> None:
    root = document.parse(b"a: 1\nb:\n  c: [1,\n      2]\n  d:\n  - x\n", "f")
    lines = {place: line for place, line, _ in tree.walk(root)}
    assert lines == {
        (): 1,
        ("a",): 1,
        ("b",): 2,
        ("b", "c"): 3,
        ("b", "c", 0): 3,
        ("b", "c", 1): 4,
        ("b", "d"): 5,
        ("b", "d", 0): 6,
    }
