"""``${VAR}``, ``${VAR:-default}``, ``${file:path}``, and ``$${`` for a plain ``${``.

They are put in after parsing, inside single values: whatever a variable holds,
it can't add a key or a list item to the connector.
"""

import re
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, assert_never

from penstock.config.errors import Problem, UnresolvedReference, nearest, printable
from penstock.config.secret_places import ELSEWHERE, Place, key_text
from penstock.config.tree import Entry, Items, Mapped, Node, Scalar

LARGEST_VALUE: Final = 64 * 1024

_TOKEN: Final = re.compile(r"\$\$\{|\$\{(?P<body>[^}]*)(?P<end>\}?)")
_VARIABLE: Final = re.compile(r"(?P<name>[A-Za-z_][A-Za-z0-9_]*)(?P<default>:-.*)?", re.DOTALL)
_FORMS: Final = "write ${NAME}, ${NAME:-default} or ${file:path}, and $${ for a plain ${"


class _Missing(Exception):
    """One reference that gives no value."""

    def __init__(self, what: str, hint: str | None) -> None:
        super().__init__(what)
        self.what, self.hint = what, hint


@dataclass(frozen=True, slots=True)
class _Piece:
    """What one reference gives, how it may be shown, and what the file itself says."""

    value: str
    shown: str
    literal: str


def substitute(root: Mapped, file: str, folder: Path, environ: Mapping[str, str]) -> Mapped:
    """Put in every reference, or raise one error that names all that are missing."""
    problems: list[Problem] = []

    def single(node: Scalar, place: Place, line: int) -> Scalar:
        if not isinstance(node.value, str) or "${" not in node.value:
            return node
        return _scalar(
            node,
            lambda body: _piece(body, folder, environ),
            lambda missing: problems.append(
                Problem(file, line, key_text(place), missing.what, missing.hint)
            ),
        )

    def walk(node: Node, place: Place, line: int) -> Node:
        match node:
            case Scalar():
                return single(node, place, line)
            case Items():
                items = tuple(
                    walk(item, (*place, i), item.line) for i, item in enumerate(node.items)
                )
                return replace(node, items=items)
            case Mapped():
                return mapped(node, place)
            case _:
                assert_never(node)

    def mapped(node: Mapped, place: Place) -> Mapped:
        entries = {
            key: Entry(key, entry.line, walk(entry.value, (*place, key), entry.line))
            for key, entry in node.entries.items()
        }
        return replace(node, entries=entries)

    substituted = mapped(root, ())
    if problems:
        raise UnresolvedReference(list(dict.fromkeys(problems)))
    return substituted


def _scalar(
    node: Scalar, lookup: Callable[[str], _Piece], report: Callable[[_Missing], None]
) -> Scalar:
    text = node.text
    value, literal, shown = "", "", []
    end = 0
    for match in _TOKEN.finditer(text):
        between, end = text[end : match.start()], match.end()
        value, literal = value + between, literal + between
        if match["body"] is None:
            value, literal = value + "${", literal + "${"
            continue
        try:
            piece = lookup(_closed(match))
        except _Missing as missing:
            report(missing)
            continue
        value, literal = value + piece.value, literal + piece.literal
        shown.append(piece.shown)
    value, literal = value + text[end:], literal + text[end:]
    return replace(node, value=value, text=value, literal=literal, references=tuple(shown))


def _closed(match: re.Match[str]) -> str:
    # What stands inside is not shown: it may be a password that holds ${.
    if not match["end"]:
        raise _Missing("a ${ is not closed", _FORMS)
    if "${" in match["body"]:
        raise _Missing("a reference stands inside another", _FORMS)
    return match["body"]


def _piece(body: str, folder: Path, environ: Mapping[str, str]) -> _Piece:
    if body.startswith("file:"):
        name = body.removeprefix("file:")
        if not name:
            raise _Missing("${file:} names no file", _FORMS)
        return _Piece(_file(folder / name, printable(name, 200)), f"${{file:{name}}}", ELSEWHERE)
    match = _VARIABLE.fullmatch(body)
    if match is None:
        raise _Missing("a ${...} names no variable", _FORMS)
    name, default = match["name"], match["default"]
    value = environ.get(name, "")
    literal = ELSEWHERE if default is None else default.removeprefix(":-")
    if value:
        return _Piece(_utf8(value, f"the variable {name}"), f"${{{name}}}", literal)
    if default is not None:
        return _Piece(literal, f"${{{name}}}", literal)
    state = "is empty" if name in environ else "is not set"
    close = nearest(name, (known for known in environ if known != name), cutoff=0.8)
    hint = f"set it with `export {name}=...`"
    if close is not None:
        hint = f"did you mean ${{{printable(close)}}}? Otherwise {hint}"
    raise _Missing(f"the variable {name} {state}", hint)


def _file(path: Path, name: str) -> str:
    reason: str | None = None
    content = b""
    try:
        # A pipe would make us wait for ever.
        if not stat.S_ISREG(path.stat().st_mode):
            reason = "is not a regular file"
        else:
            with path.open("rb") as opened:
                content = opened.read(LARGEST_VALUE + 1)
    except FileNotFoundError:
        reason = "does not exist"
    except (OSError, ValueError) as error:
        reason = f"can't be read ({getattr(error, 'strerror', None) or 'not a path'})"
    if len(content) > LARGEST_VALUE:
        reason = f"is larger than {LARGEST_VALUE} bytes"
    elif reason is None and not content.strip():
        reason = "is empty"
    elif b"\0" in content:
        reason = "holds a NUL character"
    if reason is not None:
        hint = f"put the value into {printable(str(path), 200)}, or correct the path"
        raise _Missing(f"the file {name} {reason}", hint)
    text = _utf8(content, f"the file {name}")
    # Editors and echo end a file with one; it is no part of a password.
    return text.removesuffix("\r\n" if text.endswith("\r\n") else "\n")


def _utf8(value: str | bytes, what: str) -> str:
    try:
        if isinstance(value, bytes):
            return value.decode()
        value.encode()
    except UnicodeError:
        pass
    else:
        return value
    raise _Missing(f"{what} does not hold UTF-8 text", None)
