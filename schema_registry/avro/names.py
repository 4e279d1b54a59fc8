"""Legal Avro names that cannot clash.

Avro allows letters, digits and the underscore of ASCII, and no digit first. Any
other character becomes ``_u`` and the four hex digits of its UTF-16 code units.
Where a name already holds what would look like that, its underscore is escaped
too: so two names never become one, and every name can be had back.
"""

import re
from typing import Final

from schema_registry.table_name import TableName

# What has to be escaped: a first digit, a character that Avro does not know, and
# the underscore of something that looks like an escape.
_TO_ESCAPE: Final = re.compile(r"\A[0-9]|[^A-Za-z0-9_]|_(?=u[0-9a-f]{4})")
_ESCAPES: Final = re.compile(r"(?:_u[0-9a-f]{4})+")


class NoAvroName(ValueError):
    """A text from which no Avro name can be made, or that was not made by ``legal``."""


def legal(name: str) -> str:
    """Give the Avro name for a name; one that is legal already stays as it is."""
    if not name:
        raise NoAvroName("an empty name")
    return _TO_ESCAPE.sub(lambda found: _escaped(found[0]), name)


def original(name: str) -> str:
    """Give back the name that ``legal`` was given."""
    found = _ESCAPES.sub(lambda run: _unescaped(run[0]), name)
    # One name has one spelling; another one is not ours.
    if not found or legal(found) != name:
        raise NoAvroName(f"{name!r:.100} is not a name as we write it")
    return found


def namespace(prefix: str, table: TableName) -> str:
    """Give the namespace of a table's records: ``<prefix>.<schema>.<table>``.

    A dot in the prefix parts it; one in the name of a schema or a table does not.
    """
    parts = (*prefix.split("."), table.schema, table.table)
    return ".".join(legal(part) for part in parts)


def _escaped(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"_u{units[at : at + 4]}" for at in range(0, len(units), 4))


def _unescaped(run: str) -> str:
    try:
        return bytes.fromhex(run.replace("_u", "")).decode("utf-16-be")
    except UnicodeDecodeError:
        raise NoAvroName("half of a surrogate pair") from None
