"""The Avro type of a column, derived from its encoding.

It is what Debezium's schemas become in Confluent's AvroConverter: the plain Avro
type, and in ``connect.*`` what a consumer needs to make sense of it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, assert_never

from schema_registry.avro.encoding import Array, Bits, Decimal, Encoding, Label, Money, Plain

# A part of a schema as JSON: a name, a definition, or a union of them.
Part: TypeAlias = str | dict[str, Any] | list[Any]

_DECIMAL: Final = "org.apache.kafka.connect.data.Decimal"
# What Confluent's converter writes where Connect's decimal gives no precision.
_UNKNOWN_PRECISION: Final = 64


class Names:
    """The named types that a schema has defined so far.

    Avro lets a schema define a name once; from then on the name stands for it. So
    one of these goes along with the making of each schema, in the order of its text.
    """

    def __init__(self) -> None:
        self._defined: set[str] = set()

    def record(
        self,
        full_name: str,
        fields: Sequence[Mapping[str, Any]],
        *,
        connect_name: str | None = None,
        version: int | None = None,
        doc: str | None = None,
    ) -> Part:
        """Give the record's definition the first time and its full name from then on."""
        if full_name in self._defined:
            return full_name
        self._defined.add(full_name)
        namespace, _, name = full_name.rpartition(".")
        given: dict[str, Any] = {"type": "record", "name": name, "namespace": namespace}
        given["fields"] = list(fields)
        if doc is not None:
            given["connect.doc"] = doc
        if version is not None:
            given["connect.version"] = version
        given["connect.name"] = connect_name or full_name
        return given


@dataclass(frozen=True, slots=True)
class Form:
    """A type that has no name in Avro, but may have one in Connect."""

    type: str
    connect_name: str | None = None
    logical: str | None = None
    connect_type: str | None = None

    def part(self) -> Part:
        """Give it as a part of a schema: just the name where there is nothing to add."""
        if self.connect_name is None and self.connect_type is None:
            return self.type
        given: dict[str, Any] = {"type": self.type}
        if self.connect_name is not None:
            given |= {"connect.version": 1, "connect.name": self.connect_name}
        if self.connect_type is not None:
            given["connect.type"] = self.connect_type
        if self.logical is not None:
            given["logicalType"] = self.logical
        return given


# Which type a reader may expect where the writer wrote another, by Avro's rules.
_PASSES_FOR: Final = {
    "boolean": frozenset({"boolean"}),
    "int": frozenset({"int", "long", "float", "double"}),
    "long": frozenset({"long", "float", "double"}),
    "float": frozenset({"float", "double"}),
    "double": frozenset({"double"}),
    "bytes": frozenset({"bytes", "string"}),
    "string": frozenset({"string", "bytes"}),
}

_STRING: Final = Form("string")
_JSON: Final = Form("string", "io.debezium.data.Json")

_FORMS: Final[Mapping[Plain, Form]] = {
    Plain.BOOLEAN: Form("boolean"),
    Plain.BIT: Form("boolean"),
    Plain.INT16: Form("int", connect_type="int16"),
    Plain.INT32: Form("int"),
    Plain.INT64: Form("long"),
    Plain.FLOAT: Form("float"),
    Plain.DOUBLE: Form("double"),
    Plain.DECIMAL_DOUBLE: Form("double"),
    Plain.MONEY_DOUBLE: Form("double"),
    Plain.BYTES: Form("bytes"),
    Plain.TEXT: _STRING,
    Plain.DECIMAL_TEXT: _STRING,
    Plain.MONEY_TEXT: _STRING,
    Plain.JSON: _JSON,
    Plain.HSTORE_JSON: _JSON,
    Plain.XML: Form("string", "io.debezium.data.Xml"),
    Plain.UUID: Form("string", "io.debezium.data.Uuid"),
    Plain.LTREE: Form("string", "io.debezium.data.Ltree"),
    Plain.TSVECTOR: Form("string", "io.debezium.data.Tsvector"),
    Plain.DATE_DAYS: Form("int", "io.debezium.time.Date"),
    Plain.TIME_MILLIS: Form("int", "io.debezium.time.Time"),
    Plain.TIME_MICROS: Form("long", "io.debezium.time.MicroTime"),
    Plain.TIMESTAMP_MILLIS: Form("long", "io.debezium.time.Timestamp"),
    Plain.TIMESTAMP_MICROS: Form("long", "io.debezium.time.MicroTimestamp"),
    Plain.CONNECT_DATE: Form("int", "org.apache.kafka.connect.data.Date", "date"),
    Plain.CONNECT_TIME: Form("int", "org.apache.kafka.connect.data.Time", "time-millis"),
    Plain.CONNECT_TIMESTAMP: Form(
        "long", "org.apache.kafka.connect.data.Timestamp", "timestamp-millis"
    ),
    Plain.ZONED_TIME: Form("string", "io.debezium.time.ZonedTime"),
    Plain.ZONED_TIMESTAMP: Form("string", "io.debezium.time.ZonedTimestamp"),
    Plain.INTERVAL_MICROS: Form("long", "io.debezium.time.MicroDuration"),
    Plain.INTERVAL_TEXT: Form("string", "io.debezium.time.Interval"),
}


