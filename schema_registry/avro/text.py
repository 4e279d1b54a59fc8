"""From model to text: the same schema, the same text.

Types may be nested through the names of other schemas for thousands of levels, so
what is left to write lies on a stack of our own and not on Python's.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Final, TypeAlias, assert_never

from schema_registry.avro.model import (
    Absent,
    Array,
    Decimal,
    Enumeration,
    Field,
    Fixed,
    Map,
    Named,
    Order,
    Primitive,
    PrimitiveName,
    Props,
    Record,
    Reference,
    Schema,
    Type,
    Union,
    namespace,
    simple_name,
)

# What is ready, or a type with the namespace that encloses it.
_Part: TypeAlias = str | tuple[Type, str]

# A reference by such a name alone could be taken for the type of that name.
_TYPE_WORDS: Final = frozenset(
    {"array", "map", "record", "enum", "fixed", "union", "error", *PrimitiveName}
)


class _Form(Enum):
    CANONICAL = "all attributes, names as short as they can be"
    NORMALISED = "all attributes, full names, spellings that mean nothing made one"
    PARSING = "only what decides how bytes are read"


def canonical(schema: Schema) -> str:
    """Write a schema in one way: texts that Java parses to equal schemas become one text.

    Types of referenced schemas stay references.
    """
    return _written(schema, _Form.CANONICAL)


def normalised(schema: Schema) -> str:
    """Write a schema for ``normalize=true``: full names, sorted aliases, no scale of 0."""
    return _written(schema, _Form.NORMALISED)


def parsing_form(schema: Schema) -> str:
    """Write the specification's Parsing Canonical Form, with referenced types put in."""
    return _written(schema, _Form.PARSING)


def fingerprint(schema: Schema) -> bytes:
    """Give the SHA-256 of the Parsing Canonical Form."""
    return hashlib.sha256(parsing_form(schema).encode()).digest()


def _written(schema: Schema, form: _Form) -> str:
    written: list[str] = []
    defined: set[str] = set()
    left: list[_Part] = [(schema.root, "")]
    while left:
        part = left.pop()
        if isinstance(part, str):
            written.append(part)
            continue
        type_, space = part
        if form is _Form.PARSING and isinstance(type_, Reference) and type_.name not in defined:
            type_ = schema.names[type_.name]
        if isinstance(type_, Record | Enumeration | Fixed):
            defined.add(type_.name)
        left.extend(reversed(list(_parts(type_, space, form))))
    return "".join(written)


def _parts(type_: Type, space: str, form: _Form) -> Iterator[_Part]:
    match type_:
        case Primitive():
            yield from _primitive(type_, form)
        case Reference():
            yield _quoted(_reference(type_.name, space, form))
        case Union():
            yield from _list((branch, space) for branch in type_.branches)
        case Array():
            yield '{"type":"array","items":'
            yield type_.items, space
            yield from _props(type_.props, form)
            yield "}"
        case Map():
            yield '{"type":"map","values":'
            yield type_.values, space
            yield from _props(type_.props, form)
            yield "}"
        case Record() | Enumeration() | Fixed():
            yield from _named(type_, space, form)
        case _:
            assert_never(type_)


def _primitive(type_: Primitive, form: _Form) -> Iterator[str]:
    if form is _Form.PARSING or not type_.props:
        yield _quoted(type_.name)
        return
    yield f'{{"type":{_quoted(type_.name)}'
    yield from _props(type_.props, form, type_.logical)
    yield "}"


def _named(type_: Named, space: str, form: _Form) -> Iterator[_Part]:
    if form is _Form.PARSING:
        # This order is the specification's.
        yield f'{{"name":{_quoted(type_.name)},"type":"{_kind(type_)}"'
        yield from _content(type_, form)
        yield "}"
        return
    yield f'{{"type":"{_kind(type_)}"'
    yield from _name(type_.name, space, form)
    if type_.doc is not None:
        yield f',"doc":{_quoted(type_.doc)}'
    yield from _content(type_, form)
    if isinstance(type_, Enumeration) and type_.default is not None:
        yield f',"default":{_quoted(type_.default)}'
    own_space = namespace(type_.name)
    yield from _aliases((_alias(name, own_space, form) for name in type_.aliases), form)
    yield from _props(type_.props, form, type_.logical if isinstance(type_, Fixed) else None)
    yield "}"


def _content(type_: Named, form: _Form) -> Iterator[_Part]:
    match type_:
        case Record():
            yield ',"fields":['
            for index, field in enumerate(type_.fields):
                yield "," if index else ""
                yield from _field(field, namespace(type_.name), form)
            yield "]"
        case Enumeration():
            yield ',"symbols":'
            yield from _list(_quoted(symbol) for symbol in type_.symbols)
        case Fixed():
            yield f',"size":{type_.size}'
        case _:
            assert_never(type_)


def _field(field: Field, space: str, form: _Form) -> Iterator[_Part]:
    yield f'{{"name":{_quoted(field.name)},"type":'
    yield field.type, space
    if form is not _Form.PARSING:
        if field.doc is not None:
            yield f',"doc":{_quoted(field.doc)}'
        if not isinstance(field.default, Absent):
            yield f',"default":{field.default.text}'
        if field.order is not Order.ASCENDING:
            yield f',"order":"{field.order}"'
        yield from _aliases(field.aliases, form)
        yield from _props(field.props, form)
    yield "}"


def _kind(type_: Named) -> str:
    match type_:
        case Record():
            return "record"
        case Enumeration():
            return "enum"
        case Fixed():
            return "fixed"
        case _:
            assert_never(type_)


def _name(name: str, space: str, form: _Form) -> Iterator[str]:
    own_space = namespace(name)
    full = form is _Form.NORMALISED
    yield f',"name":{_quoted(name if full else simple_name(name))}'
    # A full name says its namespace, unless that is the null namespace inside another.
    if own_space != space and not (full and own_space):
        yield f',"namespace":{_quoted(own_space)}'


def _reference(name: str, space: str, form: _Form) -> str:
    short = form is _Form.CANONICAL and namespace(name) == space
    return simple_name(name) if short and simple_name(name) not in _TYPE_WORDS else name


def _alias(name: str, space: str, form: _Form) -> str:
    short = form is _Form.CANONICAL and namespace(name) == space
    return simple_name(name) if short else name


def _aliases(aliases: Iterable[str], form: _Form) -> Iterator[_Part]:
    names = sorted(aliases) if form is _Form.NORMALISED else list(aliases)
    if names:
        yield ',"aliases":'
        yield from _list(map(_quoted, names))


def _props(props: Props, form: _Form, logical: object = None) -> Iterator[str]:
    if form is _Form.PARSING:
        return
    for name, value in props:
        # A decimal without a scale has a scale of 0.
        redundant = isinstance(logical, Decimal) and name == "scale" and logical.scale == 0
        if not (redundant and form is _Form.NORMALISED):
            yield f",{_quoted(name)}:{value.text}"


def _list(items: Iterable[_Part]) -> Iterator[_Part]:
    yield "["
    for index, item in enumerate(items):
        yield "," if index else ""
        yield item
    yield "]"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
