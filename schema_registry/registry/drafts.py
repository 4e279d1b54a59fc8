"""From a text that somebody sent to a schema that can be kept and compared."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from schema_registry.avro.bounds import LONGEST, MalformedJson, read_json
from schema_registry.avro.errors import MalformedSchema
from schema_registry.avro.model import Schema
from schema_registry.avro.parse import parse
from schema_registry.avro.text import canonical, normalised
from schema_registry.registry import refusals
from schema_registry.registry.records import Content, Reference, SchemaType
from schema_registry.registry.state import State
from schema_registry.registry.subjects import checked_subject

MOST_REFERENCES: Final = 1_000
# All that a schema refers to, taken together; each alone is within its own bounds.
LONGEST_IN_ALL: Final = 4 * LONGEST
_LONGEST_REMEMBERED: Final = 32 * 1024

# A text, and behind it the texts that it refers to, those that others need first.
Sources = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """A schema as it was sent. ``id`` and ``version`` are chosen by hand only in IMPORT."""

    text: str
    type: SchemaType = SchemaType.AVRO
    references: tuple[Reference, ...] = ()
    id: int | None = None
    version: int | None = None


def read_ahead(draft: Draft) -> None:
    """Read a text before the registry is locked for it; what it says is remembered."""
    if draft.type is SchemaType.AVRO and not draft.references and len(draft.text) <= LONGEST:
        _spelling((draft.text,), False)


def content_of(state: State, draft: Draft, *, normalize: bool = False) -> Content:
    """Read the text by the rules of its language, and give it in one form for all spellings."""
    size = len(draft.text.encode(errors="replace"))
    if size > LONGEST:
        raise refusals.too_large(size, LONGEST)
    _check_live(state, draft.references)
    if draft.type is SchemaType.AVRO:
        text = _spelling(sources(state, draft.text, draft.references), normalize)
    else:
        _resolved(state, draft.references)
        text = _checked_text(draft)
    references = tuple(sorted(draft.references)) if normalize else draft.references
    return Content(text, draft.type, references)


def sources(state: State, text: str, references: Iterable[Reference]) -> Sources:
    """Put a text together with all that it refers to."""
    return (text, *_resolved(state, references))


def parsed(texts: Sources) -> Schema:
    """Parse an Avro schema with everything that it refers to."""
    text, *needed = texts
    try:
        small = sum(map(len, texts)) <= _LONGEST_REMEMBERED
        return _remembered(text, tuple(needed)) if small else parse(text, needed)
    except MalformedSchema as error:
        raise refusals.invalid_schema(error.message) from None


# A level that looks at all versions parses the same ones each time.
_remembered = lru_cache(maxsize=512)(parse)


# Asked for at most twice: before the lock, and under it.
@lru_cache(maxsize=8)
def _spelling(texts: Sources, normalize: bool) -> str:
    schema = parsed(texts)
    return normalised(schema) if normalize else canonical(schema)


def _resolved(state: State, references: Iterable[Reference]) -> list[str]:
    """Gather the texts of all references, those that others need first."""
    found: dict[tuple[str, int], str] = {}
    pending = [(reference, False) for reference in reversed(tuple(references))]
    while pending:
        reference, needs_are_there = pending.pop()
        place = (reference.subject, reference.version)
        if place in found:
            continue
        content = _referred(state, reference)
        if needs_are_there:
            found[place] = content.text
            _check_amount(found)
        else:
            pending.append((reference, True))
            pending.extend((needed, False) for needed in reversed(content.references))
    return list(found.values())


def _check_live(state: State, references: Iterable[Reference]) -> None:
    """Refuse a new schema that refers to what was deleted; those that are kept may."""
    for reference in references:
        entry = state.subjects.get(reference.subject, {}).get(reference.version)
        if entry is not None and entry.deleted:
            raise _no_reference(reference)


def _no_reference(reference: Reference) -> refusals.Refusal:
    return refusals.invalid_schema(
        f'No schema reference found for subject "{refusals.shown(reference.subject)}" '
        f"and version {reference.version}"
    )


def _referred(state: State, reference: Reference) -> Content:
    checked_subject(reference.subject)
    entry = state.subjects.get(reference.subject, {}).get(reference.version)
    if entry is None:
        raise _no_reference(reference)
    return state.schemas[entry.id]


def _check_amount(found: dict[tuple[str, int], str]) -> None:
    if len(found) > MOST_REFERENCES or sum(map(len, found.values())) > LONGEST_IN_ALL:
        raise refusals.invalid_schema(
            f"it refers to more than {MOST_REFERENCES:,} schemas or {LONGEST_IN_ALL:,} bytes"
        )


def _checked_text(draft: Draft) -> str:
    if draft.type is SchemaType.JSON:
        try:
            read_json(draft.text)
        except MalformedJson as error:
            raise refusals.invalid_schema(error.reason) from None
    elif not draft.text.strip():
        raise refusals.invalid_schema("the text is empty")
    return draft.text
