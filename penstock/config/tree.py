"""What a file holds, with the line of every key and value."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, assert_never

from penstock.config.fields import Substituted
from penstock.config.scalars import Value
from penstock.config.secret_places import Place


@dataclass(frozen=True, slots=True)
class Scalar:
    """A single value, and its text: ``0123`` is the number 123, and a password all the same.

    ``references`` are the ``${...}`` that gave the text; ``literal`` is what is
    left of it that stands in the file itself.
    """

    value: Value = field(repr=False)
    text: str = field(repr=False)
    line: int
    references: tuple[str, ...] = ()
    literal: str | None = field(default=None, repr=False)
    size: int = 1
    height: int = 0


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    items: tuple["Node", ...]
    line: int
    size: int
    height: int


@dataclass(frozen=True, slots=True)
class Entry:
    """A key, its line, and what stands under it."""

    key: str
    line: int
    value: "Node"


@dataclass(frozen=True, slots=True)
class Mapped:
    """A mapping, its keys unique and in the order of the file."""

    entries: dict[str, Entry]
    line: int
    size: int
    height: int


Node = Scalar | Items | Mapped


def walk(
    node: Node, place: Place = (), line: int | None = None
) -> Iterator[tuple[Place, int, Node]]:
    """Visit every value with its place, and the line of its key where it has one."""
    yield place, node.line if line is None else line, node
    match node:
        case Scalar():
            pass
        case Items():
            for number, item in enumerate(node.items):
                yield from walk(item, (*place, number))
        case Mapped():
            for entry in node.entries.values():
                yield from walk(entry.value, (*place, entry.key), entry.line)
        case _:
            assert_never(node)


def find(root: Mapped, place: Place) -> tuple[Place, int, Node]:
    """Go as far along a place as the file goes, and say how far that was."""
    node: Node = root
    line, depth = root.line, 0
    for part in place:
        if isinstance(node, Mapped) and part in node.entries:
            entry = node.entries[str(part)]
            node, line = entry.value, entry.line
        elif isinstance(node, Items) and isinstance(part, int) and part < len(node.items):
            node = node.items[part]
            line = node.line
        else:
            break
        depth += 1
    return place[:depth], line, node


def plain(node: Node) -> Any:
    """Give what pydantic reads: dictionaries, lists and single values."""
    match node:
        case Scalar():
            return Substituted(node.value) if node.references else node.value
        case Items():
            return [plain(item) for item in node.items]
        case Mapped():
            return {key: plain(entry.value) for key, entry in node.entries.items()}
        case _:
            assert_never(node)
