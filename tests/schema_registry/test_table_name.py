import pytest
from hypothesis import given
from hypothesis import strategies as st

from schema_registry.table_name import LONGEST_NAME, MalformedTableName, TableName, is_pattern

# What Postgres can store as a name: no NUL, no half of a surrogate pair, 63 bytes.
names = (
    st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1)
    .map(lambda text: text.encode()[:LONGEST_NAME].decode(errors="ignore"))
    .filter(bool)
)


@given(names, names)
def test_whatever_postgres_can_store_reads_back_as_it_was(schema: str, table: str) -> None:
    name = TableName(schema, table)
    assert TableName.parse(str(name)) == name


@given(names, names)
def test_no_printed_name_is_taken_for_a_pattern(schema: str, table: str) -> None:
    assert not is_pattern(str(TableName(schema, table)))


@given(st.text())
def test_any_text_is_a_table_or_refused(text: str) -> None:
    try:
        name = TableName.parse(text)
    except MalformedTableName:
        return
    assert TableName.parse(str(name)) == name


@pytest.mark.parametrize(
    ("text", "schema", "table"),
    [
        ("public.orders", "public", "orders"),
        ("public.Orders", "public", "Orders"),
        ('"public"."orders"', "public", "orders"),
        ('public."a.b"', "public", "a.b"),
        ('"a.b".c', "a.b", "c"),
        ('public."say ""hi"""', "public", 'say "hi"'),
        ('public."; DROP TABLE x"', "public", "; DROP TABLE x"),
        ("public.two words", "public", "two words"),
        ("öffentlich.größe", "öffentlich", "größe"),
        ('public."*"', "public", "*"),
    ],
)
def test_quotes_hold_what_would_end_a_name(text: str, schema: str, table: str) -> None:
    assert TableName.parse(text) == TableName(schema, table)


@pytest.mark.parametrize(
    "text",
    ["", "orders", ".", "public.", ".orders", "a.b.c", 'public."orders', 'public.or"ders', '"".a'],
)
def test_a_text_that_names_no_table_is_refused(text: str) -> None:
    with pytest.raises(MalformedTableName, match=r"schema\.table"):
        TableName.parse(text)


def test_a_name_that_postgres_would_cut_is_refused() -> None:
    assert TableName.parse("public." + "ä" * 31).table == "ä" * 31
    with pytest.raises(MalformedTableName, match="64 bytes"):
        TableName.parse("public." + "ä" * 32)


def test_a_name_with_nul_is_refused() -> None:
    with pytest.raises(MalformedTableName, match="NUL"):
        TableName.parse("public.a\0b")


def test_a_lone_star_is_a_pattern_and_a_quoted_one_a_table() -> None:
    assert is_pattern("public.*")
    assert is_pattern('"my schema".*')
    assert not is_pattern('public."*"')
    assert not is_pattern("public.*s")
    assert not is_pattern("*")


def test_names_sort_by_schema_and_then_by_table() -> None:
    parsed = [TableName.parse(text) for text in ("b.a", "a.b", "a.a")]
    assert [str(name) for name in sorted(parsed)] == ["a.a", "a.b", "b.a"]
