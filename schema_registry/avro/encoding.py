"""How a column's value is written: the one decision from which all else follows.

The Avro schema is derived from an encoding (``columns``), and so is the code that
writes rows. A schema and a row that disagree are thereby not possible.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final, assert_never

from schema_registry.column_type import ColumnType, TypeKind


class DecimalMode(Enum):
    """How numeric and money are written."""

    PRECISE = "precise"
    DOUBLE = "double"
    STRING = "string"


class TimeMode(Enum):
    """How dates and times without a zone are written."""

    ADAPTIVE = "adaptive"
    ADAPTIVE_TIME_MICROSECONDS = "adaptive_time_microseconds"
    CONNECT = "connect"


class IntervalMode(Enum):
    """How an interval is written."""

    NUMERIC = "numeric"
    STRING = "string"


class HstoreMode(Enum):
    """How hstore is written."""

    JSON = "json"
    MAP = "map"


@dataclass(frozen=True, slots=True)
class Modes:
    """The choices that Debezium leaves to its users, with its defaults."""

    decimal: DecimalMode = DecimalMode.PRECISE
    time: TimeMode = TimeMode.ADAPTIVE
    interval: IntervalMode = IntervalMode.NUMERIC
    hstore: HstoreMode = HstoreMode.JSON


class Plain(Enum):
    """An encoding that needs no parameter. The value says what is written, and from what."""

    BOOLEAN = "a boolean"
    BIT = "a boolean, from a single bit"
    INT16 = "an int of 16 bits"
    INT32 = "an int"
    INT64 = "a long"
    FLOAT = "a float"
    DOUBLE = "a double"
    DECIMAL_DOUBLE = "a double, from numeric"
    DECIMAL_TEXT = "the digits, from numeric"
    VARIABLE_DECIMAL = "scale and unscaled bytes, from numeric"
    MONEY_DOUBLE = "a double, from money"
    MONEY_TEXT = "the digits, from money"
    BYTES = "bytes"
    TEXT = "Postgres' own text"
    JSON = "JSON"
    XML = "XML"
    UUID = "a UUID's text"
    LTREE = "an ltree's text"
    TSVECTOR = "a tsvector's text"
    DATE_DAYS = "days since 1970"
    TIME_MILLIS = "milliseconds since midnight"
    TIME_MICROS = "microseconds since midnight"
    TIMESTAMP_MILLIS = "milliseconds since 1970"
    TIMESTAMP_MICROS = "microseconds since 1970"
    CONNECT_DATE = "days since 1970, as Connect's Date"
    CONNECT_TIME = "milliseconds since midnight, as Connect's Time"
    CONNECT_TIMESTAMP = "milliseconds since 1970, as Connect's Timestamp"
    ZONED_TIME = "ISO text of a time, in UTC"
    ZONED_TIMESTAMP = "ISO text of a moment, in UTC"
    INTERVAL_MICROS = "microseconds, a month being 365.25 / 12 days"
    INTERVAL_TEXT = "an ISO duration"
    HSTORE_JSON = "JSON, from hstore"
    HSTORE_MAP = "a map of text, from hstore"
    POINT = "x and y"
    GEOMETRY = "WKB and SRID, from geometry"
    GEOGRAPHY = "WKB and SRID, from geography"
    DOUBLE_VECTOR = "an array of doubles, from vector"
    FLOAT_VECTOR = "an array of floats, from halfvec"


@dataclass(frozen=True, slots=True)
class Decimal:
    """Unscaled big-endian bytes of a numeric. The precision is never below the scale."""

    precision: int
    scale: int


@dataclass(frozen=True, slots=True)
class Money:
    """Unscaled bytes of money. How many digits follow the point is the server's lc_monetary."""

    scale: int = 2


@dataclass(frozen=True, slots=True)
class Bits:
    """A bit string as little-endian bytes."""

    length: int


@dataclass(frozen=True, slots=True)
class Label:
    """A label of an enum, as text."""

    allowed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Array:
    """Elements in their order, each of which may be null."""

    of: "Encoding"


Encoding = Plain | Decimal | Money | Bits | Label | Array

# What pgjdbc, and with it Debezium, gives for a bit string without a limit.
UNLIMITED_BITS: Final = 2**31 - 1

_BUILTIN: Final = {
    "bool": Plain.BOOLEAN,
    "bytea": Plain.BYTES,
    "float4": Plain.FLOAT,
    "float8": Plain.DOUBLE,
    "int2": Plain.INT16,
    "int4": Plain.INT32,
    "int8": Plain.INT64,
    "json": Plain.JSON,
    "jsonb": Plain.JSON,
    "oid": Plain.INT64,
    "point": Plain.POINT,
    "timestamptz": Plain.ZONED_TIMESTAMP,
    "timetz": Plain.ZONED_TIME,
    "tsvector": Plain.TSVECTOR,
    "uuid": Plain.UUID,
    "xml": Plain.XML,
}
# Extensions may be installed into any schema, so that the name has to do.
_OF_EXTENSIONS: Final = {
    "geography": Plain.GEOGRAPHY,
    "geometry": Plain.GEOMETRY,
    "halfvec": Plain.FLOAT_VECTOR,
    "ltree": Plain.LTREE,
    "vector": Plain.DOUBLE_VECTOR,
}

