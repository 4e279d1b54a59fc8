"""Types and values of a schema in few words, for people."""

from typing import Final, assert_never

from schema_registry.avro.errors import shortened, shown
from schema_registry.avro.model import (
    Absent,
    Array,
    Decimal,
    Enumeration,
    Fixed,
    Json,
    Map,
    Primitive,
    Record,
    Reference,
    Schema,
    Type,
    Union,
    simple_name,
)

LONGEST_TYPE: Final = 120
NULL: Final = "null"


def short_type(type_: Type, schema: Schema) -> str:
    """Give a type as a person reads it, shortened if it is long."""
    return shortened(whole_type(type_, schema), LONGEST_TYPE)


def whole_type(type_: Type, schema: Schema) -> str:
    """Give a type in full: ``null | long``, ``array of string``, ``decimal(10,2)``."""
    match type_:
        case Primitive():
            return primitive(type_)
        case Array():
            return f"array of {_bracketed(type_.items, schema)}"
        case Map():
            return f"map of {_bracketed(type_.values, schema)}"
        case Union():
            return " | ".join(branch_texts(type_, schema))
        case Record():
            return f"record {simple_name(type_.name)}"
        case Enumeration():
            return f"enum {simple_name(type_.name)}"
        case Fixed():
            return f"fixed {simple_name(type_.name)}"
        case Reference():
            return whole_type(schema.names[type_.name], schema)
        case _:
            assert_never(type_)


def primitive(type_: Primitive) -> str:
    """Give a primitive type, by its logical type if it has one."""
    logical = type_.logical
    if isinstance(logical, Decimal):
        return f"decimal({logical.precision},{logical.scale})"
    return type_.name.value if logical is None else logical.value


def branch_texts(union: Union, schema: Schema) -> list[str]:
    """Give the branches of a union, each in full."""
    return [whole_type(branch, schema) for branch in union.branches]


def without_null(type_: Type, schema: Schema) -> str | None:
    """Give what is left of a union when it can no longer be null; None if it never could."""
    if not isinstance(type_, Union):
        return None
    texts = branch_texts(type_, schema)
    return " | ".join(text for text in texts if text != NULL) if NULL in texts else None


def default(value: Json | Absent) -> str:
    """Give a default, or say that there is none."""
    return "none" if isinstance(value, Absent) else plain(value.text)


def plain(text: str) -> str:
    """Give a text without quotes around it: shortened, and nothing in it but what can be seen."""
    return shown(text)[1:-1].replace('\\"', '"')


def _bracketed(type_: Type, schema: Schema) -> str:
    text = whole_type(type_, schema)
    return f"({text})" if isinstance(type_, Union) else text
