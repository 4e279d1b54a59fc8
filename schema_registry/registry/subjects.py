"""The words a request names things by: subjects, versions, and what stands for which."""

import re
from dataclasses import dataclass
from typing import Final

from schema_registry.registry import refusals
from schema_registry.registry.records import Content, Version
from schema_registry.registry.state import State

LONGEST_SUBJECT: Final = 1024
HIGHEST_VERSION: Final = 2**31 - 1
LATEST: Final = "latest"

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
# Confluent's registry keeps its own settings under these.
_RESERVED: Final = frozenset({"__GLOBAL", "__EMPTY"})


@dataclass(frozen=True, slots=True)
class Registered:
    """A version of a subject with its schema."""

    subject: str
    version: int
    id: int
    content: Content
    deleted: bool = False


def checked_subject(subject: str) -> str:
    """Refuse a name that no subject may have."""
    if not subject or subject in _RESERVED:
        raise refusals.invalid_subject(subject, "the name is empty or reserved")
    if _CONTROL.search(subject):
        raise refusals.invalid_subject(subject, "it holds control characters")
    if len(subject) > LONGEST_SUBJECT:
        raise refusals.invalid_subject(subject, f"it is longer than {LONGEST_SUBJECT} characters")
    if ".." in re.split(r"[/\\]", subject):
        raise refusals.invalid_subject(subject, "it looks like a path")
    if subject.startswith(":."):
        raise refusals.invalid_subject(subject, "contexts are not supported")
    return subject


def checked_version(text: str | int) -> int | None:
    """Read a version number; None is the latest."""
    word = str(text)
    if word in (LATEST, "-1"):
        return None
    if not (word.isascii() and word.isdecimal() and len(word) <= 10):
        raise refusals.invalid_version(word)
    number = int(word)
    if not 1 <= number <= HIGHEST_VERSION:
        raise refusals.invalid_version(word)
    return number


def version_of(
    state: State, subject: str, version: int | None, *, deleted: bool = False
) -> Registered:
    """Find a version, or the latest one, which never is a deleted one."""
    versions = state.versions(subject, deleted=deleted)
    if not versions:
        raise refusals.subject_unknown(subject)
    number = version
    if number is None:
        number = max(state.versions(subject), default=-1)
    if number not in versions:
        raise refusals.version_unknown(number)
    return registered(state, subject, number, versions[number])


def registered(state: State, subject: str, version: int, entry: Version) -> Registered:
    """Put an entry of the state together with its schema."""
    return Registered(subject, version, entry.id, state.schemas[entry.id], entry.deleted)


def find(state: State, subject: str, content: Content, *, deleted: bool) -> Registered | None:
    """Find the latest version of a subject that has this content."""
    versions = state.versions(subject, deleted=deleted)
    for number in reversed(versions):
        if state.schemas[versions[number].id] == content:
            return registered(state, subject, number, versions[number])
    return None
