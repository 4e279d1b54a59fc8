"""Ids that go on working while the registry is away.

What an id means never changes. So whatever was learnt once needs no registry any
more, and an id that suddenly means something else is a reason to stop.
"""

import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from schema_registry.avro.errors import MalformedSchema
from schema_registry.avro.parse import parse
from schema_registry.avro.text import normalised
from schema_registry.client.errors import IdMeansAnother
from schema_registry.client.protocol import Schemas
from schema_registry.registry.records import Content, Reference, SchemaType
from schema_registry.registry.refusals import Problem
from schema_registry.registry.subjects import Registered

# Some thousand tables with a few versions each.
MOST: Final = 10_000

KeyT = TypeVar("KeyT")
ValueT = TypeVar("ValueT")


class Recent(Generic[KeyT, ValueT]):
    """So many entries, those that were used last. For one thread at a time."""

    def __init__(self, most: int) -> None:
        self._entries: OrderedDict[KeyT, ValueT] = OrderedDict()
        self._most = most

    def get(self, key: KeyT) -> ValueT | None:
        """Give an entry, and count it as used."""
        if key not in self._entries:
            return None
        self._entries.move_to_end(key)
        return self._entries[key]

    def put(self, key: KeyT, value: ValueT) -> None:
        """Keep an entry; the one that was not used for longest may go."""
        self._entries[key] = value
        self._entries.move_to_end(key)
        if len(self._entries) > self._most:
            self._entries.popitem(last=False)


@dataclass(frozen=True, slots=True)
class _Meant:
    content: Content
    meaning: bytes


class CachedSchemas:
    """Another ``Schemas``, asked once for each schema. Many threads may use it at once."""

    def __init__(self, schemas: Schemas, most: int = MOST) -> None:
        self._schemas = schemas
        self._lock = threading.Lock()
        self._meant: Recent[int, _Meant] = Recent(most)
        # By the text as it was given, and by what it means in any spelling.
        self._ids: Recent[tuple[str, Content], int] = Recent(most)
        self._ids_by_meaning: Recent[tuple[str, bytes], int] = Recent(most)

    def register(self, subject: str, text: str, references: Sequence[Reference] = ()) -> int:
        """Give the id of a schema; ask the registry only if it is not known for the subject."""
        content = Content(text, SchemaType.AVRO, tuple(references))
        with self._lock:
            known = self._ids.get((subject, content))
        if known is not None:
            return known
        meaning = meaning_of(content)
        with self._lock:
            known = self._ids_by_meaning.get((subject, meaning))
        id = self._schemas.register(subject, text, references) if known is None else known
        self._know(id, content, meaning, subject)
        return id

    def by_id(self, id: int) -> Content:
        """Say what an id means; ask the registry only if it is not known."""
        with self._lock:
            known = self._meant.get(id)
        if known is not None:
            return known.content
        content = self._schemas.by_id(id)
        self._know(id, content, meaning_of(content))
        return content

    def check(
        self,
        subject: str,
        text: str,
        references: Sequence[Reference] = (),
        *,
        version: int | None = None,
    ) -> tuple[Problem, ...]:
        """Name what stands against a schema. Never from memory: versions and levels change."""
        return self._schemas.check(subject, text, references, version=version)

    def latest(self, subject: str) -> Registered | None:
        """Give the latest version of a subject. Never from memory."""
        found = self._schemas.latest(subject)
        if found is not None:
            self._know(found.id, found.content, meaning_of(found.content))
        return found

    def remember(self, id: int, content: Content, subject: str | None = None) -> None:
        """Take in what an id meant when events were written with it.

        With the subject that it was registered for, it needs no registry to be
        registered again.
        """
        self._know(id, content, meaning_of(content), subject)

    def confirm(self, id: int) -> None:
        """Ask the registry whether an id still means what we know it for.

        ``IdMeansAnother`` if not; a ``Refusal`` if the registry does not know the id at all.
        """
        content = self._schemas.by_id(id)
        self._know(id, content, meaning_of(content))

    def _know(self, id: int, content: Content, meaning: bytes, subject: str | None = None) -> None:
        with self._lock:
            before = self._meant.get(id)
            if before is not None and before.meaning != meaning:
                raise IdMeansAnother(id)
            if before is None:
                self._meant.put(id, _Meant(content, meaning))
            if subject is not None:
                self._ids.put((subject, content), id)
                self._ids_by_meaning.put((subject, meaning), id)


def meaning_of(content: Content) -> bytes:
    """Give a hash of what a schema says, the same for all spellings of it."""
    references = sorted([each.name, each.subject, each.version] for each in content.references)
    whole = json.dumps([content.type, references, _one_spelling(content)])
    return hashlib.sha256(whole.encode()).digest()


def _one_spelling(content: Content) -> Any:
    if content.type is SchemaType.AVRO:
        # What is referred to is told apart by its place already; here its name will do.
        names = [each.name for each in content.references]
        stubs = [json.dumps({"type": "fixed", "name": name, "size": 1}) for name in names]
        try:
            return normalised(parse(content.text, stubs))
        except MalformedSchema:
            # A foreign registry may take what we do not; its JSON is all there is.
            pass
    if content.type is SchemaType.PROTOBUF:
        return content.text
    try:
        return json.dumps(json.loads(content.text), sort_keys=True)
    except (ValueError, RecursionError):
        return content.text
