"""Variables and files inside values: what they give, and what is said when they don't."""

import os
from pathlib import Path

import pytest

from penstock.config.references import LARGEST_VALUE
from tests.penstock.config.files import SMALL, load_text, refusal

PREFIX = "  topic_prefix: "


def prefix(folder: Path, written: str, **environ: str) -> str:
    return load_text(folder, f"{SMALL}{PREFIX}{written}\n", environ).kafka.topic_prefix


def refused(folder: Path, written: str, **environ: str) -> str:
    code, lines = refusal(folder, f"{SMALL}{PREFIX}{written}\n", environ)
    assert code == "PEN-103"
    assert len(lines) == 1
    assert lines[0].startswith("shop.yaml:7: kafka.topic_prefix: ")
    return lines[0].removeprefix("shop.yaml:7: kafka.topic_prefix: ")


def test_a_variable_stands_for_a_value_or_a_part_of_one(tmp_path: Path) -> None:
    assert prefix(tmp_path, "${A}", A="x") == "x"
    assert prefix(tmp_path, "a-${A}.${B_2}", A="x", B_2="y") == "a-x.y"
    assert prefix(tmp_path, "'${A}${A}'", A="x") == "xx"


def test_a_default_serves_a_variable_that_is_missing_or_empty(tmp_path: Path) -> None:
    assert prefix(tmp_path, "${A:-x}") == "x"
    assert prefix(tmp_path, "${A:-x}", A="") == "x"
    assert prefix(tmp_path, "${A:-x}", A="y") == "y"
    assert prefix(tmp_path, "a${A:-}") == "a"


def test_a_doubled_dollar_gives_a_plain_one(tmp_path: Path) -> None:
    text = SMALL.replace("[public.orders]", "['public.$${A}', 'public.$$x', 'public.$1']")
    tables = load_text(tmp_path, text, {"A": "never"}).source.tables
    assert [str(table) for table in tables] == ["public.${A}", "public.$$x", "public.$1"]


def test_a_value_is_never_read_as_yaml_nor_looked_into_again(tmp_path: Path) -> None:
    text = SMALL.replace("[public.orders]", "['public.${A}']")
    value = "x]\nregistry: http://evil ${B} *y # z"
    assert (
        load_text(tmp_path, text, {"A": value, "B": "no"}).source.tables[0]
        == (load_text(tmp_path, text, {"A": value}).source.tables[0])
    )
    assert str(load_text(tmp_path, text, {"A": value}).source.tables[0]) == f"public.{value}"


def test_a_number_may_come_from_a_variable(tmp_path: Path) -> None:
    for written in ("${N}", "'${N}'", "${M:-6}"):
        text = f"{SMALL}  partitions: {written}\n"
        assert load_text(tmp_path, text, {"N": "6"}).kafka.partitions == 6
    code, lines = refusal(tmp_path, f"{SMALL}  partitions: ${{N}}\n", {"N": "many"})
    assert (code, lines) == (
        "PEN-104",
        ["shop.yaml:7: kafka.partitions: must be a whole number, and ${N} gives other text"],
    )


def test_text_from_a_variable_stays_text_though_it_looks_like_a_number(tmp_path: Path) -> None:
    assert prefix(tmp_path, "${A}", A="2024") == "2024"


def test_a_file_gives_its_content_without_the_last_line_end(tmp_path: Path) -> None:
    (tmp_path / "secrets").mkdir()
    for content, expected in (("x\n", "x"), ("x\r\n", "x"), ("x", "x")):
        (tmp_path / "secrets" / "p").write_bytes(content.encode())
        assert prefix(tmp_path, "${file:secrets/p}") == expected
        assert prefix(tmp_path, f"${{file:{tmp_path}/secrets/p}}") == expected
    (tmp_path / "p").write_text("x\n\n")
    text = (
        SMALL
        + "  security: {protocol: sasl_ssl, mechanism: PLAIN, username: u, password: '${file:p}'}\n"
    )
    security = load_text(tmp_path, text).kafka.security
    assert security is not None
    assert security.password is not None
    assert security.password.reveal() == "x\n"


def test_all_that_is_missing_is_named_at_once_with_the_way_to_set_it(tmp_path: Path) -> None:
    text = (
        SMALL.replace("host=db.example.com dbname=shop", "${SHOP_DSN}")
        + PREFIX
        + "${A}-${file:b}\n"
    )
    code, lines = refusal(tmp_path, text, {})
    assert code == "PEN-103"
    assert [line.split(";")[0] for line in lines] == [
        "shop.yaml:3: source.dsn: the variable SHOP_DSN is not set",
        "shop.yaml:7: kafka.topic_prefix: the variable A is not set",
        "shop.yaml:7: kafka.topic_prefix: the file b does not exist",
    ]
    assert "`export SHOP_DSN=...`" in lines[0]
    assert "put the value into b" in lines[2]


def test_a_variable_of_nearly_the_name_is_suggested_by_name_only(tmp_path: Path) -> None:
    said = refused(tmp_path, "${SHOP_PREFIX}", SHOP_PREFX="hunter2", OTHER="x")
    assert "did you mean ${SHOP_PREFX}?" in said
    assert "hunter2" not in said
    assert "did you mean ${shop_prefix}?" in refused(tmp_path, "${SHOP_PREFIX}", shop_prefix="x")
    assert "did you mean" not in refused(tmp_path, "${SHOP_PREFIX}", OTHER="x")


def test_an_empty_variable_counts_as_missing(tmp_path: Path) -> None:
    assert "the variable A is empty" in refused(tmp_path, "${A}", A="")


def test_a_variable_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    assert "does not hold UTF-8" in refused(tmp_path, "${A}", A=os.fsdecode(b"\xff"))


@pytest.mark.parametrize(
    "written",
    [
        "'${'",
        "'a ${b'",
        "'${}'",
        "'${file:}'",
        "'${A B}'",
        "'${1A}'",
        "'${A:?b}'",
        "'${A-b}'",
        "'${A:-${B}}'",
    ],
)
def test_a_broken_reference_is_refused_and_the_right_forms_are_shown(
    written: str, tmp_path: Path
) -> None:
    assert "write ${NAME}, ${NAME:-default} or ${file:path}" in refused(
        tmp_path, written, A="x", B="x"
    )


def test_a_file_that_is_no_value_is_refused_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "large").write_bytes(b"x" * (LARGEST_VALUE + 1))
    (tmp_path / "latin").write_bytes(b"\xe4")
    (tmp_path / "nul").write_bytes(b"a\0b")
    (tmp_path / "empty").write_bytes(b"\n")
    reasons = {
        "folder": "not a regular file",
        "pipe": "not a regular file",
        "large": "larger than 65536 bytes",
        "latin": "does not hold UTF-8",
        "nul": "NUL",
        "empty": "is empty",
        "folder/x/y": "does not exist",
        "latin/x": "can't be read (Not a directory)",
        "x" * 5000: "can't be read (File name too long)",
    }
    for name, reason in reasons.items():
        assert reason in refused(tmp_path, f"${{file:{name}}}"), name


def test_the_largest_file_allowed_is_read_whole(tmp_path: Path) -> None:
    (tmp_path / "large").write_bytes(b"x" * LARGEST_VALUE)
    text = SMALL + "registry: {url: 'http://r', token: '${file:large}'}\n"
    registry = load_text(tmp_path, text).registry
    assert registry != "embedded"
    assert registry.token is not None
    assert len(registry.token.reveal()) == LARGEST_VALUE
