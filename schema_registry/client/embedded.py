"""Our own registry in this process, without a hop over HTTP."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from schema_registry.client.protocol import Compatibility
from schema_registry.registry.drafts import Draft
from schema_registry.registry.levels import DEFAULT_LEVEL
from schema_registry.registry.records import Content, Reference
from schema_registry.registry.refusals import Problem, Refusal
from schema_registry.registry.service import SchemaRegistry
from schema_registry.registry.subjects import Registered

SUBJECT_UNKNOWN: Final = 40401


@dataclass(frozen=True, slots=True)
class EmbeddedSchemas:
    """The registry itself, in the words of a client."""

    registry: SchemaRegistry

    def register(self, subject: str, text: str, references: Sequence[Reference] = ()) -> int:
        """Add an Avro schema as a version unless the subject has it, and give its id."""
        return self.registry.register(subject, _draft(text, references)).id

    def by_id(self, id: int) -> Content:
        """Say what an id means."""
        return self.registry.content(id)

    def check(
        self,
        subject: str,
        text: str,
        references: Sequence[Reference] = (),
        *,
        version: int | None = None,
    ) -> tuple[Problem, ...]:
        """Name what stands against a schema beside the versions that the level names, or one."""
        return self.registry.test(subject, _draft(text, references), version).problems

    def latest(self, subject: str) -> Registered | None:
        """Give the latest version of a subject; None if the subject is not known."""
        try:
            return self.registry.version(subject, None)
        except Refusal as refusal:
            if refusal.error_code == SUBJECT_UNKNOWN:
                return None
            raise

    def subjects(self, prefix: str = "", *, deleted: bool = False) -> list[str]:
        """Name the subjects, in order."""
        return self.registry.subjects(prefix, deleted=deleted)

    def versions(self, subject: str, *, deleted: bool = False) -> list[int]:
        """Number the versions of a subject, in order."""
        return self.registry.versions(subject, deleted=deleted)

    def version(
        self, subject: str, version: int | None = None, *, deleted: bool = False
    ) -> Registered:
        """Give a version of a subject; None is the latest."""
        return self.registry.version(subject, version, deleted=deleted)

    def compatibility(self, subject: str | None = None) -> Compatibility:
        """Give the level that holds for a subject, or for all."""
        with self.registry.log.reading() as state:
            own = None if subject is None else state.configs.get(subject)
            if own is not None and own.level is not None:
                return Compatibility(own.level, own=True)
        return Compatibility(self.registry.config().level or DEFAULT_LEVEL, own=False)


def _draft(text: str, references: Sequence[Reference]) -> Draft:
    return Draft(text, references=tuple(references))
