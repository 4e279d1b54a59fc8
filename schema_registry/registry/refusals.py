"""What the registry says no to, with the codes that Confluent's registry gives.

Clients tell one trouble from another by these codes, so the numbers and the words
are Confluent's wherever it has some.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from diagnosis.errors import Area, PenstockError
from schema_registry.registry.records import Level, Mode, SchemaType

CODES: Final = {
    "PEN-417": "The schema registry refuses a request",
    "PEN-418": "A schema is incompatible with an earlier version",
}

# What a person is shown of a name from outside.
_LONGEST_SHOWN: Final = 200


_FIXES: Final = {
    40401: "`penstock registry list` names the subjects; --deleted, those that were deleted too",
    40402: "`penstock registry list` gives the versions of each subject",
    40403: "`penstock registry list` gives the ids in use",
    42205: "see the mode and the compatibility of the subject",
}


class Refusal(PenstockError):
    """No, and why. ``error_code`` is Confluent's; its first three digits are the HTTP status."""

    code, area = "PEN-417", Area.REGISTRY

    def __init__(self, error_code: int, message: str, fix: str | None = None) -> None:
        super().__init__(message, fix=fix or _FIXES.get(error_code))
        self.error_code = error_code

    @property
    def status(self) -> int:
        """The HTTP status that goes with it."""
        return self.error_code if self.error_code < 1000 else self.error_code // 100


@dataclass(frozen=True, slots=True)
class Problem:
    """Why two versions do not get along: the rule, the place, the reason."""

    rule: str
    path: str
    reason: str
    version: int


class IncompatibleSchema(Refusal):
    """A new version that some reader or writer of an older one could not live with."""

    code = "PEN-418"

    def __init__(self, subject: str, level: Level, problems: Sequence[Problem]) -> None:
        first = problems[0]
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        super().__init__(
            40901,
            f'the schema is incompatible with version {first.version} of subject "{shown(subject)}"'
            f" under {level}: {first.reason}, at {first.path}{more}",
            fix="change the schema so that it is compatible, or the compatibility of the subject",
        )
        self.level, self.problems = level, tuple(problems)


def shown(name: str) -> str:
    """Give a name from outside as a message may hold it: printable, and not too long."""
    text = "".join(c if c.isprintable() else repr(c)[1:-1] for c in name[: _LONGEST_SHOWN + 1])
    return text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…"


def subject_unknown(subject: str) -> Refusal:
    """There is no such subject."""
    return Refusal(40401, f"Subject '{shown(subject)}' not found.")


def version_unknown(version: int | str) -> Refusal:
    """The subject has no such version."""
    return Refusal(40402, f"Version {version} not found.")


def schema_unknown(id: int | None = None) -> Refusal:
    """No schema has this id, or this content."""
    return Refusal(40403, "Schema not found" if id is None else f"Schema {id} not found")


def subject_deleted(subject: str) -> Refusal:
    """The subject is soft-deleted already."""
    return Refusal(
        40404,
        f"Subject '{shown(subject)}' was soft deleted.Set permanent=true to delete permanently",
    )


def subject_not_deleted(subject: str) -> Refusal:
    """The subject is to go for good, and was not soft-deleted before."""
    return Refusal(
        40405,
        f"Subject '{shown(subject)}' was not deleted first before being permanently deleted",
    )


def version_deleted(subject: str, version: int) -> Refusal:
    """The version is soft-deleted already."""
    return Refusal(
        40406,
        f"Subject '{shown(subject)}' Version {version} was soft deleted."
        "Set permanent=true to delete permanently",
    )


def version_not_deleted(subject: str, version: int) -> Refusal:
    """The version is to go for good, and was not soft-deleted before."""
    return Refusal(
        40407,
        f"Subject '{shown(subject)}' Version {version} was not deleted first "
        "before being permanently deleted",
    )


def no_config(subject: str) -> Refusal:
    """The subject has no compatibility of its own."""
    return Refusal(
        40408,
        f"Subject '{shown(subject)}' does not have subject-level compatibility configured",
    )


def no_mode(subject: str) -> Refusal:
    """The subject has no mode of its own."""
    return Refusal(40409, f"Subject '{shown(subject)}' does not have subject-level mode configured")


def invalid_schema(reason: str) -> Refusal:
    """The text is no schema."""
    return Refusal(42201, f"Invalid schema: {reason}")


def invalid_version(text: str) -> Refusal:
    """This numbers no version."""
    return Refusal(
        42202,
        f"The specified version '{shown(text)}' is not a valid version id. Allowed values are "
        'between [1, 2^31-1] and the string "latest"',
    )


def invalid_level(text: str) -> Refusal:
    """There is no such compatibility level."""
    levels = ", ".join(level.lower() for level in Level)
    return Refusal(
        42203,
        f"Invalid compatibility level {shown(text)!r}. Valid values are {levels}",
    )


def invalid_mode(text: str) -> Refusal:
    """There is no such mode."""
    return Refusal(
        42204,
        f"Invalid mode {shown(text)!r}. Valid values are {', '.join(m.lower() for m in Mode)}",
    )


def not_permitted(reason: str) -> Refusal:
    """The mode, or what is there already, forbids it."""
    return Refusal(42205, reason)


def referenced(subject: str, version: int, by: Sequence[int]) -> Refusal:
    """Other schemas use the version that is to be deleted."""
    ids = ", ".join(map(str, by[:10])) + (" …" if len(by) > 10 else "")
    return Refusal(
        42206,
        f"One or more references exist to version {version} of subject '{shown(subject)}': "
        f"the schemas with the ids {ids}",
    )


def invalid_subject(subject: str, reason: str) -> Refusal:
    """No subject may have this name."""
    return Refusal(
        42208, f"The specified subject '{shown(subject)}' is not a valid subject: {reason}"
    )


def too_large(size: int, longest: int) -> Refusal:
    """The schema is longer than we take."""
    return Refusal(42209, f"The schema has {size:,} bytes, and {longest:,} are the most")


def not_comparable(language: SchemaType, subject: str) -> Refusal:
    """We do not know the rules of this language."""
    return Refusal(
        42205,
        f"The compatibility of {language} schemas is not supported. Under the compatibility NONE "
        f"a new version of subject '{shown(subject)}' is taken without a check",
    )
