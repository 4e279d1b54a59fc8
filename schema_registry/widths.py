"""Which types hold each other's values, and so what a change of type means."""

from enum import Enum
from typing import Final

from schema_registry.column_type import NO_MODIFIER, ColumnType, TypeKind

_INTEGERS: Final = ("int2", "int4", "int8")
_FLOATS: Final = ("float4", "float8")
_TEXTS: Final = ("varchar", "text")
_FINEST: Final = 6


class Meaning(Enum):
    """What a new type means for the values of the old one. The text ends a sentence."""

    SAME = "which holds the same values"
    WIDENED = "which is wider"
    NARROWED = "which is narrower"
    OTHER = "which is another type"
    LABELS_ADDED = "with more labels"
    LABELS_REMOVED = "which lacks some of its labels"
    LABELS_REORDERED = "with its labels in another order"


def meaning(before: ColumnType, after: ColumnType) -> Meaning:
    """Say what a change from one type to another means for values."""
    old, new = _core(before), _core(after)
    if old.kind is new.kind is TypeKind.ENUM and _depth(before) == _depth(after):
        return _labels(old.labels, new.labels)
    there, back = holds(after, before), holds(before, after)
    if there:
        return Meaning.SAME if back else Meaning.WIDENED
    return Meaning.NARROWED if back else Meaning.OTHER


def holds(wide: ColumnType, narrow: ColumnType) -> bool:
    """Whether every value of one type is a value of the other, and still means the same.

    Only types of a family are compared: an integer fits into a numeric, but whoever
    reads integers does not read numerics. A domain is taken for its base, since its
    checks are not known here.
    """
    wide, narrow = wide.resolved, narrow.resolved
    if wide.element is not None and narrow.element is not None:
        return wide.dimensions == narrow.dimensions and holds(wide.element, narrow.element)
    if wide.kind is narrow.kind is TypeKind.ENUM:
        return set(narrow.labels) <= set(wide.labels)
    if wide == narrow:
        return True
    if wide.builtin is not None and narrow.builtin is not None:
        return _holds_builtin(wide, narrow, wide.builtin, narrow.builtin)
    # Of an extension's type we know that no modifier is no limit, and nothing else.
    return wide.name == narrow.name and wide.kind is narrow.kind and wide.modifier == NO_MODIFIER


def _holds_builtin(wide: ColumnType, narrow: ColumnType, a: str, b: str) -> bool:
    for family in (_INTEGERS, _FLOATS):
        if a in family and b in family:
            return family.index(a) >= family.index(b)
    if a in _TEXTS and b in _TEXTS:
        return _at_least(wide.length, narrow.length)
    if a == "varbit" and b in ("bit", "varbit"):
        return _at_least(wide.length, narrow.length)
    if a != b:
        return False
    match a:
        case "numeric":
            return _holds_digits(wide.digits, narrow.digits)
        case "bpchar":
            return _at_least(wide.length, narrow.length)
        case "time" | "timetz" | "timestamp" | "timestamptz":
            return _fraction(wide) >= _fraction(narrow)
        case "interval":
            same = wide.fields is None or wide.fields == narrow.fields
            return same and _fraction(wide) >= _fraction(narrow)
        case _:
            return wide.modifier in (NO_MODIFIER, narrow.modifier)


def _holds_digits(wide: tuple[int, int] | None, narrow: tuple[int, int] | None) -> bool:
    if wide is None or narrow is None:
        return wide is None
    (precision, scale), (other_precision, other_scale) = wide, narrow
    return scale >= other_scale and precision - scale >= other_precision - other_scale


def _at_least(limit: int | None, other: int | None) -> bool:
    return limit is None or (other is not None and limit >= other)


def _fraction(of: ColumnType) -> int:
    return _FINEST if of.fraction is None else of.fraction


def _labels(old: tuple[str, ...], new: tuple[str, ...]) -> Meaning:
    if not set(old) <= set(new):
        return Meaning.LABELS_REMOVED
    if len(new) > len(old):
        return Meaning.LABELS_ADDED
    return Meaning.SAME if old == new else Meaning.LABELS_REORDERED


def _core(of: ColumnType) -> ColumnType:
    found = of.resolved
    return _core(found.element) if found.element is not None else found


def _depth(of: ColumnType) -> int:
    return of.resolved.dimensions
