import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from schema_registry.avro.names import NoAvroName, legal, namespace, original
from schema_registry.table_name import TableName

# What Postgres can store as a name, with many that look like our escapes.
letters = st.characters(exclude_characters="\0", exclude_categories=["Cs"])
names = st.one_of(
    st.text(letters, min_size=1),
    st.lists(
        st.sampled_from(["_", "u", "_u", "005f", "_u005f", "ä", "0", "F", "🐘"]), min_size=1
    ).map("".join),
)


@given(names)
@example("_u005f")
@example("__u00e4")
@example("_uä")
def test_every_name_becomes_legal_and_can_be_had_back(name: str) -> None:
    given_name = legal(name)
    assert re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", given_name)
    assert original(given_name) == name


@given(names, names)
def test_two_names_never_become_one(one: str, other: str) -> None:
    assert (legal(one) == legal(other)) == (one == other)


@given(st.from_regex(r"[A-Za-z_][A-Za-z0-9_]*", fullmatch=True))
def test_a_legal_name_stays_unless_it_looks_like_an_escape(name: str) -> None:
    assert (legal(name) == name) == (re.search("_u[0-9a-f]{4}", name) is None)


@given(st.text(st.sampled_from("_u0aAdf8🐘")))
def test_any_text_is_one_of_our_names_or_refused(text: str) -> None:
    try:
        name = original(text)
    except NoAvroName:
        return
    assert legal(name) == text


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("order_id", "order_id"),
        ("größe", "gr_u00f6_u00dfe"),
        ("a-b", "a_u002db"),
        ("2nd", "_u0032nd"),
        ("a2", "a2"),
        ("🐘", "_ud83d_udc18"),
        ("_u0041", "_u005fu0041"),
        ("_U0041", "_U0041"),
        ("_u00E4", "_u00E4"),
    ],
)
def test_a_name_is_written_thus(name: str, written: str) -> None:
    assert legal(name) == written


@pytest.mark.parametrize("text", ["", "_ud83d", "_u0041", "a-b", "_udc18_ud83d"])
def test_what_we_would_not_write_is_not_read(text: str) -> None:
    with pytest.raises(NoAvroName):
        original(text)


def test_a_dot_parts_the_prefix_and_not_the_names_of_schema_and_table() -> None:
    table = TableName("a.b", "1st")
    assert namespace("eu.shop-1", table) == "eu.shop_u002d1.a_u002eb._u0031st"
    with pytest.raises(NoAvroName):
        namespace("eu..shop", table)
