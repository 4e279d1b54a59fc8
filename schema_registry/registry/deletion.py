"""Letting go of versions: hidden first, gone for good only when asked for again."""

from collections.abc import Iterable

from schema_registry.registry import refusals
from schema_registry.registry.log import Decision
from schema_registry.registry.records import (
    ConfigRecord,
    ModeRecord,
    Record,
    RetiredRecord,
    Version,
    VersionRecord,
)
from schema_registry.registry.registration import check_writable
from schema_registry.registry.state import State
from schema_registry.registry.subjects import checked_subject, version_of


def delete_subject(state: State, subject: str, *, permanent: bool) -> Decision[list[int]]:
    """Delete all versions of a subject."""
    checked_subject(subject)
    every = state.versions(subject, deleted=True)
    live = state.versions(subject)
    if not every:
        raise refusals.subject_unknown(subject)
    if not permanent and not live:
        raise refusals.subject_deleted(subject)
    check_writable(state, subject)
    going = list(every if permanent else live)
    for version in going:
        _check_unused(state, subject, version, permanent=permanent, leaving=subject)
    if permanent and live:
        raise refusals.subject_not_deleted(subject)
    records = _forget(state, subject, going) if permanent else _hide(state, subject, going)
    return Decision(going, tuple(records))


def delete_version(
    state: State, subject: str, version: int | None, *, permanent: bool
) -> Decision[int]:
    """Delete one version of a subject, or the latest live one."""
    checked_subject(subject)
    found = version_of(state, subject, version, deleted=True)
    if found.deleted and not permanent:
        raise refusals.version_deleted(subject, found.version)
    check_writable(state, subject)
    _check_unused(state, subject, found.version, permanent=permanent, leaving=None)
    if permanent and not found.deleted:
        raise refusals.version_not_deleted(subject, found.version)
    going = [found.version]
    records = _forget(state, subject, going) if permanent else _hide(state, subject, going)
    return Decision(found.version, tuple(records))


def _check_unused(
    state: State, subject: str, version: int, *, permanent: bool, leaving: str | None
) -> None:
    """Refuse while others refer to the version. What goes with it does not count."""
    users = [
        id
        for id in state.referrers(subject, version, deleted=permanent)
        if any(place != leaving for place, _ in state.places(id))
    ]
    if users:
        raise refusals.referenced(subject, version, users)


def _hide(state: State, subject: str, versions: Iterable[int]) -> list[Record]:
    known = state.subjects[subject]
    return [
        VersionRecord(subject, version, Version(known[version].id, deleted=True))
        for version in versions
    ]


def _forget(state: State, subject: str, versions: Iterable[int]) -> list[Record]:
    """Forget versions; with the last one the settings, with an id's last place its schema.

    The id itself stays on record, so that it never comes to mean another schema.
    """
    going = {(subject, version) for version in versions}
    ids = {state.subjects[subject][version].id for _, version in going}
    records: list[Record] = [VersionRecord(*place, None) for place in sorted(going)]
    records.extend(
        RetiredRecord(id, state.schemas[id].guid)
        for id in sorted(ids)
        if set(state.places(id)) <= going
    )
    if len(going) == len(state.subjects[subject]):
        if subject in state.configs:
            records.append(ConfigRecord(subject, None))
        if subject in state.modes:
            records.append(ModeRecord(subject, None))
    return records