def avro_type(encoding: Encoding, names: Names) -> Part:
    """Give the Avro type in which an encoding writes."""
    match encoding:
        case Plain():
            form = _FORMS.get(encoding)
            return form.part() if form is not None else _made_of_others(encoding, names)
        case Decimal(precision, scale):
            parameters = {"scale": str(scale), "connect.decimal.precision": str(precision)}
            return _decimal(precision, scale, parameters)
        case Money(scale):
            return _decimal(_UNKNOWN_PRECISION, scale, {"scale": str(scale)})
        case Bits(length):
            return _with_parameters("bytes", "io.debezium.data.Bits", {"length": str(length)})
        case Label(allowed):
            return _with_parameters(
                "string", "io.debezium.data.Enum", {"allowed": ",".join(allowed)}
            )
        case Array(of):
            return {"type": "array", "items": optional(avro_type(of, names))}
        case unknown:
            assert_never(unknown)


def optional(part: Part) -> list[Part]:
    """Give the union with null, which stands first because the default is null."""
    return ["null", part]


def misread(before: Encoding, after: Encoding) -> bool:
    """Whether a reader of the new type takes old values, and takes them for something else.

    Milliseconds and microseconds are both a long; cents and tenths of them are both
    bytes. Avro lets one pass for the other, and every such value is wrong.
    """
    if isinstance(before, Array) and isinstance(after, Array):
        return misread(before.of, after.of)
    old, new = avro_type(before, Names()), avro_type(after, Names())
    passes = _primitive(new) in _PASSES_FOR.get(_primitive(old), frozenset())
    return passes and _unit(old) != _unit(new)


def _primitive(part: Part) -> str:
    name = part if isinstance(part, str) else part["type"] if isinstance(part, dict) else "union"
    assert isinstance(name, str)
    return name


def _unit(part: Part) -> object:
    if _primitive(part) == "string":
        return "text"
    return (part.get("connect.name"), part.get("scale")) if isinstance(part, dict) else (None, None)


def _decimal(precision: int, scale: int, parameters: Mapping[str, str]) -> Part:
    return {
        "type": "bytes",
        "scale": scale,
        "precision": precision,
        "connect.version": 1,
        "connect.parameters": dict(parameters),
        "connect.name": _DECIMAL,
        "logicalType": "decimal",
    }


def _with_parameters(type_: str, name: str, parameters: Mapping[str, str]) -> Part:
    return {
        "type": type_,
        "connect.version": 1,
        "connect.parameters": dict(parameters),
        "connect.name": name,
    }


def _made_of_others(encoding: Plain, names: Names) -> Part:
    match encoding:
        case Plain.HSTORE_MAP:
            return {"type": "map", "values": optional("string")}
        case Plain.DOUBLE_VECTOR:
            return _vector("double", "io.debezium.data.DoubleVector")
        case Plain.FLOAT_VECTOR:
            return _vector("float", "io.debezium.data.FloatVector")
        case Plain.VARIABLE_DECIMAL:
            return names.record(
                "io.debezium.data.VariableScaleDecimal",
                [_field("scale", "int"), _field("value", "bytes")],
                version=1,
                doc="Variable scaled decimal",
            )
        case Plain.POINT:
            plane = [_field("x", "double"), _field("y", "double")]
            return _spatial(
                "Point", "Geometry (POINT)", [*plane, _field("wkb", "bytes", True)], names
            )
        case Plain.GEOMETRY:
            return _spatial("Geometry", "Geometry", [_field("wkb", "bytes")], names)
        case Plain.GEOGRAPHY:
            return _spatial("Geography", "Geography", [_field("wkb", "bytes")], names)
        case _:
            raise AssertionError(f"{encoding} has no Avro type")


def _vector(items: str, name: str) -> Part:
    return {"type": "array", "items": items, "connect.version": 1, "connect.name": name}


def _spatial(name: str, doc: str, fields: list[dict[str, Any]], names: Names) -> Part:
    full_name = f"io.debezium.data.geometry.{name}"
    return names.record(full_name, [*fields, _field("srid", "int", True)], version=1, doc=doc)


def _field(name: str, type_: str, may_be_null: bool = False) -> dict[str, Any]:
    if may_be_null:
        return {"name": name, "type": optional(type_), "default": None}
    return {"name": name, "type": type_}
