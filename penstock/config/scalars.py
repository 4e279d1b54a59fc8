"""Which plain words are numbers: the core schema of YAML 1.2.

YAML 1.1 reads ``no`` as false, ``12:30`` as 750 and ``010`` as 8. Country codes,
times and passwords suffer from that, so its rules are not used here.
"""

import re
from typing import Final

Value = str | int | float | bool | None

# Python refuses to read integers of thousands of digits. No key takes one, so
# that it is a number is all that matters, and a float says that.
_LONGEST_INTEGER: Final = 100

_NULLS: Final = frozenset({"", "~", "null", "Null", "NULL"})
_BOOLEANS: Final = {
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
}
_DECIMAL: Final = re.compile(r"[-+]?[0-9]+")
_OCTAL: Final = re.compile(r"0o[0-7]+")
_HEXADECIMAL: Final = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT: Final = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_INFINITE: Final = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")


def resolve(word: str) -> Value:
    """Read a plain word, one without quotes, as YAML 1.2 does."""
    if word in _NULLS:
        return None
    if word in _BOOLEANS:
        return _BOOLEANS[word]
    number = integer(word)
    if number is not None:
        return number
    if _FLOAT.fullmatch(word):
        return float(word)
    if _INFINITE.fullmatch(word):
        return float(word.replace(".", ""))
    return word


def integer(word: str) -> int | None:
    """Read a whole number, or None if the word is none."""
    if len(word) > _LONGEST_INTEGER:
        return None
    if _DECIMAL.fullmatch(word):
        return int(word)
    if _OCTAL.fullmatch(word):
        return int(word[2:], 8)
    if _HEXADECIMAL.fullmatch(word):
        return int(word[2:], 16)
    return None
