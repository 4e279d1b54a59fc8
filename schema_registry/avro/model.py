"""Avro's types as a closed union of values.

A named type stands in full where the text defines it; every other use is a
``Reference`` by its full name, looked up in ``Schema.names``. So values stay finite
where schemas are recursive, and compare and hash as values do.

Attributes that Avro has no meaning for (``connect.name`` and the like) are kept as
``props``. A logical type is read from them: there is one place that says it.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import Any, Final, TypeAlias


class Absent(Enum):
    """Why a field's default is no JSON value."""

    NO_DEFAULT = "the field has none"


class PrimitiveName(StrEnum):
    """The types that are not made of others."""

    NULL = "null"
    BOOLEAN = "boolean"
    INT = "int"
    LONG = "long"
    FLOAT = "float"
    DOUBLE = "double"
    BYTES = "bytes"
    STRING = "string"


class Order(StrEnum):
    """How a field counts when records are sorted."""

    ASCENDING = "ascending"
    DESCENDING = "descending"
    IGNORE = "ignore"


@dataclass(frozen=True, slots=True)
class Json:
    """A JSON value as compact text with sorted keys, so that it compares and hashes."""

    text: str

    @classmethod
    def of(cls, value: Any) -> "Json":
        """Write a value down. 1 and 1.0 stay apart, as they do in JSON."""
        return cls(
            json.dumps(
                value, ensure_ascii=False, allow_nan=False, separators=(",", ":"), sort_keys=True
            )
        )

    def value(self) -> Any:
        """Read it back."""
        return json.loads(self.text)


Props: TypeAlias = tuple[tuple[str, Json], ...]


def props_of(attributes: Mapping[str, Any]) -> Props:
    """Keep attributes sorted by name: their order means nothing in JSON."""
    return tuple((name, Json.of(attributes[name])) for name in sorted(attributes))


@dataclass(frozen=True, slots=True)
class Decimal:
    """Digits in all, and digits behind the point."""

    precision: int
    scale: int


class Logical(StrEnum):
    """The logical types that have no attributes."""

    BIG_DECIMAL = "big-decimal"
    UUID = "uuid"
    DATE = "date"
    TIME_MILLIS = "time-millis"
    TIME_MICROS = "time-micros"
    TIMESTAMP_MILLIS = "timestamp-millis"
    TIMESTAMP_MICROS = "timestamp-micros"
    TIMESTAMP_NANOS = "timestamp-nanos"
    LOCAL_TIMESTAMP_MILLIS = "local-timestamp-millis"
    LOCAL_TIMESTAMP_MICROS = "local-timestamp-micros"
    LOCAL_TIMESTAMP_NANOS = "local-timestamp-nanos"
    DURATION = "duration"


LogicalType: TypeAlias = Decimal | Logical

_ON_PRIMITIVE: Final = {
    Logical.BIG_DECIMAL: PrimitiveName.BYTES,
    Logical.UUID: PrimitiveName.STRING,
    Logical.DATE: PrimitiveName.INT,
    Logical.TIME_MILLIS: PrimitiveName.INT,
    Logical.TIME_MICROS: PrimitiveName.LONG,
    Logical.TIMESTAMP_MILLIS: PrimitiveName.LONG,
    Logical.TIMESTAMP_MICROS: PrimitiveName.LONG,
    Logical.TIMESTAMP_NANOS: PrimitiveName.LONG,
    Logical.LOCAL_TIMESTAMP_MILLIS: PrimitiveName.LONG,
    Logical.LOCAL_TIMESTAMP_MICROS: PrimitiveName.LONG,
    Logical.LOCAL_TIMESTAMP_NANOS: PrimitiveName.LONG,
}
_ON_FIXED: Final = {Logical.UUID: 16, Logical.DURATION: 12}
_LOGICAL_NAMES: Final = frozenset(Logical)


