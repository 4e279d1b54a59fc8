"""What can be asked of a registry, wherever it is.

All implementations raise the same errors: ``Refusal`` and ``IncompatibleSchema`` when
the registry says no, and errors that are ``retryable`` when it is away.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from schema_registry.registry.records import Content, Level, Reference
from schema_registry.registry.refusals import Problem
from schema_registry.registry.subjects import Registered


@dataclass(frozen=True, slots=True)
class Compatibility:
    """The level that holds for a subject, and whether it is the subject's own."""

    level: Level
    own: bool


class Schemas(Protocol):
    """What it takes to write and to read events. Many threads may use it at once."""

    def register(self, subject: str, text: str, references: Sequence[Reference] = ()) -> int:
        """Add an Avro schema as a version unless the subject has it, and give its id."""

    def by_id(self, id: int) -> Content:
        """Say what an id means."""

    def check(
        self,
        subject: str,
        text: str,
        references: Sequence[Reference] = (),
        *,
        version: int | None = None,
    ) -> tuple[Problem, ...]:
        """Name what stands against a schema beside the versions that the level names, or one."""

    def latest(self, subject: str) -> Registered | None:
        """Give the latest version of a subject; None if the subject is not known."""


class Catalogue(Schemas, Protocol):
    """What it takes to look around in a registry."""

    def subjects(self, prefix: str = "", *, deleted: bool = False) -> list[str]:
        """Name the subjects, in order."""

    def versions(self, subject: str, *, deleted: bool = False) -> list[int]:
        """Number the versions of a subject, in order."""

    def version(
        self, subject: str, version: int | None = None, *, deleted: bool = False
    ) -> Registered:
        """Give a version of a subject; None is the latest."""

    def compatibility(self, subject: str | None = None) -> Compatibility:
        """Give the level that holds for a subject, or for all."""
