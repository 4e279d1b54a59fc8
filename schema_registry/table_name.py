"""The name of a table, as Postgres knows it: exact, never folded, never guessed."""

import re
from dataclasses import dataclass
from typing import Final, Self

# Postgres keeps 63 bytes of a name and cuts the rest off without an error.
LONGEST_NAME: Final = 63

_PART: Final = r'(?:"(?:[^"]|"")+"|[^".]+)'
_TABLE: Final = re.compile(rf"(?P<schema>{_PART})\.(?P<table>{_PART})", re.DOTALL)
_NEEDS_QUOTES: Final = re.compile(r'[".]|^\*$|^\s|\s$')


class MalformedTableName(ValueError):
    """A text that names no table."""


@dataclass(frozen=True, slots=True, order=True)
class TableName:
    """A schema and a table, each the exact text in the catalog."""

    schema: str
    table: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``schema.table``. Double quotes hold a dot, a quote or a lone star.

        Letters keep their case, with quotes or without: ``public.Orders`` is
        the table that SQL calls ``public."Orders"``.
        """
        match = _TABLE.fullmatch(text)
        if match is None:
            raise MalformedTableName(
                "a table is written schema.table; a name with a dot or a quote in it "
                'stands in double quotes: public."a.b"'
            )
        return cls(_checked(_unquoted(match["schema"])), _checked(_unquoted(match["table"])))

    def __str__(self) -> str:
        return f"{_shown(self.schema)}.{_shown(self.table)}"


def is_pattern(text: str) -> bool:
    """Tell whether the text stands for all tables of a schema: ``public.*``."""
    match = _TABLE.fullmatch(text)
    return match is not None and match["table"] == "*"


def _unquoted(part: str) -> str:
    return part[1:-1].replace('""', '"') if part.startswith('"') else part


def _shown(part: str) -> str:
    if not _NEEDS_QUOTES.search(part):
        return part
    return '"' + part.replace('"', '""') + '"'


def _checked(part: str) -> str:
    if "\0" in part:
        raise MalformedTableName("a name holds a NUL character, which Postgres cannot store")
    if len(part.encode()) > LONGEST_NAME:
        raise MalformedTableName(
            f"a name is {len(part.encode())} bytes long; Postgres keeps {LONGEST_NAME}"
        )
    return part