@dataclass(frozen=True, slots=True)
class Primitive:
    """A type that is not made of others."""

    name: PrimitiveName
    props: Props = ()

    @property
    def logical(self) -> LogicalType | None:
        """What its values mean; None if nothing more, or if the attributes are invalid."""
        if not self.props:
            return None
        named = _named_logical(self.props)
        if named == "decimal" and self.name is PrimitiveName.BYTES:
            return _decimal(self.props, most_digits=math.inf)
        return (
            named if isinstance(named, Logical) and _ON_PRIMITIVE.get(named) is self.name else None
        )


@dataclass(frozen=True, slots=True)
class Array:
    """Items of one type."""

    items: "Type"
    props: Props = ()


@dataclass(frozen=True, slots=True)
class Map:
    """Values of one type, by text."""

    values: "Type"
    props: Props = ()


@dataclass(frozen=True, slots=True)
class Union:
    """One of several types."""

    branches: tuple["Type", ...]


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a record. A default of JSON's null is ``Json("null")``."""

    name: str
    type: "Type"
    default: Json | Absent = Absent.NO_DEFAULT
    doc: str | None = None
    aliases: tuple[str, ...] = ()
    order: Order = Order.ASCENDING
    props: Props = ()


@dataclass(frozen=True, slots=True)
class Record:
    """Fields under a full name. Aliases are full names too."""

    name: str
    fields: tuple[Field, ...]
    doc: str | None = None
    aliases: tuple[str, ...] = ()
    props: Props = ()


@dataclass(frozen=True, slots=True)
class Enumeration:
    """One of several symbols."""

    name: str
    symbols: tuple[str, ...]
    default: str | None = None
    doc: str | None = None
    aliases: tuple[str, ...] = ()
    props: Props = ()


@dataclass(frozen=True, slots=True)
class Fixed:
    """So many bytes."""

    name: str
    size: int
    doc: str | None = None
    aliases: tuple[str, ...] = ()
    props: Props = ()

    @property
    def logical(self) -> LogicalType | None:
        """What its bytes mean; None if nothing more, or if the attributes are invalid."""
        named = _named_logical(self.props)
        if named == "decimal":
            # The digits that a signed number of that many bytes always holds.
            return _decimal(self.props, most_digits=math.floor(math.log10(2) * (8 * self.size - 1)))
        return named if isinstance(named, Logical) and _ON_FIXED.get(named) == self.size else None


@dataclass(frozen=True, slots=True)
class Reference:
    """A named type that is defined elsewhere, by its full name."""

    name: str


Named: TypeAlias = Record | Enumeration | Fixed
Type: TypeAlias = Primitive | Array | Map | Union | Named | Reference


@dataclass(frozen=True, slots=True)
class Schema:
    """A type, and every named type that can be met in it."""

    root: Type
    # The root says what is defined here; only types of other schemas are left to compare.
    names: Mapping[str, Named] = field(default_factory=dict, hash=False, repr=False)

    def resolve(self, type_: Type) -> Primitive | Array | Map | Union | Named:
        """Look a reference up; anything else is what it is."""
        return self.names[type_.name] if isinstance(type_, Reference) else type_


def simple_name(full_name: str) -> str:
    """Give the part behind the last dot."""
    return full_name.rpartition(".")[2]


def namespace(full_name: str) -> str:
    """Give the part before the last dot; the null namespace is empty."""
    return full_name.rpartition(".")[0]


def _named_logical(props: Props) -> Logical | str | None:
    for name, value in props:
        if name == "logicalType":
            named = value.value()
            if not isinstance(named, str):
                return None
            return Logical(named) if named in _LOGICAL_NAMES else named
    return None


def _decimal(props: Props, most_digits: float) -> Decimal | None:
    attributes = dict(props)
    precision = _whole(attributes.get("precision"))
    scale = _whole(attributes.get("scale", Json("0")))
    if precision is None or scale is None:
        return None
    valid = 0 < precision <= most_digits and 0 <= scale <= precision
    return Decimal(precision, scale) if valid else None


def _whole(number: Json | None) -> int | None:
    value = None if number is None else number.value()
    return value if isinstance(value, int) and not isinstance(value, bool) else None
