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

# Addresses stand between spaces, or in a list; a password may hold any other mark.
_BETWEEN_ADDRESSES: Final = re.compile(
    r"(\s+|[,;|'\"<>()\[\]{}](?=[a-z][a-z0-9+.-]{0,30}://))", re.IGNORECASE
)
# «://user:», where neither an IPv6 address nor a port with a path follows.
_BEFORE_PASSWORD: Final = re.compile(r"://(?!\[[0-9a-f:.]*\])[^\s/:@]*:(?!\d{1,5}/)", re.IGNORECASE)

_PASSWORD_WORD: Final = (
    r"pass(?:word|wd)?|pwd|secret|token|sslpassword"  # noqa: S105
    r"|(?:api|account|private|secret(?:[._-]?access)?|shared[._-]?access)[._-]?key"
)
_PATTERNS: Final = (
    # https://token@host. Elsewhere a name alone is a user's, and helps.
    re.compile(r"(?P<head>https?://)[^\s/:@]+(?=:?@)", re.IGNORECASE),
    # password=..., quoted as libpq does or not, and "password": "...". A colon
    # after a bare word is prose: «password: must be text».
    re.compile(
        rf"(?P<head>\b\w*(?:{_PASSWORD_WORD})(?:\s*=\s*|['\"]\s*:\s*))"
        r"(?:'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|[^\s&,;'\"}]+)",
        re.IGNORECASE,
    ),
    # Authorization: Bearer ..., and not «the bearer token expired».
    re.compile(
        r"(?P<head>\b(?:bearer|authorization['\"]?\s*[:=]\s*['\"]?(?:basic|apikey|token))\s+)"
        r"(?!(?:tokens?|auth|authentication|authorization)[.,:;]?(?:\s|$)|realm=)"
        r"[\w.~+/=:-]+",
        re.IGNORECASE,
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
    text = "".join(map(_without_password, _BETWEEN_ADDRESSES.split(text)))
    for pattern in _PATTERNS:
        text = pattern.sub(rf"\g<head>{MASK}", text)
    return text


def _without_password(address: str) -> str:
    # The password ends at the last @, as it may hold one, and a slash too. Two
    # plain searches do this in one pass; one pattern would try every pair.
    end = address.rfind("@")
    before = _BEFORE_PASSWORD.search(address, 0, max(end, 0))
    if before is None or before.end() == end:
        return address
    return address[: before.end()] + MASK + address[end:]
