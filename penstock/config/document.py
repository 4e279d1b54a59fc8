"""From YAML text to a tree that knows its lines, within bounds.

The tree is built from PyYAML's events with a stack of our own. Nothing recurses
over what the file holds, no tag constructs anything, and every bound is checked
before the memory for it is taken.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, NoReturn

from yaml import YAMLError
from yaml.error import MarkedYAMLError
from yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    DocumentStartEvent,
    Event,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceStartEvent,
)
from yaml.parser import Parser
from yaml.reader import Reader
from yaml.scanner import Scanner

from penstock.config.errors import MalformedDocument, Problem
from penstock.config.scalars import resolve
from penstock.config.secret_places import Place, key_text
from penstock.config.syntax import reason
from penstock.config.tree import Entry, Items, Mapped, Node, Scalar

LARGEST_FILE: Final = 1024 * 1024
DEEPEST: Final = 32
MOST_NODES: Final = 20_000

# Tab and line ends are the only control characters that a file needs. NEL and
# the Unicode separators count as line ends in YAML 1.1 and in no editor; lone
# surrogates come from escapes and can't be written anywhere.
_CONTROL: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]"
)
_LINE_END: Final = re.compile("\r\n|\r|\n")


@dataclass(slots=True)
class _Open:
    """A list or mapping whose end has not come yet."""

    line: int
    anchor: str | None
    is_mapping: bool
    items: list[Node] = field(default_factory=list)
    entries: dict[str, Entry] = field(default_factory=dict)
    key: tuple[str, int] | None = None

    def closed(self) -> Items | Mapped:
        children = [entry.value for entry in self.entries.values()] + self.items
        size = 1 + sum(child.size for child in children)
        height = 1 + max((child.height for child in children), default=0)
        if self.is_mapping:
            return Mapped(self.entries, self.line, size, height)
        return Items(tuple(self.items), self.line, size, height)


class _Events(Reader, Scanner, Parser):
    """PyYAML as far as its events, and no further."""

    def __init__(self, text: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)

    def next(self) -> Event | None:
        """Give the next event, or None after the last."""
        # PyYAML's own functions are untyped.
        get: Callable[[], Event] = self.get_event
        return get() if self.check_event() else None


def parse(content: bytes, file: str) -> Mapped:
    """Read the bytes of one connector file, or raise MalformedDocument."""
    return _Builder(_text(content, file), file).build()


def _text(content: bytes, file: str) -> str:
    def refuse(line: int | None, what: str) -> NoReturn:
        raise MalformedDocument(Problem(file, line, "", what))

    if len(content) > LARGEST_FILE:
        refuse(None, f"the file is larger than {LARGEST_FILE} bytes")
    broken_at: int | None = None
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # error.start counts from behind a byte order mark; the line does not care.
        broken_at = error.start
    if broken_at is not None:
        line = content.count(b"\n", 0, broken_at) + 1
        refuse(line, "the file is not UTF-8 text")
    if control := _CONTROL.search(text):
        line = len(_LINE_END.findall(text, 0, control.start())) + 1
        refuse(line, f"the control character U+{ord(control[0]):04X} is not allowed in the file")
    return text


def _line(event: Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 1


class _Builder:
    """Turns the events of one file into one tree."""

    def __init__(self, text: str, file: str) -> None:
        self._text, self._file = text, file
        self._events = _Events(text)
        self._stack: list[_Open] = []
        self._anchors: dict[str, Node | _Open] = {}
        self._count = 0
        self._root: Node | None = None

    def build(self) -> Mapped:
        documents = 0
        while (event := self._next()) is not None:
            if isinstance(event, DocumentStartEvent):
                documents += 1
                if documents > 1:
                    self._refuse(event, "a second document begins; one file holds one connector")
            elif isinstance(event, NodeEvent):
                self._node(event)
            elif isinstance(event, CollectionEndEvent):
                self._close()
        if self._root is None or (isinstance(self._root, Scalar) and self._root.value is None):
            raise MalformedDocument(Problem(self._file, 1, "", "the file is empty"))
        if not isinstance(self._root, Mapped):
            raise MalformedDocument(
                Problem(
                    self._file,
                    self._root.line,
                    "",
                    "the file must be a mapping",
                    "begin with `name: ...`",
                )
            )
        return self._root

    def _next(self) -> Event | None:
        try:
            return self._events.next()
        except MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            line = mark.line + 1 if mark else self._events.line + 1
            what, hint = reason(error.problem or "", self._line_text(line))
        except (YAMLError, ValueError, OverflowError):
            # The scanner trips over \U99999999 and over a %YAML version of 5,000 digits.
            line = self._events.line + 1
            what, hint = reason("", self._line_text(line))
        raise MalformedDocument(Problem(self._file, line, "", what, hint))

    def _node(self, event: NodeEvent) -> None:
        line = _line(event)
        if isinstance(event, AliasEvent):
            self._place(self._aliased(event), event)
            return
        if getattr(event, "tag", None) is not None:
            self._refuse(event, "tags (words after !) are not supported", "put the text in quotes")
        self._grow(1, 0, event)
        if isinstance(event, ScalarEvent):
            value = resolve(event.value) if event.style is None else event.value
            scalar = Scalar(value, event.value, line)
            if control := _CONTROL.search(event.value):
                self._refuse(
                    event, f"an escape gives the control character U+{ord(control[0]):04X}"
                )
            if event.anchor is not None:
                self._anchors[event.anchor] = scalar
            self._place(scalar, event)
        elif isinstance(event, MappingStartEvent | SequenceStartEvent):
            if self._expects_key():
                self._refuse(event, "a key must be text", "put text with { or [ in quotes")
            opened = _Open(line, event.anchor, isinstance(event, MappingStartEvent))
            if event.anchor is not None:
                self._anchors[event.anchor] = opened
            self._stack.append(opened)

    def _aliased(self, event: AliasEvent) -> Node:
        found = self._anchors.get(event.anchor or "")
        if found is None:
            # Its name is not shown: it may be a password that begins with a star.
            self._refuse(event, "a word after * names no anchor", "put text with a star in quotes")
        if isinstance(found, _Open):
            self._refuse(event, "an anchor contains itself")
        if self._expects_key():
            self._refuse(event, "a key must be text, not an alias")
        self._grow(found.size, found.height, event)
        return found

    def _grow(self, size: int, height: int, event: Event) -> None:
        """Count what the file expands to, before it is built."""
        self._count += size
        if self._count > MOST_NODES:
            self._refuse(event, f"the file holds more than {MOST_NODES} values, aliases expanded")
        if isinstance(event, MappingStartEvent | SequenceStartEvent):
            height = 1
        if len(self._stack) + height > DEEPEST:
            self._refuse(event, f"the file is nested more than {DEEPEST} levels deep")

    def _expects_key(self) -> bool:
        return bool(self._stack) and self._stack[-1].is_mapping and self._stack[-1].key is None

    def _place(self, node: Node, event: Event) -> None:
        if self._expects_key():
            self._stack[-1].key = self._key(node, event)
        else:
            self._attach(node)

    def _attach(self, node: Node) -> None:
        if not self._stack:
            self._root = node
            return
        parent = self._stack[-1]
        if parent.key is None:
            parent.items.append(node)
        else:
            key, line = parent.key
            parent.entries[key] = Entry(key, line, node)
            parent.key = None

    def _key(self, node: Node, event: Event) -> tuple[str, int]:
        if not isinstance(node, Scalar) or not isinstance(node.value, str):
            self._refuse(event, "a key must be text", "put it in quotes")
        if node.value == "<<" and isinstance(event, ScalarEvent) and event.style is None:
            self._refuse(event, "merge keys (<<) are not supported", "write the keys out")
        before = self._stack[-1].entries.get(node.value)
        if before is not None:
            what = f"the key is given twice, first in line {before.line}"
            self._refuse(event, what, key=node.value)
        return node.value, node.line

    def _close(self) -> None:
        opened = self._stack.pop()
        node = opened.closed()
        if opened.anchor is not None and self._anchors.get(opened.anchor) is opened:
            self._anchors[opened.anchor] = node
        self._attach(node)

    def _refuse(
        self, event: Event, what: str, hint: str | None = None, *, key: str | None = None
    ) -> NoReturn:
        place: Place = tuple(
            opened.key[0] if opened.key else len(opened.items)
            for opened in self._stack
            if opened.key or not opened.is_mapping
        )
        place = place if key is None else (*place, key)
        line = _line(event)
        raise MalformedDocument(Problem(self._file, line, key_text(place), what, hint))

    def _line_text(self, line: int) -> str:
        lines = self._text.splitlines()
        return lines[line - 1] if line <= len(lines) else ""
