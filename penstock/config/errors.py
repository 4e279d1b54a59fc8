"""What can be wrong with a connector file: four classes, each with a list of problems."""

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from diagnosis.errors import Area, PenstockError
from diagnosis.secrets import redact

# A generated file can be wrong in every line; nobody reads more than this.
MOST_SHOWN: Final = 50

_LONGEST_WORD: Final = 60


def printable(text: str, longest: int = _LONGEST_WORD) -> str:
    """Make text from outside fit for one line: no control characters, not too long."""
    if len(text) > longest:
        text = text[: longest - 3] + "..."
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )


def nearest(word: str, choices: Iterable[str], cutoff: float = 0.6) -> str | None:
    """Find what was probably meant, whatever the case of the letters."""
    by_lower = {choice.lower(): choice for choice in choices}
    # difflib takes quadratic time; no choice of ours is longer than this.
    found = difflib.get_close_matches(word.lower()[:_LONGEST_WORD], by_lower, n=1, cutoff=cutoff)
    return by_lower[found[0]] if found else None


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong, where, and what was probably meant.

    Known secrets are cut out when it is made, so that each field can be shown.
    """

    file: str
    line: int | None
    key: str
    what: str
    hint: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "file", printable(self.file, longest=4096))
        object.__setattr__(self, "key", redact(self.key))
        object.__setattr__(self, "what", redact(self.what))
        if self.hint is not None:
            object.__setattr__(self, "hint", redact(self.hint))

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        text = ": ".join(part for part in (place, self.key, self.what) if part)
        return text if self.hint is None else f"{text}; {self.hint}"


class ConfigError(PenstockError):
    """A connector file that can't be used."""

    area = Area.CONFIG

    def __init__(self, problems: Sequence[Problem], *, fix: str) -> None:
        lines = [str(problem) for problem in problems[:MOST_SHOWN]]
        if len(problems) > MOST_SHOWN:
            lines.append(f"and {len(problems) - MOST_SHOWN} more")
        super().__init__("\n".join(lines), fix=fix)
        self.problems = tuple(problems)


class UnreadableFile(ConfigError):
    """The operating system does not give us the file."""

    code = "PEN-101"

    def __init__(self, problem: Problem) -> None:
        super().__init__([problem], fix="check the path and the permissions of the file")


class MalformedDocument(ConfigError):
    """The file is not YAML, or YAML of a kind that a connector file never needs."""

    code = "PEN-102"

    def __init__(self, problem: Problem) -> None:
        super().__init__([problem], fix="mend the line; docs/configuration.md has an example")


class UnresolvedReference(ConfigError):
    """A ``${...}`` that is broken, or whose variable or file is missing."""

    code = "PEN-103"

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(
            problems,
            fix="set the variables and files named above, in the place where penstock runs",
        )


class InvalidContent(ConfigError):
    """The file reads well, and does not describe a connector."""

    code = "PEN-104"

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(
            problems,
            fix="mend the lines; docs/configuration.md lists every key, `penstock schema` "
            "makes an editor complete them",
        )
