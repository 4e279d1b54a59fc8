"""Taking a new version: which id, which number, and whether at all."""

from typing import Final

from schema_registry.registry import refusals
from schema_registry.registry.comparisons import Comparison, verdict
from schema_registry.registry.drafts import Draft, content_of, sources
from schema_registry.registry.levels import DEFAULT_LEVEL, relevant
from schema_registry.registry.log import Decision
from schema_registry.registry.records import (
    Content,
    LastIdRecord,
    Level,
    Mode,
    Record,
    SchemaRecord,
    SchemaType,
    Version,
    VersionRecord,
)
from schema_registry.registry.refusals import IncompatibleSchema, Problem
from schema_registry.registry.state import State
from schema_registry.registry.subjects import (
    HIGHEST_VERSION,
    Registered,
    checked_subject,
    find,
    version_of,
)

HIGHEST_ID: Final = 2**31 - 1
_READONLY: Final = frozenset({Mode.READONLY, Mode.READONLY_OVERRIDE})


def register(
    state: State, subject: str, draft: Draft, *, normalize: bool = False
) -> Decision[Registered]:
    """Find the schema among the live versions of the subject, or add it as a new one."""
    checked_subject(subject)
    content = content_of(state, draft, normalize=normalize or normalizes(state, subject))
    known = find(state, subject, content, deleted=False)
    if known is not None and draft.id in (None, known.id):
        return Decision(known)
    _check_mode(state, subject, draft)
    if state.mode(subject) is not Mode.IMPORT:
        found = check(state, subject, content)
        if found:
            raise IncompatibleSchema(subject, level_of(state, subject), found)
    return _added(state, subject, content, draft)


def check(
    state: State, subject: str, content: Content, version: int | None = None
) -> list[Problem]:
    """Compare with the versions that the subject's level names, or with one of them."""
    level = level_of(state, subject)
    numbers = relevant(level, list(state.versions(subject)))
    if version is not None:
        numbers = [version_of(state, subject, version).version] if level is not Level.NONE else []
    old = {number: version_of(state, subject, number).content for number in numbers}
    for number, each in old.items():
        if each.type is not content.type:
            reason = f"the schema is {content.type}, and version {number} is {each.type}"
            return [Problem("SCHEMA_TYPE_MISMATCH", "/", reason, number)]
    if old and content.type is not SchemaType.AVRO:
        raise refusals.not_comparable(content.type, subject)
    if not old:
        return []
    texts = {number: sources(state, each.text, each.references) for number, each in old.items()}
    new = sources(state, content.text, content.references)
    return verdict(Comparison(level, new, tuple(texts.items())))


def level_of(state: State, subject: str) -> Level:
    """Give the compatibility that holds for a subject."""
    for scope in (subject, None):
        config = state.configs.get(scope)
        if config is not None and config.level is not None:
            return config.level
    return DEFAULT_LEVEL


def normalizes(state: State, subject: str) -> bool:
    """Tell whether the settings ask for normalised schemas."""
    for scope in (subject, None):
        config = state.configs.get(scope)
        if config is not None and config.normalize is not None:
            return config.normalize
    return False


def check_writable(state: State, subject: str | None) -> None:
    """Refuse to change what the mode protects."""
    if state.mode(subject) in _READONLY:
        whose = "The registry" if subject is None else f"Subject {refusals.shown(subject)}"
        raise refusals.not_permitted(f"{whose} is in read-only mode")


def _check_mode(state: State, subject: str, draft: Draft) -> None:
    check_writable(state, subject)
    name = refusals.shown(subject)
    importing = state.mode(subject) is Mode.IMPORT
    if draft.id is not None and not importing:
        raise refusals.not_permitted(f"Subject {name} is not in import mode")
    if draft.id is None and importing:
        raise refusals.not_permitted(f"Subject {name} is not in read-write mode")
    if draft.id is not None and not 1 <= draft.id <= HIGHEST_ID:
        raise refusals.invalid_schema(f"the id {draft.id} is not between 1 and {HIGHEST_ID}")


def _added(state: State, subject: str, content: Content, draft: Draft) -> Decision[Registered]:
    id = draft.id or state.ids.get(content) or state.last_id + 1
    version = _number(state, subject, draft)
    records: list[Record] = []
    if id > HIGHEST_ID:
        raise refusals.not_permitted(f"No id is left: they end at {HIGHEST_ID}")
    if state.meaning(id) not in (None, content.guid):
        raise refusals.not_permitted(f"Overwrite new schema with id {id} is not permitted.")
    if id not in state.schemas:
        records.append(SchemaRecord(id, content))
    if id > state.last_id:
        records.append(LastIdRecord(id))
    records.append(VersionRecord(subject, version, Version(id)))
    return Decision(Registered(subject, version, id, content), tuple(records))


def _number(state: State, subject: str, draft: Draft) -> int:
    following = state.next_version(subject)
    if draft.version is None:
        if following > HIGHEST_VERSION:
            raise refusals.not_permitted(f"No version is left: they end at {HIGHEST_VERSION}")
        return following
    if state.mode(subject) is not Mode.IMPORT:
        if draft.version != following:
            raise refusals.invalid_schema("Version is not one more than previous version")
    elif not 1 <= draft.version <= HIGHEST_VERSION:
        raise refusals.invalid_version(str(draft.version))
    elif draft.version in state.subjects.get(subject, {}):
        raise refusals.not_permitted(
            f"Overwrite version {draft.version} of subject {refusals.shown(subject)} "
            "is not permitted."
        )
    return draft.version
