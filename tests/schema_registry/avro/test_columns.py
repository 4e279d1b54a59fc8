"""The Avro type of each type of Postgres, as Debezium's consumers expect it."""

from io import BytesIO
from typing import Any

import fastavro
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schema_registry.avro.columns import Names, avro_type
from schema_registry.avro.encoding import (
    Array,
    Bits,
    Decimal,
    DecimalMode,
    HstoreMode,
    IntervalMode,
    Label,
    Modes,
    Plain,
    TimeMode,
    encoding_of,
)
from schema_registry.column_type import (
    ColumnType,
    TypeKind,
    TypeName,
    array_of,
    builtin,
    numeric,
    varchar,
)

ADAPTIVE_MICROS = Modes(time=TimeMode.ADAPTIVE_TIME_MICROSECONDS)
CONNECT = Modes(time=TimeMode.CONNECT)
DOUBLES, STRINGS = Modes(decimal=DecimalMode.DOUBLE), Modes(decimal=DecimalMode.STRING)


def own(name: str, kind: TypeKind = TypeKind.BASE) -> ColumnType:
    return ColumnType(TypeName("public", name), kind)


def written(column_type: ColumnType, modes: Modes | None = None) -> Any:
    return avro_type(encoding_of(column_type, modes or Modes()), Names())


def named(type_: str, name: str, **more: object) -> dict[str, object]:
    return {"type": type_, "connect.version": 1, "connect.name": name, **more}


def decimal(precision: int, scale: int) -> dict[str, object]:
    return {
        "type": "bytes",
        "scale": scale,
        "precision": precision,
        "connect.version": 1,
        "connect.parameters": {"scale": str(scale), "connect.decimal.precision": str(precision)},
        "connect.name": "org.apache.kafka.connect.data.Decimal",
        "logicalType": "decimal",
    }


@pytest.mark.parametrize(
    ("column_type", "expected"),
    [
        (builtin("bool"), "boolean"),
        (builtin("bit", 1), "boolean"),
        (
            builtin("bit", 9),
            named("bytes", "io.debezium.data.Bits", **{"connect.parameters": {"length": "9"}}),
        ),
        (builtin("int2"), {"type": "int", "connect.type": "int16"}),
        (builtin("int4"), "int"),
        (builtin("int8"), "long"),
        (builtin("oid"), "long"),
        (builtin("float4"), "float"),
        (builtin("float8"), "double"),
        (numeric(10, 2), decimal(10, 2)),
        (builtin("date"), named("int", "io.debezium.time.Date")),
        (builtin("time"), named("long", "io.debezium.time.MicroTime")),
        (builtin("time", 3), named("int", "io.debezium.time.Time")),
        (builtin("timestamp"), named("long", "io.debezium.time.MicroTimestamp")),
        (builtin("timestamp", 3), named("long", "io.debezium.time.Timestamp")),
        (builtin("timestamp", 0), named("long", "io.debezium.time.Timestamp")),
        (builtin("timestamp", 4), named("long", "io.debezium.time.MicroTimestamp")),
        (builtin("timestamptz", 3), named("string", "io.debezium.time.ZonedTimestamp")),
        (builtin("timetz"), named("string", "io.debezium.time.ZonedTime")),
        (builtin("interval"), named("long", "io.debezium.time.MicroDuration")),
        (builtin("json"), named("string", "io.debezium.data.Json")),
        (builtin("jsonb"), named("string", "io.debezium.data.Json")),
        (builtin("xml"), named("string", "io.debezium.data.Xml")),
        (builtin("uuid"), named("string", "io.debezium.data.Uuid")),
        (builtin("tsvector"), named("string", "io.debezium.data.Tsvector")),
        (own("ltree"), named("string", "io.debezium.data.Ltree")),
        (own("hstore"), named("string", "io.debezium.data.Json")),
        (own("citext"), "string"),
        (own("sparsevec"), "string"),
        (own("whatever"), "string"),
        (own("pair", TypeKind.COMPOSITE), "string"),
        (builtin("bytea"), "bytes"),
        *((builtin(name), "string") for name in ("text", "name", "char", "inet", "cidr", "xid")),
        *((builtin(name), "string") for name in ("macaddr", "box", "path", "pg_lsn", "tsquery")),
        (varchar(9), "string"),
        (ColumnType(TypeName("pg_catalog", "int4range"), TypeKind.RANGE), "string"),
        (ColumnType(TypeName("pg_catalog", "int4multirange"), TypeKind.MULTIRANGE), "string"),
        (
            own("vector"),
            named("array", "io.debezium.data.DoubleVector", items="double"),
        ),
        (own("halfvec"), named("array", "io.debezium.data.FloatVector", items="float")),
        (array_of(builtin("int4")), {"type": "array", "items": ["null", "int"]}),
        (
            array_of(builtin("text"), 2),
            {"type": "array", "items": ["null", {"type": "array", "items": ["null", "string"]}]},
        ),
    ],
    ids=lambda value: str(value) if isinstance(value, ColumnType) else "",
)
def test_a_type_is_written_as_debezium_writes_it(column_type: ColumnType, expected: object) -> None:
    assert written(column_type) == expected


