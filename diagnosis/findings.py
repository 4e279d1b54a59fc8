"""What a look at the outside world found."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum

from diagnosis.errors import Area


class Severity(IntEnum):
    """How much a finding matters. Sorts from harmless to fatal."""

    OK = 0
    NOTE = 1  # works, and is worth knowing
    WARNING = 2  # works today, and may hurt later
    ERROR = 3  # does not work, or copies something wrong

    @property
    def label(self) -> str:
        """The severity in a table or in JSON."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Finding:
    """One fact about one thing, and what mends it.

    ``sql`` holds complete statements, without a semicolon at the end, that a
    DBA of the source can run as they are. ``fix`` is for everything that no
    statement mends.
    """

    code: str
    severity: Severity
    area: Area
    subject: str
    fact: str
    fix: str | None = None
    sql: tuple[str, ...] = ()


def passed(area: Area, subject: str, fact: str) -> Finding:
    """Say that something was looked at and is as it should be."""
    return Finding("PEN-000", Severity.OK, area, subject, fact)


def verdict(findings: Iterable[Finding], *, fail_on: Severity = Severity.ERROR) -> Area | None:
    """Name the area that fails: None if none does, PARTIAL if several do."""
    areas = {finding.area for finding in findings if finding.severity >= fail_on}
    if len(areas) > 1:
        return Area.PARTIAL
    return next(iter(areas), None)