# Up to this many digits after the second, milliseconds lose nothing.
_MILLIS: Final = 3
_FINEST: Final = 6


def encoding_of(column_type: ColumnType, modes: Modes) -> Encoding:
    """Decide how values of a type are written. A type that we do not know goes as its text."""
    match column_type.kind:
        case TypeKind.ARRAY:
            assert column_type.element is not None
            found = encoding_of(column_type.element, modes)
            for _ in range(column_type.dimensions):
                found = Array(found)
            return found
        case TypeKind.DOMAIN:
            return encoding_of(column_type.resolved, modes)
        case TypeKind.ENUM:
            return Label(column_type.labels)
        case TypeKind.COMPOSITE | TypeKind.RANGE | TypeKind.MULTIRANGE:
            return Plain.TEXT
        case TypeKind.BASE:
            return _base(column_type, modes)
        case unknown:
            assert_never(unknown)


def _base(column_type: ColumnType, modes: Modes) -> Encoding:
    name = column_type.builtin
    if name is None:
        if column_type.name.name == "hstore":
            by_map = modes.hstore is HstoreMode.MAP
            return Plain.HSTORE_MAP if by_map else Plain.HSTORE_JSON
        return _OF_EXTENSIONS.get(column_type.name.name, Plain.TEXT)
    if name in _BUILTIN:
        return _BUILTIN[name]
    match name:
        case "numeric":
            return _numeric(column_type.digits, modes.decimal)
        case "money":
            return _money(modes.decimal)
        case "date":
            connect = modes.time is TimeMode.CONNECT
            return Plain.CONNECT_DATE if connect else Plain.DATE_DAYS
        case "time":
            return _time(_fraction(column_type), modes.time)
        case "timestamp":
            return _timestamp(_fraction(column_type), modes.time)
        case "interval":
            text = modes.interval is IntervalMode.STRING
            return Plain.INTERVAL_TEXT if text else Plain.INTERVAL_MICROS
        case "bit" | "varbit":
            return _bits(name, column_type.length)
        case _:
            return Plain.TEXT


def _numeric(digits: tuple[int, int] | None, mode: DecimalMode) -> Encoding:
    match mode:
        case DecimalMode.DOUBLE:
            return Plain.DECIMAL_DOUBLE
        case DecimalMode.STRING:
            return Plain.DECIMAL_TEXT
        case DecimalMode.PRECISE:
            if digits is None:
                return Plain.VARIABLE_DECIMAL
            precision, scale = digits
            # Avro wants 0 <= scale <= precision. The smallest legal decimal that
            # holds every value: numeric(2,-3) reaches 99000, numeric(2,5) has 0.00099.
            return Decimal(max(precision, scale, precision - scale), max(scale, 0))
        case unknown:
            assert_never(unknown)


def _money(mode: DecimalMode) -> Encoding:
    match mode:
        case DecimalMode.DOUBLE:
            return Plain.MONEY_DOUBLE
        case DecimalMode.STRING:
            return Plain.MONEY_TEXT
        case DecimalMode.PRECISE:
            return Money()
        case unknown:
            assert_never(unknown)


def _fraction(column_type: ColumnType) -> int:
    return _FINEST if column_type.fraction is None else column_type.fraction


def _time(fraction: int, mode: TimeMode) -> Plain:
    match mode:
        case TimeMode.CONNECT:
            return Plain.CONNECT_TIME
        case TimeMode.ADAPTIVE_TIME_MICROSECONDS:
            return Plain.TIME_MICROS
        case TimeMode.ADAPTIVE:
            return Plain.TIME_MILLIS if fraction <= _MILLIS else Plain.TIME_MICROS
        case unknown:
            assert_never(unknown)


def _timestamp(fraction: int, mode: TimeMode) -> Plain:
    match mode:
        case TimeMode.CONNECT:
            return Plain.CONNECT_TIMESTAMP
        case TimeMode.ADAPTIVE | TimeMode.ADAPTIVE_TIME_MICROSECONDS:
            return Plain.TIMESTAMP_MILLIS if fraction <= _MILLIS else Plain.TIMESTAMP_MICROS
        case unknown:
            assert_never(unknown)


def _bits(name: str, length: int | None) -> Encoding:
    # Debezium makes a boolean of varbit(1) too. It may be empty, which no boolean says.
    if name == "bit" and length == 1:
        return Plain.BIT
    return Bits(UNLIMITED_BITS if length is None else length)
