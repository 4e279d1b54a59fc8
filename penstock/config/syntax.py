"""What PyYAML found wrong, in words of ours.

Its own words quote the file, and what they quote may be a password: one that
begins with %, @, & or a quote is how most of these errors are made.
"""

from typing import Final

_QUOTE_IT: Final = "put the value in quotes"

# The part of PyYAML's text that does not depend on the file, our words, a hint.
_REASONS: Final = (
    ("could not find expected ':'", "a key without a colon and a space behind it", None),
    ("mapping values are not allowed", "a second ': ' in one line", _QUOTE_IT),
    (
        "cannot start any token",
        "a value begins with a character that YAML keeps for itself",
        _QUOTE_IT,
    ),
    ("expected ',' or ']'", "a list in [ ] is not closed, or lacks a comma", None),
    ("expected ',' or '}'", "a mapping in { } is not closed, or lacks a comma", None),
    ("unclosed '[' or '{'", "a [ or { is not closed", None),
    (
        "expected <block end>",
        "the indentation does not fit the lines above, or a quote is too many",
        None,
    ),
    ("sequence entries are not allowed", "a list item (- ...) stands where none can be", None),
    ("mapping keys are not allowed", "a key (? ...) stands where none can be", None),
    ("unexpected end of stream", "a quote is not closed", None),
    ("unexpected document separator", "a quote is not closed", None),
    (
        "unknown escape character",
        "an unknown escape behind \\",
        "use single quotes, which know no escapes",
    ),
    (
        "escape sequence of",
        "an incomplete escape behind \\",
        "use single quotes, which know no escapes",
    ),
    ("undefined tag handle", "tags (words after !) are not supported", _QUOTE_IT),
    ("alphabetic or numeric character", "a value begins with & or *", _QUOTE_IT),
    (
        "expected the node content",
        "a value is missing, or begins with a character that YAML keeps",
        _QUOTE_IT,
    ),
)


def reason(problem: str, line: str) -> tuple[str, str | None]:
    """Give what is wrong and what to do; ``line`` is looked at and never shown."""
    what, hint = next(
        ((what, hint) for part, what, hint in _REASONS if part in problem),
        ("this is not valid YAML", None),
    )
    if "${" in line and ("{" in line.replace("${", "") or "[" in line):
        hint = "inside { } and [ ] a ${...} must stand in quotes"
    elif "\t" in line[: len(line) - len(line.lstrip())]:
        hint = "indent with spaces; YAML allows no tabs there"
    return what, hint
