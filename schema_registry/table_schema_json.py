"""Table schemas as JSON, which is how they are kept in a topic.

What comes back from a topic is data from outside: every key and every value is
looked at, and whatever is not as we would have written it is refused.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Any, Final, TypeVar

from schema_registry.column_type import DEEPEST, NO_MODIFIER, ColumnType, TypeKind, TypeName
from schema_registry.malformed import MalformedTableSchema
from schema_registry.table_name import LONGEST_NAME, TableName
from schema_registry.table_schema import Column, Generated, ReplicaIdentity, TableSchema

VERSION: Final = 1

# Postgres has no more columns in a table, and keeps modifiers in 32 bits, oids unsigned.
MOST_COLUMNS: Final = 1600
_MODIFIERS: Final = range(NO_MODIFIER, 2**31)
_OIDS: Final = range(1, 2**32)

_E = TypeVar("_E", bound=Enum)


def to_json(table: TableSchema) -> dict[str, Any]:
    """Give a table schema as plain dictionaries and lists."""
    return {
        "version": VERSION,
        "schema": table.name.schema,
        "table": table.name.table,
        "oid": table.oid,
        "identity": table.identity.name.lower(),
        "key": list(table.key),
        "columns": [_column_to_json(column) for column in table.columns],
    }


def from_json(value: object) -> TableSchema:
    """Read what ``to_json`` gave. Raises ``MalformedTableSchema`` for anything else."""
    given = _Fields(value, "a table schema")
    # Before the fields, since those of another version are others.
    given.number("version", range(VERSION, VERSION + 1))
    given.only("version", "schema", "table", "oid", "identity", "key", "columns")
    oid = given.number("oid", _OIDS) if given.get("oid") is not None else None
    columns = given.list("columns")
    if len(columns) > MOST_COLUMNS:
        raise MalformedTableSchema(f"a table schema with {len(columns)} columns")
    return TableSchema(
        TableName(given.name("schema"), given.name("table")),
        tuple(_column_from_json(column) for column in columns),
        tuple(_text(name, "key") for name in given.list("key")),
        given.choice("identity", ReplicaIdentity),
        oid,
    )


def _column_to_json(column: Column) -> dict[str, Any]:
    return {
        "name": column.name,
        "number": column.number,
        "nullable": column.nullable,
        "generated": column.generated.name.lower(),
        "type": _type_to_json(column.type),
    }


def _column_from_json(value: object) -> Column:
    given = _Fields(value, "a column")
    given.only("name", "number", "nullable", "generated", "type")
    nullable = given.get("nullable")
    if not isinstance(nullable, bool):
        raise MalformedTableSchema("a column's nullable is neither true nor false")
    numbers = range(1, MOST_COLUMNS + 1)
    return Column(
        given.name("name"),
        _type_from_json(given.get("type")),
        nullable,
        given.number("number", numbers) if given.get("number") is not None else None,
        given.choice("generated", Generated),
    )


def _type_to_json(type_: ColumnType) -> dict[str, Any]:
    given: dict[str, Any] = {
        "kind": type_.kind.value,
        "schema": type_.name.schema,
        "name": type_.name.name,
    }
    if type_.modifier != NO_MODIFIER:
        given["modifier"] = type_.modifier
    if type_.kind is TypeKind.ENUM:
        given["labels"] = list(type_.labels)
    if type_.base is not None:
        given["base"] = _type_to_json(type_.base)
    if type_.element is not None:
        given |= {"element": _type_to_json(type_.element), "dimensions": type_.dimensions}
    return given


def _type_from_json(value: object, depth: int = 1) -> ColumnType:
    if depth > DEEPEST:
        raise MalformedTableSchema(f"a type nested deeper than {DEEPEST} types")
    given = _Fields(value, "a type")
    kind = given.choice("kind", TypeKind)
    parts = {
        TypeKind.ENUM: ("labels",),
        TypeKind.DOMAIN: ("base",),
        TypeKind.ARRAY: ("element", "dimensions"),
    }.get(kind, ())
    given.only("kind", "schema", "name", *parts, optional=("modifier",))
    has_modifier = given.get("modifier") is not None
    return ColumnType(
        TypeName(given.name("schema"), given.name("name")),
        kind,
        given.number("modifier", _MODIFIERS) if has_modifier else NO_MODIFIER,
        tuple(_text(label, "label") for label in given.list("labels")) if "labels" in parts else (),
        _type_from_json(given.get("base"), depth + 1) if "base" in parts else None,
        _type_from_json(given.get("element"), depth + 1) if "element" in parts else None,
        given.number("dimensions", range(1, 100)) if "dimensions" in parts else 0,
    )


class _Fields:
    """An object of the JSON, whose fields are asked for by what they have to be."""

    def __init__(self, value: object, what: str) -> None:
        if not isinstance(value, dict):
            raise MalformedTableSchema(f"{what} is not an object")
        self._fields: Mapping[str, object] = value
        self._what = what

    def only(self, *names: str, optional: tuple[str, ...] = ()) -> None:
        there = set(self._fields)
        if odd := there.symmetric_difference(names) - (there & set(optional)):
            raise MalformedTableSchema(f"{self._what} misses or has too much: {sorted(odd)!s:.200}")

    def get(self, name: str) -> object:
        return self._fields.get(name)

    def list(self, name: str) -> list[object]:
        value = self.get(name)
        if not isinstance(value, list):
            raise MalformedTableSchema(f"{name} of {self._what} is not a list")
        return value

    def name(self, name: str) -> str:
        value = _text(self.get(name), name)
        if not value or len(value.encode()) > LONGEST_NAME:
            raise MalformedTableSchema(f"{name} of {self._what} is no name of Postgres")
        return value

    def number(self, name: str, within: range) -> int:
        value = self.get(name)
        if not isinstance(value, int) or isinstance(value, bool) or value not in within:
            raise MalformedTableSchema(f"{name} of {self._what} is not a number in its bounds")
        return value

    def choice(self, name: str, choices: type[_E]) -> _E:
        value = self.get(name)
        for choice in choices:
            if choice.name.lower() == value:
                return choice
        raise MalformedTableSchema(f"{name} of {self._what} is none of those that there are")


def _text(value: object, what: str) -> str:
    if not isinstance(value, str) or "\0" in value or not _is_unicode(value):
        raise MalformedTableSchema(f"{what} is not a text that Postgres could hold")
    return value


def _is_unicode(value: str) -> bool:
    # JSON can spell half of a surrogate pair, which no UTF-8 can hold.
    return not any("\ud800" <= letter <= "\udfff" for letter in value)
