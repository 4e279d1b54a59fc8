"""docs/configuration.md says what the code does."""

import re
from pathlib import Path

from penstock.config import errors
from penstock.config.json_schema import json_schema
from tests.penstock.config.files import EXAMPLE, load_text

PAGE = (Path(__file__).parents[3] / "docs" / "configuration.md").read_text()
SCHEMA = json_schema()
SECTIONS = [SCHEMA, *(s for name, s in SCHEMA["$defs"].items() if name != "Reference")]


def cells() -> list[list[str]]:
    return [line.strip("|").split(" | ") for line in PAGE.splitlines() if line.startswith("| ")]


def test_the_example_of_the_page_is_the_one_that_is_tested(tmp_path: Path) -> None:
    (example, *_) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    assert example == EXAMPLE
    assert load_text(tmp_path, example).name == "shop"


def test_every_key_has_a_row() -> None:
    words = {
        word.split(".")[-1]
        for row in cells()
        for cell in row[:2]
        for word in re.findall(r"`([\w.]+)`", cell)
    }
    keys = {key for section in SECTIONS for key in section["properties"]} - {"kind", "snapshot"}
    assert keys <= words


def test_every_choice_and_every_default_is_on_the_page() -> None:
    for section in SECTIONS:
        for key, schema in section["properties"].items():
            choices: list[str] = next(
                (s["enum"] for s in schema.get("anyOf", []) if "enum" in s), []
            )
            rows = "".join(
                " | ".join(row)
                for row in cells()
                if f"`{key}`" in row[0] + row[1] or f".{key}`" in row[0]
            )
            for word in [*choices, *([schema["default"]] if "default" in schema else [])]:
                if not isinstance(word, dict):
                    assert f"`{word}`" in rows, f"{key}: {word}"


def test_every_code_is_on_the_page() -> None:
    codes = {kind.code for kind in errors.ConfigError.__subclasses__()}
    assert codes == set(re.findall(r"PEN-\d+", PAGE))
