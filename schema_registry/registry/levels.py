"""Does a new version get along with the older ones, as the subject's level demands?"""

from collections.abc import Iterator, Mapping
from typing import Final

from schema_registry.avro.compatibility import Incompatibility, incompatibilities
from schema_registry.avro.model import Schema
from schema_registry.registry.records import Level
from schema_registry.registry.refusals import Problem

DEFAULT_LEVEL: Final = Level.BACKWARD

_BACKWARD: Final = frozenset(
    {Level.BACKWARD, Level.BACKWARD_TRANSITIVE, Level.FULL, Level.FULL_TRANSITIVE}
)
_FORWARD: Final = frozenset(
    {Level.FORWARD, Level.FORWARD_TRANSITIVE, Level.FULL, Level.FULL_TRANSITIVE}
)
_TRANSITIVE: Final = frozenset(
    {Level.BACKWARD_TRANSITIVE, Level.FORWARD_TRANSITIVE, Level.FULL_TRANSITIVE}
)


def relevant(level: Level, versions: list[int]) -> list[int]:
    """Choose the versions that a new one is compared with, the latest first."""
    if level is Level.NONE:
        return []
    latest_first = sorted(versions, reverse=True)
    return latest_first if level in _TRANSITIVE else latest_first[:1]


def problems(level: Level, new: Schema, old: Mapping[int, Schema]) -> list[Problem]:
    """Name whatever stands against the new schema beside these older ones."""
    return [
        Problem(found.kind.value, found.path, f"{found.reason}, {direction}", version)
        for version, schema in old.items()
        for direction, found in _found(level, new, schema)
    ]


def _found(level: Level, new: Schema, old: Schema) -> Iterator[tuple[str, Incompatibility]]:
    if level in _BACKWARD:
        for found in incompatibilities(reader=new, writer=old):
            yield "so the new schema cannot read old data", found
    if level in _FORWARD:
        for found in incompatibilities(reader=old, writer=new):
            yield "so the old schema cannot read new data", found
