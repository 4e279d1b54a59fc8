import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schema_registry.table_name import TableName
from transport.topics import LONGEST_TOPIC, clashes, topic_for

names = st.text(min_size=1, max_size=63)


@pytest.mark.parametrize(
    ("table", "topic"),
    [
        (TableName("public", "orders"), "shop.public.orders"),
        (TableName("Public", "Order-Items_2"), "shop.Public.Order-Items_2"),
        (TableName("public", "two words"), "shop.public.two_words"),
        (TableName("public", 'say "hi"'), "shop.public.say__hi_"),
        (TableName("public", "größe"), "shop.public.gr__e"),
        (TableName("public", "a.b"), "shop.public.a.b"),
        # Debezium counts as Java does: two halves of a surrogate pair.
        (TableName("public", "🚰"), "shop.public.__"),
        (TableName("public", '"; DROP TABLE x'), "shop.public.___DROP_TABLE_x"),
    ],
)
def test_a_topic_is_named_as_debezium_names_it(table: TableName, topic: str) -> None:
    assert topic_for("shop", table) == topic


@given(names, names, names)
def test_every_table_gets_a_topic_that_kafka_accepts(prefix: str, schema: str, table: str) -> None:
    topic = topic_for(prefix, TableName(schema, table))
    assert re.fullmatch(r"[A-Za-z0-9._-]{1,249}", topic)


def test_a_long_name_is_cut_where_kafka_stops() -> None:
    topic = topic_for("p" * 200, TableName("s" * 63, "t"))
    assert topic == "p" * 200 + "." + "s" * 48
    assert len(topic) == LONGEST_TOPIC


def test_tables_that_would_share_a_topic_are_found() -> None:
    spaced, dotted = TableName("public", "a b"), TableName("public", "a_b")
    left, right = TableName("a.b", "c"), TableName("a", "b.c")
    found = clashes("shop", [spaced, left, TableName("public", "other"), dotted, right])
    assert [(clash.topic, clash.tables) for clash in found] == [
        ("shop.a.b.c", (right, left)),
        ("shop.public.a_b", (spaced, dotted)),
    ]


def test_a_table_named_twice_is_no_clash() -> None:
    orders = TableName("public", "orders")
    assert clashes("shop", [orders, orders]) == []


def test_capitals_make_another_topic() -> None:
    assert clashes("shop", [TableName("public", "a"), TableName("public", "A")]) == []
