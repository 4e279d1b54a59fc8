"""Which types and fields of two schemas belong together, before they are resolved.

Implementations differ in small ways about this. We choose as Java's reader does
where the specification leaves a choice, because a branch of the very same name must
never lose against one that only ends alike.
"""

from dataclasses import dataclass
from typing import Final

from schema_registry.avro.model import (
    Array,
    Enumeration,
    Field,
    Fixed,
    Map,
    Named,
    Primitive,
    PrimitiveName,
    Record,
    Schema,
    Type,
    Union,
    simple_name,
)

_PROMOTED_TO: Final = {
    PrimitiveName.INT: frozenset({PrimitiveName.LONG, PrimitiveName.FLOAT, PrimitiveName.DOUBLE}),
    PrimitiveName.LONG: frozenset({PrimitiveName.FLOAT, PrimitiveName.DOUBLE}),
    PrimitiveName.FLOAT: frozenset({PrimitiveName.DOUBLE}),
    PrimitiveName.STRING: frozenset({PrimitiveName.BYTES}),
    PrimitiveName.BYTES: frozenset({PrimitiveName.STRING}),
}


def promotes(writer: PrimitiveName, reader: PrimitiveName) -> bool:
    """Tell whether a value of one type is read as one of the other."""
    return writer is reader or reader in _PROMOTED_TO.get(writer, ())


def named_alike(reader: Named, writer: Named) -> bool:
    """Compare names without namespaces; an alias names the writer's type in full."""
    return simple_name(reader.name) == simple_name(writer.name) or writer.name in reader.aliases


class Branches:
    """A reader's union, ready to be asked which branch takes a writer's type."""

    def __init__(self, reader: Schema, union: Union) -> None:
        self._primitives: dict[PrimitiveName, int] = {}
        self._containers: dict[type, int] = {}
        self._by_name: dict[tuple[type, str], int] = {}
        self._by_alias: dict[tuple[type, str], int] = {}
        self._by_simple_name: dict[tuple[type, str], int] = {}
        for index, branch in enumerate(map(reader.resolve, union.branches)):
            match branch:
                case Primitive():
                    self._primitives[branch.name] = index
                case Array() | Map() | Union():
                    self._containers[type(branch)] = index
                case Record() | Enumeration() | Fixed():
                    kind = type(branch)
                    self._by_name[kind, branch.name] = index
                    self._by_simple_name.setdefault((kind, simple_name(branch.name)), index)
                    for alias in branch.aliases:
                        self._by_alias.setdefault((kind, alias), index)

    def taking(self, writer: Type) -> int | None:
        """Choose: the same name, then an alias, then the same simple name, then a promotion."""
        if isinstance(writer, Primitive):
            exact = self._primitives.get(writer.name)
            if exact is not None:
                return exact
            return next(
                (i for name, i in self._primitives.items() if promotes(writer.name, name)), None
            )
        if isinstance(writer, Record | Enumeration | Fixed):
            kind = type(writer)
            for found in (
                self._by_name.get((kind, writer.name)),
                self._by_alias.get((kind, writer.name)),
                self._by_simple_name.get((kind, simple_name(writer.name))),
            ):
                if found is not None:
                    return found
            return None
        return self._containers.get(type(writer))


@dataclass(frozen=True, slots=True)
class Claim:
    """A reader's field and every field of the writer that stands for it.

    ``disputed`` says that another field of the reader claims the same one.
    """

    field: Field
    written: tuple[Field, ...]
    disputed: bool


def claims(reader: Record, writer: Record) -> list[Claim]:
    """Match fields by name and by the reader's aliases, without hiding what is ambiguous."""
    written = {field.name: field for field in writer.fields}
    found = [
        [written[name] for name in dict.fromkeys((field.name, *field.aliases)) if name in written]
        for field in reader.fields
    ]
    times: dict[str, int] = {}
    for fields in found:
        for field in fields:
            times[field.name] = times.get(field.name, 0) + 1
    return [
        Claim(
            field,
            tuple(fields),
            any(other.name != field.name and times[other.name] > 1 for other in fields),
        )
        for field, fields in zip(reader.fields, found, strict=True)
    ]
