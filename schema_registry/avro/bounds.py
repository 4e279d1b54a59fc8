"""JSON from outside, read with bounds.

A text may be made to hurt: brackets that exhaust the stack, numbers that take
minutes to convert, keys that two readers understand differently. All of it is
refused before anything recursive sees the text, and every step takes linear time.
"""

import json
import math
import re
from typing import Any, Final, NoReturn

LONGEST: Final = 2 * 1024 * 1024  # bytes; the widest table's envelope has a tenth of it
DEEPEST: Final = 200  # levels; a fifth of the frames that Python allows by default
LONGEST_NUMBER: Final = 1_000  # digits; a double written out in full has under 800

# A string without its end is taken to the end of the text, so that no attempt
# ever fails and starts over: that would take quadratic time.
_STRING_OR_BRACKET: Final = re.compile(
    r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|(?P<open>[\[{])|(?P<close>[\]}])', re.DOTALL
)
_ESCAPED_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]")


class MalformedJson(ValueError):
    """A text that is no JSON, or JSON that we do not take."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def read_json(text: str, *, longest: int = LONGEST, deepest: int = DEEPEST) -> Any:
    """Read a JSON text of at most ``longest`` bytes and ``deepest`` levels."""
    # The number of characters first: a text that is too long is not even encoded.
    if len(text) > longest or len(_encoded(text)) > longest:
        raise MalformedJson(f"longer than {longest:,} bytes")
    _check_depth(text, deepest)
    try:
        value = json.loads(
            text,
            object_pairs_hook=_distinct,
            parse_int=_integer,
            parse_float=_real,
            parse_constant=_no_number,
        )
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise MalformedJson(f"not JSON: {error.msg.removesuffix(' at')} at {place}") from None
    if _ESCAPED_SURROGATE.search(text):
        _check_surrogates(value)
    return value


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise MalformedJson("half of a surrogate pair, which is no character") from None


def _check_depth(text: str, deepest: int) -> None:
    depth = 0
    for match in _STRING_OR_BRACKET.finditer(text):
        if match["open"]:
            depth += 1
            if depth > deepest:
                raise MalformedJson(f"nested deeper than {deepest} levels")
        elif match["close"]:
            depth -= 1


def _check_surrogates(value: Any) -> None:
    _encoded(json.dumps(value, ensure_ascii=False))


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise MalformedJson("an object has a key twice")
    return found


def _integer(digits: str) -> int:
    _check_length(digits)
    return int(digits)


def _real(digits: str) -> float:
    _check_length(digits)
    number = float(digits)
    if math.isinf(number):
        raise MalformedJson("a number is too large for a double")
    return number


def _check_length(digits: str) -> None:
    if len(digits) > LONGEST_NUMBER:
        raise MalformedJson(f"a number has more than {LONGEST_NUMBER:,} digits")


def _no_number(name: str) -> NoReturn:
    raise MalformedJson(f"{name} is no JSON")
