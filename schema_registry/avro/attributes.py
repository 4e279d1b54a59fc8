"""Attributes of the objects in a schema, read one by one with their paths."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from schema_registry.avro.errors import MalformedSchema, shown
from schema_registry.avro.model import Props, props_of

# Types inherit a namespace: one of a megabyte would be copied for each of them.
LONGEST_NAME: Final = 1_000

_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*+")
_FULL_NAME: Final = re.compile(rf"{_NAME.pattern}(?:\.{_NAME.pattern})*+")


def under(path: str, attribute: str) -> str:
    """Extend a path by an attribute."""
    return f"{path}.{attribute}" if path else attribute


def required(value: Mapping[str, Any], attribute: str, path: str) -> Any:
    """Read an attribute that has to be there."""
    if attribute not in value:
        raise MalformedSchema(path, f'the attribute "{attribute}" is missing')
    return value[attribute]


def listed(value: Mapping[str, Any], attribute: str, path: str) -> list[Any]:
    """Read an attribute that has to be there and to be a list."""
    found = required(value, attribute, path)
    if not isinstance(found, list):
        raise MalformedSchema(under(path, attribute), "not a list")
    return found


def optional_text(value: Mapping[str, Any], attribute: str, path: str) -> str | None:
    """Read an attribute that is a text if it is there at all."""
    # Generators write null for what they do not have, and Java takes it so.
    found = value.get(attribute)
    if found is None or isinstance(found, str):
        return found
    raise MalformedSchema(under(path, attribute), "not a text")


def listed_aliases(value: Mapping[str, Any], path: str) -> Iterable[tuple[Any, str]]:
    """Give every alias with its path."""
    if "aliases" in value:
        for index, alias in enumerate(listed(value, "aliases", path)):
            yield alias, f"{under(path, 'aliases')}[{index}]"


def legal_namespace(value: Mapping[str, Any], path: str) -> str | None:
    """Read the attribute; empty is the null namespace, None that of the enclosing type."""
    found = optional_text(value, "namespace", path)
    if found and not _FULL_NAME.fullmatch(found):
        raise MalformedSchema(under(path, "namespace"), f"{shown(found)} is no legal namespace")
    return found and _bounded(found, under(path, "namespace"))


def legal_name(name: Any, path: str) -> str:
    """Check a name without a namespace."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        found = shown(name) if isinstance(name, str) else "this"
        raise MalformedSchema(path, f"{found} is no legal name: letters, digits and _ only")
    return _bounded(name, path)


def full_name(name: Any, space: str, path: str) -> str:
    """Check a name, and put the namespace before it if it has none."""
    if isinstance(name, str) and "." in name and _FULL_NAME.fullmatch(name):
        return _bounded(name, path)
    return _bounded(qualified(legal_name(name, path), space), path)


def qualified(name: str, space: str) -> str:
    """Put the namespace before a name that has none."""
    return name if "." in name or not space else f"{space}.{name}"


def other_attributes(value: Mapping[str, Any], reserved: frozenset[str]) -> Props:
    """Keep the attributes that Avro gives no meaning to."""
    return props_of({name: value[name] for name in value if name not in reserved})


def _bounded(name: str, path: str) -> str:
    if len(name) > LONGEST_NAME:
        raise MalformedSchema(path, f"{shown(name)} is longer than {LONGEST_NAME:,} characters")
    return name
