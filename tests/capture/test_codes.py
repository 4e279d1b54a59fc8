"""The table of codes and the code that raises them agree."""

import re
from pathlib import Path

import capture
import snapshot
from capture.codes import TITLES

CODE = re.compile(r'"(PEN-2\d\d)"')


def test_every_code_in_use_has_a_title_and_every_title_is_in_use() -> None:
    used: set[str] = set()
    for package in (capture, snapshot):
        assert package.__file__ is not None
        for file in Path(package.__file__).parent.rglob("*.py"):
            if file.name != "codes.py":
                used |= set(CODE.findall(file.read_text()))
    assert used == set(TITLES)


def test_a_title_is_one_line_and_stands_for_one_code() -> None:
    assert len(set(TITLES.values())) == len(TITLES)
    assert all("\n" not in title and title for title in TITLES.values())
