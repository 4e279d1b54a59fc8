"""Everything that can be asked of the registry, for the REST API and for the daemon alike.

A question is answered from the log as it is now; a change is decided by the module
that its name says and written through the log.
"""

from dataclasses import dataclass

from schema_registry.registry import deletion, refusals, registration, settings
from schema_registry.registry.comparisons import decided
from schema_registry.registry.drafts import Draft, content_of, read_ahead
from schema_registry.registry.log import SchemaLog
from schema_registry.registry.records import Config, Content, Level, Mode
from schema_registry.registry.refusals import Problem
from schema_registry.registry.subjects import (
    Registered,
    checked_subject,
    find,
    registered,
    version_of,
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a schema could be registered, under which level, and what stands against it."""

    level: Level
    problems: tuple[Problem, ...] = ()

    @property
    def compatible(self) -> bool:
        """Whether nothing stands against it."""
        return not self.problems


@dataclass(frozen=True, slots=True)
class SchemaRegistry:
    """The registry. Many threads may use it at once."""

    log: SchemaLog

    def register(self, subject: str, draft: Draft, *, normalize: bool = False) -> Registered:
        """Add a version, unless the subject has this schema already."""
        read_ahead(draft)
        return decided(
            lambda: self.log.write(
                lambda state: registration.register(state, subject, draft, normalize=normalize)
            )
        )

    def look_up(
        self, subject: str, draft: Draft, *, normalize: bool = False, deleted: bool = False
    ) -> Registered:
        """Find the version of a subject that has this schema."""
        checked_subject(subject)
        read_ahead(draft)
        with self.log.reading() as state:
            if not state.versions(subject, deleted=deleted):
                raise refusals.subject_unknown(subject)
            wanted = normalize or registration.normalizes(state, subject)
            content = content_of(state, draft, normalize=wanted)
            found = find(state, subject, content, deleted=deleted)
        if found is None:
            raise refusals.schema_unknown()
        return found

    def test(
        self,
        subject: str,
        draft: Draft,
        version: int | None = None,
        *,
        latest: bool = False,
        normalize: bool = False,
    ) -> Verdict:
        """Compare with a version, with the latest, or with all that the level names."""
        checked_subject(subject)
        read_ahead(draft)

        def ask() -> Verdict:
            with self.log.reading() as state:
                live = state.versions(subject)
                if version is not None and version not in live:
                    raise refusals.version_unknown(version)
                number = max(live, default=None) if latest else version
                wanted = normalize or registration.normalizes(state, subject)
                content = content_of(state, draft, normalize=wanted)
                found = registration.check(state, subject, content, number)
                return Verdict(registration.level_of(state, subject), tuple(found))

        return decided(ask)

    def subjects(
        self, prefix: str = "", *, deleted: bool = False, deleted_only: bool = False
    ) -> list[str]:
        """Name the subjects, in order."""
        with self.log.reading() as state:
            return [
                subject
                for subject in sorted(state.subjects)
                if subject.startswith(prefix)
                if _wanted(bool(state.versions(subject)), deleted, deleted_only)
            ]

    def versions(
        self, subject: str, *, deleted: bool = False, deleted_only: bool = False
    ) -> list[int]:
        """Number the versions of a subject, in order."""
        checked_subject(subject)
        with self.log.reading() as state:
            found = state.versions(subject, deleted=deleted or deleted_only)
            if not found:
                raise refusals.subject_unknown(subject)
            return [number for number in found if not deleted_only or found[number].deleted]

    def version(self, subject: str, version: int | None, *, deleted: bool = False) -> Registered:
        """Give a version of a subject; None is the latest."""
        checked_subject(subject)
        with self.log.reading() as state:
            return version_of(state, subject, version, deleted=deleted)

    def schemas(
        self, prefix: str = "", *, deleted: bool = False, latest_only: bool = False
    ) -> list[Registered]:
        """Give all versions of all subjects, or the latest of each."""
        with self.log.reading() as state:
            found: list[Registered] = []
            for subject in sorted(state.subjects):
                versions = state.versions(subject, deleted=deleted)
                if not subject.startswith(prefix) or not versions:
                    continue
                numbers = [max(versions)] if latest_only else list(versions)
                found.extend(registered(state, subject, n, versions[n]) for n in numbers)
            return found

    def content(self, id: int) -> Content:
        """Say what an id means."""
        content = self.log.content(id)
        if content is None:
            raise refusals.schema_unknown(id)
        return content

    def content_by_guid(self, guid: str) -> Content:
        """Find a schema by the name that is made of its content."""
        with self.log.reading() as state:
            content = state.guids.get(guid)
        if content is None:
            raise refusals.Refusal(40403, f"Schema {refusals.shown(guid)} not found")
        return content

    def ids_by_guid(self, guid: str) -> list[int]:
        """Give the ids of a schema; there are several only after an import."""
        with self.log.reading() as state:
            content = state.guids.get(guid)
            return [id for id, known in sorted(state.schemas.items()) if known == content]

    def places(self, id: int, *, deleted: bool = False) -> list[tuple[str, int]]:
        """Name the subjects and versions that an id stands in."""
        with self.log.reading() as state:
            if id not in state.schemas:
                raise refusals.schema_unknown()
            return [
                (subject, version)
                for subject, version in state.places(id)
                if deleted or not state.subjects[subject][version].deleted
            ]

    def last_id(self) -> int:
        """Give the highest id that was ever given out."""
        with self.log.reading() as state:
            return state.last_id

    def referenced_by(
        self, subject: str, version: int | None, *, deleted: bool = False
    ) -> list[int]:
        """Give the ids of the schemas that refer to a version."""
        checked_subject(subject)
        with self.log.reading() as state:
            found = version_of(state, subject, version, deleted=True)
            return state.referrers(subject, found.version, deleted=deleted)

    def delete_subject(self, subject: str, *, permanent: bool = False) -> list[int]:
        """Delete all versions of a subject."""
        return self.log.write(
            lambda state: deletion.delete_subject(state, subject, permanent=permanent)
        )

    def delete_version(self, subject: str, version: int | None, *, permanent: bool = False) -> int:
        """Delete a version of a subject; None is the latest."""
        return self.log.write(
            lambda state: deletion.delete_version(state, subject, version, permanent=permanent)
        )

    def config(self, subject: str | None = None, *, default_to_global: bool = False) -> Config:
        """Give the settings of a subject, or of all."""
        with self.log.reading() as state:
            return settings.config(state, subject, default_to_global=default_to_global)

    def set_config(self, subject: str | None, wanted: Config) -> Config:
        """Change the settings of a subject, or of all."""
        return self.log.write(lambda state: settings.set_config(state, subject, wanted))

    def delete_config(self, subject: str | None) -> Config:
        """Go back to the settings above; give what was set."""
        return self.log.write(lambda state: settings.delete_config(state, subject))

    def mode(self, subject: str | None = None, *, default_to_global: bool = False) -> Mode:
        """Give the mode of a subject, or of all."""
        with self.log.reading() as state:
            return settings.mode(state, subject, default_to_global=default_to_global)

    def set_mode(self, subject: str | None, wanted: Mode, *, force: bool = False) -> Mode:
        """Change the mode of a subject, or of all."""
        return self.log.write(lambda state: settings.set_mode(state, subject, wanted, force=force))

    def delete_mode(self, subject: str | None) -> Mode:
        """Go back to the mode above; give what was set."""
        return self.log.write(lambda state: settings.delete_mode(state, subject))


def _wanted(live: bool, deleted: bool, deleted_only: bool) -> bool:
    return not live if deleted_only else live or deleted
