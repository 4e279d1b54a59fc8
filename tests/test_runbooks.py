"""Every code that a person may meet has a page, and the pages are true to the code."""

import importlib
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from typer.core import TyperGroup
from typer.main import get_command

from penstock.cli.main import app

ROOT = Path(__file__).parents[1]
PACKAGES = ("apply", "capture", "diagnosis", "penstock", "schema_registry", "snapshot", "transport")
SOURCES = [file for package in PACKAGES for file in sorted((ROOT / package).rglob("*.py"))]
PAGES = sorted((ROOT / "docs" / "runbooks").iterdir())

CODE = re.compile(r"PEN-\d{3}")
FINE = "PEN-000"  # what is as it should be needs no page
TABLE = re.compile(r"^(CODES|TITLES)\b.*=", re.MULTILINE)
COMMAND = re.compile(r"(?:`|^ *)penstock ([a-z]+)", re.MULTILINE)
PARTS = ("What it means", "Why it happens", "What to do", "How to see that it is mended")


def codes_in_use() -> set[str]:
    return {code for file in SOURCES for code in CODE.findall(file.read_text())} - {FINE}


def titles() -> dict[str, str]:
    """Gather every table of titles, wherever a module keeps one."""
    found: dict[str, str] = {}
    for file in SOURCES:
        if table := TABLE.search(file.read_text()):
            name = ".".join(file.relative_to(ROOT).with_suffix("").parts)
            entries: Mapping[str, str] = getattr(importlib.import_module(name), table[1])
            for code, title in entries.items():
                assert found.setdefault(code, title) == title, f"{code} has two titles"
    return found


def small_first(title: str) -> str:
    """Some tables begin a title with a capital, some do not."""
    return title[:1].lower() + title[1:]


def name_of(page: Path) -> str:
    return page.name


def test_every_code_has_one_page_and_every_page_a_code() -> None:
    assert [page.name for page in PAGES] == sorted(f"{code}.md" for code in codes_in_use())


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_page_begins_with_its_code_and_a_title(page: Path) -> None:
    first = page.read_text().partition("\n")[0]
    assert re.fullmatch(rf"# {page.stem}: \S.*\S", first)


def test_the_titles_are_those_of_the_code() -> None:
    known = titles()
    assert {code[:5] for code in known} == {"PEN-2", "PEN-3", "PEN-4", "PEN-5"}
    expected = {code: f"# {code}: {small_first(title)}" for code, title in known.items()}
    shown = {}
    for code in known:
        first = (ROOT / "docs" / "runbooks" / f"{code}.md").read_text().partition("\n")[0]
        head, colon, title = first.partition(": ")
        shown[code] = head + colon + small_first(title)
    assert shown == expected


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_page_says_what_why_what_to_do_and_how_to_see_it_in_this_order(page: Path) -> None:
    parts = re.findall(r"^\*\*(.+?)\.\*\*", page.read_text(), re.MULTILINE)
    assert [part for part in parts if part in PARTS] == list(PARTS)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_page_sends_nobody_to_a_code_or_a_command_that_does_not_exist(page: Path) -> None:
    text = page.read_text()
    assert set(CODE.findall(text)) <= codes_in_use() | {FINE}
    group = get_command(app)
    assert isinstance(group, TyperGroup)
    assert set(COMMAND.findall(text)) <= set(group.commands)
