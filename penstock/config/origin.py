"""Where in the file a loaded value came from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from penstock.config.errors import printable


@dataclass(frozen=True, slots=True)
class LiteralSecret:
    """A secret that stands in the file itself, where everyone who has the file reads it."""

    key: str
    line: int


@dataclass(frozen=True, slots=True)
class Origin:
    """The file beside a connector: lines by key (``source.tables[1]``), and literal secrets."""

    file: Path
    lines: Mapping[str, int] = field(repr=False)
    literal_secrets: tuple[LiteralSecret, ...]

    def at(self, key: str) -> str:
        """Say where a key stands, as ``shop.yaml:7``, or its section if the key is left out."""
        while key and key not in self.lines:
            key = key[: max(key.rfind("."), key.rfind("["), 0)]
        file = printable(str(self.file), longest=4096)
        return f"{file}:{self.lines[key]}" if key else file
