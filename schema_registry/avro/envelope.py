"""The Avro schemas of a table's events: their key, and their envelope.

All of them are texts that depend on nothing but what is given, so that the same
table gives the same text, byte by byte, in every process.
"""

import json
from typing import Any, Final

from schema_registry.avro.columns import Names, Part, avro_type, optional
from schema_registry.avro.encoding import Modes, encoding_of
from schema_registry.avro.names import legal, namespace
from schema_registry.table_schema import Column, TableSchema

# Under this attribute a field keeps the exact name of its column, if it had to change.
EXACT_NAME: Final = "penstock.column"

_ENVELOPE_VERSION: Final = 2
_SNAPSHOT_WORDS: Final = (
    "true,first,first_in_data_collection,last_in_data_collection,last,false,incremental"
)


def key_schema(table: TableSchema, prefix: str, modes: Modes) -> str | None:
    """Give the schema of a table's keys, or None if it has no key."""
    if not table.key:
        return None
    names = Names()
    fields = [_column_field(table.column(name), names, modes, required=True) for name in table.key]
    return _text(_record(table, prefix, "Key", fields, names))


def envelope_schema(table: TableSchema, prefix: str, modes: Modes) -> str:
    """Give the schema of a table's events.

    A column of the key is required, every other one may be null and is null by
    default, NOT NULL or not: docs/decisions/0006-avro-of-a-row.md says why.
    """
    names = Names()
    columns = [
        _column_field(column, names, modes, required=column.name in table.key)
        for column in table.columns
    ]
    fields = [
        _optional_field("before", _record(table, prefix, "Value", columns, names)),
        _optional_field("after", f"{namespace(prefix, table.name)}.Value"),
        *_origin(names),
        *_handled_at(),
        _optional_field("absent", {"type": "array", "items": "string"}),
    ]
    return _text(_record(table, prefix, "Envelope", fields, names, version=_ENVELOPE_VERSION))


def message_key_schema() -> str:
    """Give the schema of the keys of logical messages."""
    fields = [_optional_field("prefix", "string")]
    return _text(Names().record("io.debezium.connector.postgresql.MessageKey", fields, version=1))


def message_schema() -> str:
    """Give the schema of logical messages."""
    names = Names()
    content = [_optional_field("prefix", "string"), _optional_field("content", "bytes")]
    source, transaction, op = _origin(names)
    message = names.record("io.debezium.connector.postgresql.Message", content, version=1)
    # Debezium's has ts_ms only; the finer ones are optional, so that its readers see no difference.
    handled_at, *finer = _handled_at()
    fields = [op, handled_at, source, transaction, _field("message", message), *finer]
    return _text(names.record("io.debezium.connector.postgresql.MessageValue", fields, version=1))


def transaction_key_schema() -> str:
    """Give the schema of the keys of the transaction topic."""
    fields = [_field("id", "string")]
    return _text(
        Names().record("io.debezium.connector.common.TransactionMetadataKey", fields, version=1)
    )


def transaction_schema() -> str:
    """Give the schema of the transaction topic: where one begins, and what was in it."""
    names = Names()
    counts = [_field("data_collection", "string"), _field("event_count", "long")]
    collection = names.record("event.collection", counts, version=1)
    fields = [
        _field("status", "string"),
        _field("id", "string"),
        _optional_field("event_count", "long"),
        _optional_field("data_collections", {"type": "array", "items": optional(collection)}),
        _field("ts_ms", "long"),
    ]
    return _text(
        names.record("io.debezium.connector.common.TransactionMetadataValue", fields, version=1)
    )


def _record(
    table: TableSchema,
    prefix: str,
    what: str,
    fields: list[dict[str, Any]],
    names: Names,
    version: int | None = None,
) -> Part:
    return names.record(
        f"{namespace(prefix, table.name)}.{what}",
        fields,
        connect_name=f"{prefix}.{table.name.schema}.{table.name.table}.{what}",
        version=version,
    )


def _column_field(column: Column, names: Names, modes: Modes, *, required: bool) -> dict[str, Any]:
    part = avro_type(encoding_of(column.type, modes), names)
    name = legal(column.name)
    given = _field(name, part) if required else _optional_field(name, part)
    if name != column.name:
        given[EXACT_NAME] = column.name
    return given


def _origin(names: Names) -> list[dict[str, Any]]:
    """Give where an event comes from and what it is: source, transaction, op."""
    source = names.record("io.debezium.connector.postgresql.Source", _source_fields(), version=1)
    place = [
        _field("id", "string"),
        _field("total_order", "long"),
        _field("data_collection_order", "long"),
    ]
    transaction = names.record("event.block", place, version=1)
    return [
        _field("source", source),
        _optional_field("transaction", transaction),
        _field("op", "string"),
    ]


def _source_fields() -> list[dict[str, Any]]:
    snapshot = {
        "type": "string",
        "connect.version": 1,
        "connect.parameters": {"allowed": _SNAPSHOT_WORDS},
        "connect.default": "false",
        "connect.name": "io.debezium.data.Enum",
    }
    return [
        _field("version", "string"),
        _field("connector", "string"),
        _field("name", "string"),
        _field("ts_ms", "long"),
        # A default is of the first type of its union.
        {"name": "snapshot", "type": [snapshot, "null"], "default": "false"},
        _field("db", "string"),
        _optional_field("sequence", "string"),
        _optional_field("ts_us", "long"),
        _optional_field("ts_ns", "long"),
        _field("schema", "string"),
        _field("table", "string"),
        _optional_field("txId", "long"),
        _optional_field("lsn", "long"),
        _optional_field("xmin", "long"),
        _optional_field("origin", "string"),
        _optional_field("origin_lsn", "long"),
        _optional_field("commit_lsn", "long"),
    ]


def _handled_at() -> list[dict[str, Any]]:
    return [_optional_field(name, "long") for name in ("ts_ms", "ts_us", "ts_ns")]


def _field(name: str, part: Part) -> dict[str, Any]:
    return {"name": name, "type": part}


def _optional_field(name: str, part: Part) -> dict[str, Any]:
    return {"name": name, "type": optional(part), "default": None}


def _text(schema: Part) -> str:
    return json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
