"""Key and envelope of a table's events, as Avro itself and Debezium's readers take them."""

import json
from dataclasses import replace
from decimal import Decimal
from io import BytesIO
from typing import Any

import fastavro
import pytest
from hypothesis import given, settings

from schema_registry.avro.encoding import Modes
from schema_registry.avro.envelope import (
    EXACT_NAME,
    envelope_schema,
    key_schema,
    message_key_schema,
    message_schema,
    transaction_key_schema,
    transaction_schema,
)
from schema_registry.avro.names import original
from schema_registry.avro.parse import parse
from schema_registry.column_type import ColumnType, TypeKind, TypeName, array_of, builtin, numeric
from schema_registry.table_name import TableName
from schema_registry.table_schema import Column, TableSchema
from tests.schema_registry.test_table_schema import tables

MOOD = ColumnType(TypeName("public", "mood"), TypeKind.ENUM, labels=("sad", "ok"))
ORDERS = TableSchema(
    TableName("public", "orders"),
    (
        Column("id", builtin("int4"), nullable=False),
        Column("total", numeric(10, 2), nullable=False),
        Column("größe", builtin("numeric")),
        Column("place", builtin("point")),
        Column("places", array_of(builtin("point"))),
        Column("sizes", array_of(builtin("numeric"), 2)),
        Column("mood", MOOD),
    ),
    key=("id",),
)
SOURCE = {
    "version": "0.1.0",
    "connector": "postgresql",
    "name": "shop",
    "ts_ms": 1,
    "db": "shop",
    "schema": "public",
    "table": "orders",
    "lsn": 5,
    "commit_lsn": 6,
}


def there_and_back(text: str, value: object, reader: str | None = None) -> Any:
    schema = fastavro.parse_schema(json.loads(text))
    buffer = BytesIO()
    fastavro.schemaless_writer(buffer, schema, value)
    buffer.seek(0)
    new = fastavro.parse_schema(json.loads(reader)) if reader else None
    return fastavro.schemaless_reader(buffer, schema, new)


def fields(schema: Any) -> dict[str, Any]:
    return {field["name"]: field for field in schema["fields"]}


def value_of(text: str) -> Any:
    return fields(json.loads(text))["before"]["type"][1]


def test_an_event_can_be_written_and_read() -> None:
    text = envelope_schema(ORDERS, "shop", Modes())
    row = {
        "id": 7,
        "total": Decimal("9.50"),
        "gr_u00f6_u00dfe": {"scale": 1, "value": b"\x05"},
        "place": {"x": 1.0, "y": 2.0, "wkb": None, "srid": None},
        "places": [{"x": 1.0, "y": 2.0, "wkb": b"", "srid": 0}, None],
        "sizes": [[{"scale": 0, "value": b"\x01"}, None]],
        "mood": "ok",
    }
    event = {
        "before": {"id": 7},
        "after": row,
        "source": SOURCE,
        "op": "u",
        "ts_ms": 3,
        "transaction": {"id": "5:6", "total_order": 1, "data_collection_order": 1},
        "absent": ["mood"],
    }
    read = there_and_back(text, event)
    assert read["after"] == row
    assert read["before"] == {**dict.fromkeys(row), "id": 7}
    assert read["source"]["snapshot"] == "false"
    assert read["source"]["commit_lsn"] == 6
    assert read["transaction"]["total_order"] == 1
    assert read["absent"] == ["mood"]


def test_the_fields_stand_in_debezium_s_order_and_ours_behind_them() -> None:
    envelope = json.loads(envelope_schema(ORDERS, "shop", Modes()))
    assert list(fields(envelope)) == [
        *("before", "after", "source", "transaction", "op", "ts_ms", "ts_us", "ts_ns", "absent")
    ]
    assert envelope["connect.version"] == 2
    assert fields(envelope)["after"]["type"] == ["null", "shop.public.orders.Value"]
    source = fields(envelope)["source"]["type"]
    assert source["connect.name"] == "io.debezium.connector.postgresql.Source"
    assert list(fields(source)) == [
        *("version", "connector", "name", "ts_ms", "snapshot", "db", "sequence", "ts_us", "ts_ns"),
        *("schema", "table", "txId", "lsn", "xmin", "origin", "origin_lsn", "commit_lsn"),
    ]


def test_only_columns_of_the_key_are_required() -> None:
    value = value_of(envelope_schema(ORDERS, "shop", Modes()))
    assert fields(value)["id"] == {"name": "id", "type": "int"}
    for name, field in fields(value).items():
        if name != "id":
            assert field["type"][0] == "null"
            assert field["default"] is None


