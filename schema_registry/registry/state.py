"""What the registry knows: the topic's records, folded.

Nothing else changes it, so that every process that has read the topic to the
same place knows the same.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeVar, assert_never

from schema_registry.registry.records import (
    Config,
    ConfigRecord,
    Content,
    LastIdRecord,
    Mode,
    ModeRecord,
    Record,
    RetiredRecord,
    SchemaRecord,
    Version,
    VersionRecord,
)


class Contradiction(ValueError):
    """A record against which something was said before that must not change."""


@dataclass(slots=True)
class State:
    """Schemas by id, versions by subject, settings."""

    schemas: dict[int, Content] = field(default_factory=dict)
    ids: dict[Content, int] = field(default_factory=dict)
    guids: dict[str, Content] = field(default_factory=dict)
    retired: dict[int, str] = field(default_factory=dict)
    subjects: dict[str, dict[int, Version]] = field(default_factory=dict)
    configs: dict[str | None, Config] = field(default_factory=dict)
    modes: dict[str | None, Mode] = field(default_factory=dict)
    last_id: int = 0
    _places: defaultdict[int, set[tuple[str, int]]] = field(
        default_factory=lambda: defaultdict(set)
    )
    _referrers: defaultdict[tuple[str, int], set[int]] = field(
        default_factory=lambda: defaultdict(set)
    )

    def fold(self, record: Record) -> None:
        """Take in one record of the topic."""
        match record:
            case SchemaRecord(id, content):
                self._fold_schema(id, content)
            case RetiredRecord(id, guid):
                self._retire(id, guid)
            case VersionRecord(subject, version, entry):
                self._fold_version(subject, version, entry)
            case ConfigRecord(subject, config):
                _put(self.configs, subject, config)
            case ModeRecord(subject, mode):
                _put(self.modes, subject, mode)
            case LastIdRecord(id):
                if id < self.last_id:
                    raise Contradiction(f"ids were given out up to {self.last_id}, not {id}")
                self.last_id = id
            case never:
                assert_never(never)

    def holds(self, records: Iterable[Record]) -> bool:
        """Tell whether all of this is what the topic says by now."""
        return all(self._holds(record) for record in records)

    def versions(self, subject: str, *, deleted: bool = False) -> dict[int, Version]:
        """Give a subject's versions in order, the soft-deleted ones if asked for."""
        known = self.subjects.get(subject, {})
        return {
            number: known[number]
            for number in sorted(known)
            if deleted or not known[number].deleted
        }

    def places(self, id: int) -> list[tuple[str, int]]:
        """Name the subjects and versions that an id stands in."""
        return sorted(self._places.get(id, ()))

    def meaning(self, id: int) -> str | None:
        """Give the guid of what an id means, or meant before it was deleted for good."""
        content = self.schemas.get(id)
        return self.retired.get(id) if content is None else content.guid

    def referrers(self, subject: str, version: int, *, deleted: bool = False) -> list[int]:
        """Give the ids of the schemas that refer to a version and stand in a live one."""
        ids = self._referrers.get((subject, version), set())
        return sorted(id for id in ids if deleted or self.is_live(id))

    def is_live(self, id: int) -> bool:
        """Tell whether a version that is not deleted has this schema."""
        return any(
            not self.subjects[subject][version].deleted
            for subject, version in self._places.get(id, ())
        )

    def next_version(self, subject: str) -> int:
        """Give the number behind the highest that is known."""
        return max(self.subjects.get(subject, {}), default=0) + 1

    def mode(self, subject: str | None) -> Mode:
        """Give the mode that holds for a subject, or for all."""
        return self.modes.get(subject) or self.modes.get(None) or Mode.READWRITE

    def _fold_schema(self, id: int, content: Content) -> None:
        self._check_meaning(id, content.guid)
        self.retired.pop(id, None)
        self.schemas[id] = content
        self.ids.setdefault(content, id)
        self.guids[content.guid] = content
        for reference in content.references:
            self._referrers[reference.subject, reference.version].add(id)

    def _retire(self, id: int, guid: str) -> None:
        self._check_meaning(id, guid)
        self.retired[id] = guid
        before = self.schemas.pop(id, None)
        if before is not None:
            self._forget_content(before, id)
            for reference in before.references:
                self._referrers[reference.subject, reference.version].discard(id)

    def _check_meaning(self, id: int, guid: str) -> None:
        if self.meaning(id) not in (None, guid):
            raise Contradiction(f"id {id} stands for another schema already")

    def _forget_content(self, content: Content, id: int) -> None:
        if self.ids.get(content) != id:
            return
        # An import may have brought the same schema under several ids.
        others = [other for other, known in self.schemas.items() if known == content]
        if others:
            self.ids[content] = min(others)
        else:
            del self.ids[content]
            del self.guids[content.guid]

    def _fold_version(self, subject: str, version: int, entry: Version | None) -> None:
        known = self.subjects.setdefault(subject, {})
        before = known.pop(version, None)
        if before is not None:
            self._places[before.id].discard((subject, version))
        if entry is not None:
            known[version] = entry
            self._places[entry.id].add((subject, version))
        if not known:
            del self.subjects[subject]

    def _holds(self, record: Record) -> bool:
        match record:
            case SchemaRecord(id, content):
                return self.schemas.get(id) == content
            case RetiredRecord(id, guid):
                return self.retired.get(id) == guid
            case VersionRecord(subject, version, entry):
                return self.subjects.get(subject, {}).get(version) == entry
            case ConfigRecord(subject, config):
                return self.configs.get(subject) == config
            case ModeRecord(subject, mode):
                return self.modes.get(subject) == mode
            case LastIdRecord(id):
                return self.last_id >= id
            case never:
                assert_never(never)


KeyT = TypeVar("KeyT")
ValueT = TypeVar("ValueT")


def _put(known: dict[KeyT, ValueT], key: KeyT, value: ValueT | None) -> None:
    if value is None:
        known.pop(key, None)
    else:
        known[key] = value
