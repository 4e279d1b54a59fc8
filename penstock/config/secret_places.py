"""Where secrets stand in a connector file, and which part of a value is one.

This is asked of the tree and not of the models, because a file that is refused
may hold a secret as well.
"""

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote

import psycopg
from psycopg.conninfo import conninfo_to_dict

from penstock.config.errors import printable

Place = tuple[str | int, ...]

# The whole value is secret.
_WHOLE: Final = frozenset({"password", "key_password", "token"})
# An address, which may hold a password.
_ADDRESSES: Final = frozenset({"dsn", "url", "warehouse"})

_LIBPQ_SECRETS: Final = (
    "password",
    "sslpassword",
    "oauth_client_secret",
    "scram_client_key",
    "scram_server_key",
)
# Stands for a reference where only the file's own text is of interest. It is a
# character of the private use area, so that no file means anything by it.
ELSEWHERE: Final = "\ue000"

# Two readings of user:password@host: up to the first @, as libpq reads it, and
# up to the last, as the person meant it who did not encode an @.
_USERINFO: Final = (
    re.compile(r"://[^/?#:@]*:(?P<secret>[^@/]*)@"),
    re.compile(r"://[^/?#:@]*:(?P<secret>[^\s?]*)@"),
)
_WORD_END: Final = re.compile(r"[:\s]")
_PARAMETER: Final = re.compile(
    r"(?:pass(?:word|wd)?|pwd|secret|token|api_?key)\s*=\s*"
    r"(?:'(?P<quoted>(?:[^'\\]|\\.)*)'|(?P<bare>[^\s&;]+))",
    re.IGNORECASE,
)


def holds_secret(place: Place) -> bool:
    """Tell whether the value at this place may never be shown."""
    return place == ("registry",) or (bool(place) and place[-1] in _WHOLE | _ADDRESSES)


def key_text(place: Place) -> str:
    """Write a place as ``source.tables[1]``.

    It ends at a secret place: ``password: {hunter2}`` is a mapping to YAML, and
    its key is the secret.
    """
    text = ""
    for part in place:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            # password:hunter2 and, in braces, password hunter2 are keys to YAML.
            word = printable(_WORD_END.split(part)[0])
            text += f".{word}" if text else word
        if part in _WHOLE | _ADDRESSES:
            break
    return text


def sensitive_parts(place: Place, value: str) -> set[str]:
    """Find what must be kept out of every text, in the spellings the value has."""
    if not holds_secret(place) or not value:
        return set()
    if place[-1] in _WHOLE:
        return {value}
    found = set(_from_text(value)) | set(_from_text(unquote(value)))
    if place[-1] == "dsn":
        found |= _from_libpq(value)
    return {part for part in found if part}


def _from_text(value: str) -> Iterator[str]:
    for pattern in _USERINFO:
        for match in pattern.finditer(value):
            yield match["secret"]
            yield unquote(match["secret"])
    for match in _PARAMETER.finditer(value):
        secret = match["quoted"] if match["quoted"] is not None else match["bare"]
        yield secret
        yield unquote(secret)


def _from_libpq(value: str) -> set[str]:
    try:
        settings = conninfo_to_dict(value)
    except (psycopg.Error, UnicodeError):
        # It can't be told which part is the password, so all of it may be.
        return set() if ELSEWHERE in value else {value}
    return {str(settings[name]) for name in _LIBPQ_SECRETS if name in settings}