def test_a_name_that_had_to_change_is_kept_beside() -> None:
    value = fields(value_of(envelope_schema(ORDERS, "shop", Modes())))
    assert value["gr_u00f6_u00dfe"][EXACT_NAME] == "größe"
    assert EXACT_NAME not in value["total"]


def test_records_have_debezium_s_names_and_legal_ones() -> None:
    odd = replace(ORDERS, name=TableName("öff", "a.b"))
    envelope = json.loads(envelope_schema(odd, "eu.shop-1", Modes()))
    assert envelope["connect.name"] == "eu.shop-1.öff.a.b.Envelope"
    assert envelope["namespace"] == "eu.shop_u002d1._u00f6ff.a_u002eb"
    assert value_of(json.dumps(envelope))["connect.name"] == "eu.shop-1.öff.a.b.Value"
    key = json.loads(key_schema(odd, "eu.shop-1", Modes()) or "")
    assert (key["name"], key["connect.name"]) == ("Key", "eu.shop-1.öff.a.b.Key")


def test_a_key_holds_its_columns_in_the_order_of_the_key() -> None:
    two = replace(ORDERS, key=("mood", "id"))
    text = key_schema(two, "shop", Modes())
    assert text is not None
    assert list(fields(json.loads(text))) == ["mood", "id"]
    assert there_and_back(text, {"mood": "ok", "id": 1}) == {"mood": "ok", "id": 1}
    assert key_schema(replace(ORDERS, key=()), "shop", Modes()) is None


@settings(max_examples=50)
@given(tables())
def test_every_table_has_a_schema_that_is_accepted_and_the_same_each_time(
    table: TableSchema,
) -> None:
    text = envelope_schema(table, "shop", Modes())
    assert text == envelope_schema(table, "shop", Modes())
    fastavro.parse_schema(json.loads(text))
    parse(text)
    value = fields(value_of(text))
    assert [original(name) for name in value] == [column.name for column in table.columns]
    if (key := key_schema(table, "shop", Modes())) is not None:
        fastavro.parse_schema(json.loads(key))
        parse(key)
    assert (key is None) == (table.key == ())


def test_a_table_of_1600_columns_stays_below_a_megabyte() -> None:
    # The longest names, all of them to be escaped.
    columns = tuple(
        Column(f"{at:05}" + "ä" * 29, numeric(10, 2), number=at) for at in range(1, 1601)
    )
    wide = TableSchema(TableName("public", "wide"), columns, key=(columns[0].name,))
    text = envelope_schema(wide, "shop", Modes())
    assert len(text.encode()) < 1_000_000
    assert len(parse(text).names) == 4
    fastavro.parse_schema(json.loads(text))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (message_key_schema(), {"prefix": "p"}),
        (
            message_schema(),
            {
                "op": "m",
                "ts_ms": 5,
                "source": SOURCE,
                "message": {"prefix": "p", "content": b"\x00"},
            },
        ),
        (transaction_key_schema(), {"id": "5:6"}),
        (transaction_schema(), {"status": "BEGIN", "id": "5:6", "ts_ms": 5}),
        (
            transaction_schema(),
            {
                "status": "END",
                "id": "5:6",
                "event_count": 2,
                "data_collections": [{"data_collection": "public.t", "event_count": 2}],
                "ts_ms": 5,
            },
        ),
    ],
)
def test_messages_and_transactions_can_be_written_and_read(text: str, value: Any) -> None:
    parse(text)
    read = there_and_back(text, value)
    for name, expected in value.items():
        if name != "source":
            assert read[name] == expected


def test_their_names_and_fields_are_debezium_s() -> None:
    message, end = json.loads(message_schema()), json.loads(transaction_schema())
    assert message["connect.name"] == "io.debezium.connector.postgresql.MessageValue"
    assert list(fields(message))[:5] == ["op", "ts_ms", "source", "transaction", "message"]
    assert end["connect.name"] == "io.debezium.connector.common.TransactionMetadataValue"
    assert list(fields(end)) == ["status", "id", "event_count", "data_collections", "ts_ms"]


def test_old_events_are_read_with_the_schema_of_a_grown_table() -> None:
    """Avro's own rules of resolution, applied by fastavro to real bytes."""
    old = envelope_schema(ORDERS, "shop", Modes())
    columns = {column.name: column for column in ORDERS.columns}
    columns["id"] = Column("id", builtin("int8"), nullable=False)
    columns["new"] = Column("new", builtin("text"), nullable=False)
    del columns["place"]
    new = envelope_schema(replace(ORDERS, columns=tuple(columns.values())), "shop", Modes())
    event = {"after": {"id": 1, "total": Decimal("1.00")}, "source": SOURCE, "op": "c"}
    read = there_and_back(old, event, reader=new)
    assert (read["after"]["id"], read["after"]["new"]) == (1, None)
    assert "place" not in read["after"]
