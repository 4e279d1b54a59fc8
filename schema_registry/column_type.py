"""The type of a column, as a value that compares by meaning.

Type oids are no part of it: a dump and restore gives every type another one. The
modifier is kept as Postgres keeps it (pg_attribute.atttypmod) and decoded when
asked for, because only a few types have one that we can read.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from schema_registry.malformed import MalformedTableSchema
from schema_registry.table_name import TableName

CATALOG: Final = "pg_catalog"
NO_MODIFIER: Final = -1

# Postgres lets no array have more. It does not hold a value to the number that
# was declared, so that the number is a wish of whoever made the table.
MOST_DIMENSIONS: Final = 6

# Domains over domains end somewhere. Whoever makes more of them wants to see us fall.
DEEPEST: Final = 32

# The lengths of text and the digits of numbers are stored with this added.
_HEADER: Final = 4

_SQL_NAMES: Final = {
    "bool": "boolean",
    "bit": "bit",
    "bpchar": "character",
    "char": '"char"',
    "float4": "real",
    "float8": "double precision",
    "int2": "smallint",
    "int4": "integer",
    "int8": "bigint",
    "varbit": "bit varying",
    "varchar": "character varying",
}
# Without a length SQL would read these names as a length of one.
_UNBOUNDED_NAMES: Final = {"bpchar": "bpchar", "bit": '"bit"'}
_ZONES: Final = {
    "time": ("time", "without time zone"),
    "timetz": ("time", "with time zone"),
    "timestamp": ("timestamp", "without time zone"),
    "timestamptz": ("timestamp", "with time zone"),
}
_LENGTHS: Final = {"bpchar": _HEADER, "varchar": _HEADER, "bit": 0, "varbit": 0}

_ANY_FIELDS: Final = 0x7FFF
_ANY_FRACTION: Final = 0xFFFF
# The bits by which an interval's modifier names its fields.
_FIELDS: Final = {"year": 2, "month": 1, "day": 3, "hour": 10, "minute": 11, "second": 12}


class TypeKind(Enum):
    """What sort of type it is, in the words of pg_type.typtype, and arrays apart."""

    BASE = "base"
    ENUM = "enum"
    DOMAIN = "domain"
    COMPOSITE = "composite"
    RANGE = "range"
    MULTIRANGE = "multirange"
    ARRAY = "array"


@dataclass(frozen=True, slots=True, order=True)
class TypeName:
    """The schema and the name of a type, as the catalog has them: ``pg_catalog.int4``."""

    schema: str
    name: str

    def __str__(self) -> str:
        """Print it with its schema unless it is Postgres' own.

        ``format_type`` leaves out every schema of the search path, which is
        another one in each session: the same type would have two texts.
        """
        if self.schema == CATALOG:
            return self.name
        return str(TableName(self.schema, self.name))


@dataclass(frozen=True, slots=True)
class ColumnType:
    """A type with its modifier, and with what it is made of.

    An array goes by its element's name: the name that Postgres gives the array
    itself (``_int4``) says nothing more and is not even fixed. A modifier of an
    array is its element's too.
    """

    name: TypeName
    kind: TypeKind = TypeKind.BASE
    modifier: int = NO_MODIFIER
    labels: tuple[str, ...] = ()
    base: "ColumnType | None" = None
    element: "ColumnType | None" = None
    dimensions: int = 0

    def __post_init__(self) -> None:
        if (self.kind is TypeKind.DOMAIN) != (self.base is not None):
            raise MalformedTableSchema(f"type {self.name}: a domain has a base, and only a domain")
        if (self.kind is TypeKind.ARRAY) != (self.element is not None):
            raise MalformedTableSchema(f"type {self.name}: an array has elements, and only that")
        if self.kind is not TypeKind.ENUM and self.labels:
            raise MalformedTableSchema(f"type {self.name}: only an enum has labels")
        if len(set(self.labels)) != len(self.labels):
            raise MalformedTableSchema(f"type {self.name}: a label is there twice")
        if self.element is not None and self.element.kind is TypeKind.ARRAY:
            raise MalformedTableSchema(f"type {self.name}: an array of arrays has dimensions")
        least = 1 if self.kind is TypeKind.ARRAY else 0
        if not least <= self.dimensions <= (MOST_DIMENSIONS if least else 0):
            raise MalformedTableSchema(f"type {self.name}: {self.dimensions} dimensions")
        if self._depth() > DEEPEST:
            raise nested_too_deep(self.name)

    def __str__(self) -> str:
        """Print it as ``format_type`` does; see ``TypeName`` for when a schema is left out."""
        if self.element is not None:
            return f"{self.element}[]"
        if self.name.schema != CATALOG or self.kind is not TypeKind.BASE:
            return f"{self.name}{_bracketed(self.modifier, self.modifier)}"
        return _catalog_text(self)

    @property
    def resolved(self) -> "ColumnType":
        """The type behind a domain, or behind domains over domains; else the type itself."""
        found: ColumnType = self
        while found.base is not None:
            found = found.base
        return found

    @property
    def builtin(self) -> str | None:
        """The name of a base type that Postgres itself brings: ``int4``; else None."""
        own = self.kind is TypeKind.BASE and self.name.schema == CATALOG
        return self.name.name if own else None

    @property
    def length(self) -> int | None:
        """The most characters or bits of a value, for text and bit strings with a limit."""
        header = _LENGTHS.get(self.builtin or "")
        return None if header is None or self.modifier < header else self.modifier - header

    @property
    def digits(self) -> tuple[int, int] | None:
        """Precision and scale of a numeric that has them.

        The scale may be below zero (``numeric(2,-3)`` counts thousands) and above
        the precision, from PG15 on.
        """
        if self.builtin != "numeric" or self.modifier < _HEADER:
            return None
        packed = self.modifier - _HEADER
        return (packed >> 16) & 0xFFFF, ((packed & 0x7FF) ^ 0x400) - 0x400

    @property
    def fraction(self) -> int | None:
        """The digits after the second, for times and intervals that limit them."""
        if self.modifier < 0:
            return None
        if self.builtin in _ZONES:
            return self.modifier
        if self.builtin == "interval" and self.modifier & 0xFFFF != _ANY_FRACTION:
            return self.modifier & 0xFFFF
        return None

    @property
    def fields(self) -> str | None:
        """The fields that an interval is limited to: ``day to second``; else None."""
        mask = (self.modifier >> 16) & _ANY_FIELDS
        if self.builtin != "interval" or self.modifier < 0 or mask == _ANY_FIELDS:
            return None
        there = [name for name, bit in _FIELDS.items() if mask & (1 << bit)]
        return there[0] if len(there) == 1 else f"{there[0]} to {there[-1]}" if there else None

    def _depth(self) -> int:
        depth, inner = 1, self.base or self.element
        while inner is not None:
            depth, inner = depth + 1, inner.base or inner.element
        return depth


def nested_too_deep(name: TypeName) -> MalformedTableSchema:
    """Say that a type is made of more types than we follow."""
    return MalformedTableSchema(
        f"type {name}: nested deeper than {DEEPEST} types",
        fix="give the column a type with fewer domains above each other",
    )


def array_of(element: ColumnType, declared: int = 1) -> ColumnType:
    """Give the array of an element, with its declared dimensions as far as they mean anything.

    A table made from a query declares none, and Postgres before 16 takes any number.
    """
    dimensions = min(max(declared, 1), MOST_DIMENSIONS)
    return ColumnType(element.name, TypeKind.ARRAY, element=element, dimensions=dimensions)


def builtin(name: str, modifier: int = NO_MODIFIER) -> ColumnType:
    """Give a type of Postgres' own by its name in the catalog: ``int4``."""
    return ColumnType(TypeName(CATALOG, name), modifier=modifier)


def numeric(precision: int, scale: int = 0) -> ColumnType:
    """Give ``numeric(precision, scale)``."""
    return builtin("numeric", ((precision << 16) | (scale & 0x7FF)) + _HEADER)


def varchar(length: int) -> ColumnType:
    """Give ``character varying(length)``."""
    return builtin("varchar", length + _HEADER)


def _catalog_text(of: ColumnType) -> str:
    name = of.name.name
    if name == "numeric":
        return name if of.digits is None else "numeric({},{})".format(*of.digits)
    if name in _ZONES:
        word, zone = _ZONES[name]
        return f"{word}{_bracketed(of.modifier, of.fraction)} {zone}"
    if name == "interval":
        fields = f" {of.fields}" if of.fields else ""
        return f"interval{fields}{_bracketed(of.modifier, of.fraction)}"
    if name in _LENGTHS and of.length is None:
        return _UNBOUNDED_NAMES.get(name, _SQL_NAMES[name])
    shown = of.modifier if name not in _LENGTHS else of.length
    return _SQL_NAMES.get(name, name) + _bracketed(of.modifier, shown)


def _bracketed(modifier: int, shown: int | None) -> str:
    return "" if modifier < 0 or shown is None else f"({shown})"
