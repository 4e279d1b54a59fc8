"""Does a field's default fit its type?

A default of a union may fit any branch, as the specification has it since 1.12.
What a default of a record leaves out comes from that record's own defaults. Those
are checked where they stand, so nothing here follows names from record to record;
only that this filling in comes to an end is looked at for all of them together.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, assert_never

from schema_registry.avro.errors import MalformedSchema, TooComplex
from schema_registry.avro.model import (
    Absent,
    Array,
    Enumeration,
    Fixed,
    Map,
    Named,
    Primitive,
    PrimitiveName,
    Record,
    Reference,
    Type,
    Union,
)

MOST_STEPS: Final = 200_000

FieldName: TypeAlias = tuple[str, str]  # the record's full name, and the field's


@dataclass(frozen=True, slots=True)
class Default:
    """A default as it stands in a text: where, whose, of what type, and its JSON value."""

    path: str
    field: FieldName
    type: Type
    value: Any


def check_defaults(defaults: Sequence[Default], names: Mapping[str, Named]) -> None:
    """Refuse the first default that does not fit its type, or that never ends."""
    fitting = _Fitting(names)
    relies_on: dict[FieldName, list[FieldName]] = {}
    for default in defaults:
        fitting.path, fitting.filled_in = default.path, []
        if not fitting.fits(default.type, default.value):
            raise MalformedSchema(default.path, "the default does not fit the field's type")
        relies_on[default.field] = fitting.filled_in
    endless = _on_a_circle(relies_on)
    for default in defaults:
        if default.field == endless:
            raise MalformedSchema(default.path, "filling this default in would never end")


class _Fitting:
    """Fits values to types; a pair is looked at once, or unions would cost exponential time."""

    def __init__(self, names: Mapping[str, Named]) -> None:
        self.path = ""
        self.filled_in: list[FieldName] = []
        self._names = names
        self._steps = 0
        # By identity: the values and the types outlive this object.
        self._known: dict[tuple[int, int], bool] = {}
        self._symbols: dict[int, frozenset[str]] = {}

    def fits(self, type_: Type, value: Any) -> bool:
        """Tell whether the value is one of the type.

        Loops instead of generators: so a level of the value takes two frames.
        """
        for branch in type_.branches if isinstance(type_, Union) else (type_,):
            if self._fits_one(branch, value):
                return True
        return False

    def _fits_one(self, type_: Type, value: Any) -> bool:
        self._count(1)
        if isinstance(type_, Reference):
            type_ = self._names[type_.name]
        pair = id(type_), id(value)
        if pair not in self._known:
            filled_in_before = len(self.filled_in)
            parts = self._parts(type_, value)
            self._known[pair] = parts is not None
            for part_type, part in parts or ():
                if not self.fits(part_type, part):
                    self._known[pair] = False
                    break
            if not self._known[pair]:
                del self.filled_in[filled_in_before:]
        return self._known[pair]

    def _parts(self, type_: Type, value: Any) -> list[tuple[Type, Any]] | None:
        """Give what has to fit in its turn; None if the value is none of the type."""
        match type_:
            case Primitive():
                return [] if _fits_primitive(type_.name, value) else None
            case Fixed():
                return [] if _is_bytes(value) and len(value) == type_.size else None
            case Enumeration():
                symbols = self._symbols.get(id(type_)) or frozenset(type_.symbols)
                self._symbols[id(type_)] = symbols
                return [] if isinstance(value, str) and value in symbols else None
            case Array():
                return [(type_.items, v) for v in value] if isinstance(value, list) else None
            case Map() if isinstance(value, dict):
                return [(type_.values, v) for v in value.values()]
            case Record() if isinstance(value, dict):
                return self._fields(type_, value)
            case Map() | Record() | Union() | Reference():
                return None
            case _:
                assert_never(type_)

    def _fields(self, record: Record, value: dict[str, Any]) -> list[tuple[Type, Any]] | None:
        self._count(len(record.fields))
        parts = []
        for field in record.fields:
            if field.name in value:
                parts.append((field.type, value[field.name]))
            elif field.default is Absent.NO_DEFAULT:
                return None
            else:
                self.filled_in.append((record.name, field.name))
        return parts

    def _count(self, steps: int) -> None:
        self._steps += steps
        if self._steps > MOST_STEPS:
            raise TooComplex(self.path, "the defaults take too long to check")


def _fits_primitive(name: PrimitiveName, value: Any) -> bool:
    match name:
        case PrimitiveName.NULL:
            return value is None
        case PrimitiveName.BOOLEAN:
            return isinstance(value, bool)
        case PrimitiveName.INT:
            return _is_whole(value) and -(2**31) <= value < 2**31
        case PrimitiveName.LONG:
            return _is_whole(value) and -(2**63) <= value < 2**63
        case PrimitiveName.FLOAT | PrimitiveName.DOUBLE:
            return isinstance(value, float) or (_is_whole(value) and abs(value) < 2**1023)
        case PrimitiveName.BYTES:
            return _is_bytes(value)
        case PrimitiveName.STRING:
            return isinstance(value, str)
        case _:
            assert_never(name)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_bytes(value: Any) -> bool:
    """Bytes are written as text, a character of ISO-8859-1 for each."""
    return isinstance(value, str) and all(ord(character) < 256 for character in value)


def _on_a_circle(relies_on: Mapping[FieldName, list[FieldName]]) -> FieldName | None:
    """Find a default that is filled in from itself, however long the way round is."""
    open_: dict[FieldName, int] = {}
    done: set[FieldName] = set()
    for start in relies_on:
        way = [start] if start not in done else []
        while way:
            here = way[-1]
            position = open_.setdefault(here, 0)
            others = relies_on.get(here, [])
            if position == len(others):
                done.add(way.pop())
                del open_[here]
                continue
            open_[here] += 1
            other = others[position]
            if other in open_:
                return other
            if other not in done:
                way.append(other)
    return None
