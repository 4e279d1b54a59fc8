"""From text to model, by the rules of the Avro 1.12 specification.

Schemas come from strangers: the text is read with bounds, the number of nodes is
bounded too, and what is kept or dropped is what Java's parser keeps or drops, since
Confluent's registry is built on it. Where Java is more lenient than the
specification (symbols of enum defaults, sizes of fixed defaults, forward
references), the specification holds.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from schema_registry.avro.attributes import (
    full_name,
    legal_name,
    legal_namespace,
    listed,
    listed_aliases,
    optional_text,
    other_attributes,
    qualified,
    required,
    under,
)
from schema_registry.avro.bounds import MalformedJson, read_json
from schema_registry.avro.defaults import Default, check_defaults
from schema_registry.avro.errors import MalformedSchema, shown
from schema_registry.avro.model import (
    Absent,
    Array,
    Enumeration,
    Field,
    Fixed,
    Json,
    Map,
    Named,
    Order,
    Primitive,
    PrimitiveName,
    Record,
    Reference,
    Schema,
    Type,
    Union,
    namespace,
    simple_name,
)

# A table has at most 1,600 columns; an envelope of them has some 6,000 nodes.
MOST_NODES: Final = 20_000
LARGEST_FIXED: Final = 2**31 - 1  # what Java can hold

_PRIMITIVES: Final = {name.value: name for name in PrimitiveName}
_ORDERS: Final = {order.value: order for order in Order}

# Attributes with a meaning somewhere are no props anywhere, as in Java.
_RESERVED: Final = frozenset(
    {"type", "name", "namespace", "doc", "aliases"}
    | {"fields", "items", "values", "size", "symbols"}
)
_RESERVED_IN_ENUM: Final = _RESERVED | {"default"}
_RESERVED_IN_FIELD: Final = frozenset({"name", "type", "doc", "default", "order", "aliases"})


def parse(text: str, references: Sequence[str] = ()) -> Schema:
    """Read a schema; the names that ``references`` define are known in it.

    References come in the order of their dependencies. The same text twice is one.
    """
    reader = _Reader()
    for index, reference in enumerate(references):
        if reference not in references[:index]:
            reader.read(reference, f"references[{index}]")
    return Schema(reader.read(text, ""), reader.names)


class _Reader:
    """One walk over a text. At most three frames for a level of JSON."""

    def __init__(self) -> None:
        self.names: dict[str, Named] = {}
        self._begun: set[str] = set()  # names whose definition has been met
        self._defaults: list[Default] = []
        self._nodes = 0

    def read(self, text: str, path: str) -> Type:
        try:
            value = read_json(text)
        except MalformedJson as error:
            raise MalformedSchema(path, error.reason) from None
        root = self._type(value, path, "")
        # Only now is every record known that a default may be of.
        check_defaults(self._defaults, self.names)
        self._defaults.clear()
        return root

    def _type(self, value: Any, path: str, space: str) -> Type:
        self._count(path)
        if isinstance(value, str):
            return self._by_name(value, path, space)
        if isinstance(value, list):
            return self._union(value, path, space)
        if not isinstance(value, dict):
            raise MalformedSchema(path, "a type is a name, an object or a list of types")
        kind = value.get("type")
        if not isinstance(kind, str):
            raise MalformedSchema(path, 'a type has the attribute "type", which holds a name')
        match kind:
            case "record":
                return self._record(value, path, space)
            case "enum":
                return self._enumeration(value, path, space)
            case "fixed":
                return self._fixed(value, path, space)
            case "array":
                items = self._type(required(value, "items", path), under(path, "items"), space)
                return Array(items, other_attributes(value, _RESERVED))
            case "map":
                values = self._type(required(value, "values", path), under(path, "values"), space)
                return Map(values, other_attributes(value, _RESERVED))
        if kind in _PRIMITIVES:
            return Primitive(_PRIMITIVES[kind], other_attributes(value, _RESERVED))
        # Java keeps no attributes of a reference either.
        return self._by_name(kind, under(path, "type"), space)

    def _by_name(self, name: str, path: str, space: str) -> Type:
        if name in _PRIMITIVES:
            return Primitive(_PRIMITIVES[name])
        # As in Java: a name that its namespace lacks may be one without a namespace.
        for candidate in (qualified(name, space), name):
            if candidate in self._begun:
                return Reference(candidate)
        raise MalformedSchema(path, f"no type named {shown(name)} is defined before this place")

    def _union(self, branches: list[Any], path: str, space: str) -> Union:
        found: dict[str, Type] = {}
        for index, value in enumerate(branches):
            place = f"{path}[{index}]"
            branch = self._type(value, place, space)
            if isinstance(branch, Union):
                raise MalformedSchema(place, "a union directly inside a union")
            kind = branch_key(branch)
            if kind in found:
                raise MalformedSchema(place, f"the union has {shown(kind)} already")
            found[kind] = branch
        return Union(tuple(found.values()))

    def _record(self, value: dict[str, Any], path: str, space: str) -> Record:
        name = self._definition(value, path, space)
        fields: dict[str, Field] = {}
        for index, item in enumerate(listed(value, "fields", path)):
            place = f"{under(path, 'fields')}[{index}]"
            field = self._field(item, place, name)
            if field.name in fields:
                raise MalformedSchema(place, f"the record has a field {shown(field.name)} already")
            fields[field.name] = field
        record = Record(
            name,
            tuple(fields.values()),
            optional_text(value, "doc", path),
            self._aliases(value, path, namespace(name)),
            other_attributes(value, _RESERVED),
        )
        self.names[name] = record
        return record

    def _field(self, value: Any, path: str, record: str) -> Field:
        self._count(path)
        if not isinstance(value, dict):
            raise MalformedSchema(path, "a field is an object")
        name = legal_name(required(value, "name", path), under(path, "name"))
        type_ = self._type(required(value, "type", path), under(path, "type"), namespace(record))
        default: Json | Absent = Absent.NO_DEFAULT
        if "default" in value:
            default = Json.of(value["default"])
            place = under(path, "default")
            self._defaults.append(Default(place, (record, name), type_, value["default"]))
        order = value.get("order", Order.ASCENDING.value)
        if not isinstance(order, str) or order not in _ORDERS:
            raise MalformedSchema(
                under(path, "order"), "an order is ascending, descending or ignore"
            )
        return Field(
            name,
            type_,
            default,
            optional_text(value, "doc", path),
            self._field_aliases(value, path),
            _ORDERS[order],
            other_attributes(value, _RESERVED_IN_FIELD),
        )

    def _enumeration(self, value: dict[str, Any], path: str, space: str) -> Enumeration:
        name = self._definition(value, path, space)
        symbols: dict[str, None] = {}
        for index, item in enumerate(listed(value, "symbols", path)):
            place = f"{under(path, 'symbols')}[{index}]"
            self._count(place)
            symbol = legal_name(item, place)
            if symbol in symbols:
                raise MalformedSchema(place, f"the enum has the symbol {shown(symbol)} already")
            symbols[symbol] = None
        default = optional_text(value, "default", path)
        if default is not None and default not in symbols:
            raise MalformedSchema(under(path, "default"), f"{shown(default)} is not a symbol")
        enumeration = Enumeration(
            name,
            tuple(symbols),
            default,
            optional_text(value, "doc", path),
            self._aliases(value, path, namespace(name)),
            other_attributes(value, _RESERVED_IN_ENUM),
        )
        self.names[name] = enumeration
        return enumeration

    def _fixed(self, value: dict[str, Any], path: str, space: str) -> Fixed:
        name = self._definition(value, path, space)
        size = required(value, "size", path)
        if not isinstance(size, int) or isinstance(size, bool) or not 0 <= size <= LARGEST_FIXED:
            raise MalformedSchema(
                under(path, "size"), f"a size is a whole number from 0 to {LARGEST_FIXED}"
            )
        fixed = Fixed(
            name,
            size,
            optional_text(value, "doc", path),
            self._aliases(value, path, namespace(name)),
            other_attributes(value, _RESERVED),
        )
        self.names[name] = fixed
        return fixed

    def _definition(self, value: dict[str, Any], path: str, space: str) -> str:
        own_space = legal_namespace(value, path)
        place = under(path, "name")
        name = full_name(
            required(value, "name", path), space if own_space is None else own_space, place
        )
        if simple_name(name) in _PRIMITIVES:
            raise MalformedSchema(place, f"{shown(name)} is named as a primitive type")
        if name in self._begun:
            raise MalformedSchema(place, f"{shown(name)} is defined already")
        self._begun.add(name)
        return name

    def _aliases(self, value: dict[str, Any], path: str, space: str) -> tuple[str, ...]:
        return self._distinct(
            full_name(alias, space, place) for alias, place in listed_aliases(value, path)
        )

    def _field_aliases(self, value: dict[str, Any], path: str) -> tuple[str, ...]:
        return self._distinct(
            legal_name(alias, place) for alias, place in listed_aliases(value, path)
        )

    def _distinct(self, aliases: Iterable[str]) -> tuple[str, ...]:
        found: dict[str, None] = {}
        for alias in aliases:
            self._count("aliases")
            found[alias] = None
        return tuple(found)

    def _count(self, path: str) -> None:
        self._nodes += 1
        if self._nodes > MOST_NODES:
            raise MalformedSchema(path, f"more than {MOST_NODES:,} types, fields and names")


def branch_key(branch: Type) -> str:
    """Name what a union may hold only once: a full name, or the kind of an unnamed type."""
    match branch:
        case Array():
            return "array"
        case Map():
            return "map"
        case Union():
            return "union"
        case Primitive():
            return branch.name.value
        case Record() | Enumeration() | Fixed() | Reference():
            return branch.name