@pytest.mark.parametrize(
    ("column_type", "modes", "expected"),
    [
        (numeric(10, 2), DOUBLES, "double"),
        (numeric(10, 2), STRINGS, "string"),
        (builtin("numeric"), DOUBLES, "double"),
        (builtin("numeric"), STRINGS, "string"),
        (builtin("money"), DOUBLES, "double"),
        (builtin("money"), STRINGS, "string"),
        (builtin("time", 3), ADAPTIVE_MICROS, named("long", "io.debezium.time.MicroTime")),
        (
            builtin("date"),
            CONNECT,
            named("int", "org.apache.kafka.connect.data.Date", logicalType="date"),
        ),
        (
            builtin("time"),
            CONNECT,
            named("int", "org.apache.kafka.connect.data.Time", logicalType="time-millis"),
        ),
        (
            builtin("timestamp"),
            CONNECT,
            named(
                "long", "org.apache.kafka.connect.data.Timestamp", logicalType="timestamp-millis"
            ),
        ),
        (
            builtin("interval"),
            Modes(interval=IntervalMode.STRING),
            named("string", "io.debezium.time.Interval"),
        ),
        (
            own("hstore"),
            Modes(hstore=HstoreMode.MAP),
            {"type": "map", "values": ["null", "string"]},
        ),
    ],
)
def test_a_mode_changes_what_it_is_for(
    column_type: ColumnType, modes: Modes, expected: object
) -> None:
    assert written(column_type, modes) == expected
    assert written(column_type) != expected


def test_times_in_microseconds_leave_timestamps_as_they_are() -> None:
    for precision in (3, 6):
        timestamp = builtin("timestamp", precision)
        assert written(timestamp, ADAPTIVE_MICROS) == written(timestamp)


def test_money_has_two_digits_and_the_precision_of_confluent_s_converter() -> None:
    money = written(builtin("money"))
    assert (money["precision"], money["scale"]) == (64, 2)
    assert money["connect.parameters"] == {"scale": "2"}


def test_an_enum_lists_its_labels_and_a_domain_is_its_base() -> None:
    mood = ColumnType(TypeName("public", "mood"), TypeKind.ENUM, labels=("sad", "ok"))
    assert written(mood)["connect.parameters"] == {"allowed": "sad,ok"}
    inner = ColumnType(TypeName("public", "d"), TypeKind.DOMAIN, base=mood)
    outer = ColumnType(TypeName("public", "e"), TypeKind.DOMAIN, base=inner)
    assert written(outer) == written(mood)
    assert encoding_of(array_of(outer), Modes()) == Array(Label(("sad", "ok")))


def test_bit_strings_without_a_limit_and_short_ones_that_vary_stay_bit_strings() -> None:
    assert encoding_of(builtin("varbit"), Modes()) == Bits(2**31 - 1)
    assert encoding_of(builtin("varbit", 1), Modes()) == Bits(1)
    assert encoding_of(builtin("bit"), Modes()) == Bits(2**31 - 1)


def test_a_type_of_somebody_s_own_is_not_taken_for_postgres_own() -> None:
    assert written(own("numeric")) == "string"
    assert written(own("int4")) == "string"


@given(st.integers(1, 1000), st.integers(-1000, 1000))
def test_every_numeric_has_a_legal_decimal_that_holds_its_largest_value(
    precision: int, scale: int
) -> None:
    encoding = encoding_of(numeric(precision, scale), Modes())
    assert isinstance(encoding, Decimal)
    assert 0 <= encoding.scale <= encoding.precision
    # The largest value is precision nines, moved by scale; as digits of the encoding:
    digits = precision + encoding.scale - scale
    assert encoding.scale >= scale
    assert digits <= encoding.precision


def test_a_named_type_is_defined_once_and_then_goes_by_its_name() -> None:
    names = Names()
    first = avro_type(Plain.POINT, names)
    assert isinstance(first, dict)
    assert [field["name"] for field in first["fields"]] == ["x", "y", "wkb", "srid"]
    assert avro_type(Plain.POINT, names) == "io.debezium.data.geometry.Point"
    assert avro_type(Array(Plain.POINT), names) == {
        "type": "array",
        "items": ["null", "io.debezium.data.geometry.Point"],
    }


@pytest.mark.parametrize("encoding", Plain)
def test_every_encoding_has_a_type_that_avro_accepts(encoding: Plain) -> None:
    fastavro.parse_schema(avro_type(encoding, Names()))


@pytest.mark.parametrize(
    ("encoding", "value"),
    [
        (Plain.VARIABLE_DECIMAL, {"scale": 2, "value": b"\x01"}),
        (Plain.POINT, {"x": 1.5, "y": -2.0, "wkb": None, "srid": None}),
        (Plain.GEOMETRY, {"wkb": b"\x01", "srid": 4326}),
        (Plain.GEOGRAPHY, {"wkb": b"\x01", "srid": None}),
        (Plain.HSTORE_MAP, {"a": "1", "b": None}),
        (Plain.DOUBLE_VECTOR, [0.5, 1.0]),
        (Array(Array(Plain.INT32)), [[1, None], None, []]),
        (Bits(9), b"\x01\x01"),
    ],
)
def test_a_value_of_it_can_be_written_and_read(encoding: Any, value: object) -> None:
    schema = fastavro.parse_schema(avro_type(encoding, Names()))
    buffer = BytesIO()
    fastavro.schemaless_writer(buffer, schema, value)
    buffer.seek(0)
    assert fastavro.schemaless_reader(buffer, schema, None) == value
