"""Verdicts on schemas, found while nobody waits for them.

A comparison of large schemas takes seconds, and a decision is taken under the
registry's lock. So a decision that needs a verdict nobody knows yet breaks off with
``Undecided``; whoever asked finds the verdict without the lock, and asks again.
"""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from schema_registry.avro.errors import MalformedSchema
from schema_registry.registry import refusals
from schema_registry.registry.drafts import Sources, parsed
from schema_registry.registry.levels import problems
from schema_registry.registry.records import Level
from schema_registry.registry.refusals import Problem

Answer = TypeVar("Answer")

MOST_REMEMBERED: Final = 256


@dataclass(frozen=True, slots=True)
class Comparison:
    """A new schema beside older ones, each with the texts that it refers to."""

    level: Level
    new: Sources
    old: tuple[tuple[int, Sources], ...]

    @property
    def key(self) -> bytes:
        """Name it briefly: the texts may be megabytes, and are not kept for a verdict."""
        return hashlib.sha256(repr((self.level, self.new, self.old)).encode()).digest()


class Undecided(Exception):
    """A verdict is needed that nobody has found yet."""

    def __init__(self, comparison: Comparison) -> None:
        super().__init__(comparison.level)
        self.comparison = comparison


_verdicts: OrderedDict[bytes, list[Problem]] = OrderedDict()
_lock = threading.Lock()


def verdict(comparison: Comparison) -> list[Problem]:
    """Give what stands against the new schema, if it is known."""
    with _lock:
        found = _verdicts.get(comparison.key)
    if found is None:
        raise Undecided(comparison)
    return found


def decided(ask: Callable[[], Answer]) -> Answer:
    """Ask until nothing is undecided any more."""
    while True:
        try:
            return ask()
        except Undecided as undecided:
            comparison = undecided.comparison
        found = _compared(comparison)
        with _lock:
            _verdicts[comparison.key] = found
            if len(_verdicts) > MOST_REMEMBERED:
                _verdicts.popitem(last=False)


def _compared(comparison: Comparison) -> list[Problem]:
    """Compare with one version after the other, until something stands against it."""
    new = parsed(comparison.new)
    for number, sources in comparison.old:
        try:
            found = problems(comparison.level, new, {number: parsed(sources)})
        except MalformedSchema as error:
            raise refusals.invalid_schema(error.message) from None
        if found:
            return found
    return []
