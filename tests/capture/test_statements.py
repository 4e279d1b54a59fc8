"""Statements for people to run."""

import pytest

from capture.statements import named, quoted, statement


@pytest.mark.parametrize("build", [named, quoted])
def test_a_nul_is_refused_before_it_can_cut_a_statement(build: type) -> None:
    with pytest.raises(ValueError, match="NUL"):
        build("a\0b")


def test_names_and_values_cannot_leave_their_quotes() -> None:
    text = statement(
        "SELECT {value} FROM {name}",
        value=quoted("it's \\ here"),
        name=named("s", 'a"; DROP TABLE x; --'),
    )
    assert text == """SELECT  E'it''s \\\\ here' FROM "s"."a""; DROP TABLE x; --\""""
