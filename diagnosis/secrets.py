"""Values that must never be shown, and the last net that keeps them out of text.

The first line of defence is the type: ``Secret`` does not print its value. The
second is ``redact``: libraries put connection strings into their messages, so
all text from them passes through it before a person or a log sees it.
"""

import re
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import quote, quote_plus, unquote, unquote_plus

MASK: Final = "***"

# A shorter value would turn every message into asterisks; the patterns below
# still catch it where it stands as a password.
SHORTEST_KNOWN: Final = 4

_PASSWORD_WORD: Final = r"pass(?:word|wd)?|pwd|secret|token|api[_-]?key|sslpassword"  # noqa: S105
_PATTERNS: Final = (
    # scheme://user:password@host; the password may itself hold an @
    (
        re.compile(r"(?P<head>[a-z][a-z0-9+.-]*://[^\s/:@]*:)[^\s/]+(?=@)", re.IGNORECASE),
        r"\g<head>",
    ),
    # password=..., quoted as libpq does or not, and "password": "...". A colon
    # after a bare word is prose: «password: must be text».
    (
        re.compile(
            rf"(?P<head>\b\w*(?:{_PASSWORD_WORD})(?:\s*=\s*|['\"]\s*:\s*))"
            r"(?:'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|[^\s&,;'\"}]+)",
            re.IGNORECASE,
        ),
        r"\g<head>",
    ),
)

_known: set[str] = set()


@dataclass(frozen=True, slots=True)
class Secret:
    """A value that prints as asterisks; ``reveal`` is the one way to it."""

    _value: str = field(repr=False)

    def reveal(self) -> str:
        """Give the value itself, to be handed to the library that needs it."""
        return self._value

    def __str__(self) -> str:
        return MASK

    def __repr__(self) -> str:
        return f"Secret({MASK})"


def conceal(value: str) -> None:
    """Remember a value that no text may show from now on, in any common spelling."""
    spellings = {
        value,
        unquote(value),
        unquote_plus(value),
        quote(value, safe=""),
        quote_plus(value),
    }
    _known.update(spelling for spelling in spellings if len(spelling) >= SHORTEST_KNOWN)


def redact(text: str) -> str:
    """Replace every known secret, and whatever stands where a password would."""
    for value in sorted(_known, key=len, reverse=True):
        text = text.replace(value, MASK)
    for pattern, head in _PATTERNS:
        text = pattern.sub(head + MASK, text)
    return text
