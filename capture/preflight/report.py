"""How a finding about the source is put into words."""

from collections.abc import Iterable, Sequence
from typing import Final

from capture.facts import Relation, Setting
from capture.statements import named, quoted, statement
from diagnosis.errors import Area
from diagnosis.findings import Finding, Severity, passed

# A person reads a line, not a list of four hundred partitions.
MOST_NAMED: Final = 5

MANAGED: Final = "on a managed service, in its parameter group"

_UNITS: Final = ("bytes", "kB", "MB", "GB", "TB", "PB")


def error(
    code: str, subject: str, fact: str, *, fix: str | None = None, sql: Sequence[str] = ()
) -> Finding:
    """Say what does not work, or would copy something wrong."""
    return Finding(code, Severity.ERROR, Area.SOURCE, subject, fact, fix, tuple(sql))


def warning(
    code: str, subject: str, fact: str, *, fix: str | None = None, sql: Sequence[str] = ()
) -> Finding:
    """Say what works today and may hurt later."""
    return Finding(code, Severity.WARNING, Area.SOURCE, subject, fact, fix, tuple(sql))


def note(
    code: str, subject: str, fact: str, *, fix: str | None = None, sql: Sequence[str] = ()
) -> Finding:
    """Say what works and is worth knowing."""
    return Finding(code, Severity.NOTE, Area.SOURCE, subject, fact, fix, tuple(sql))


def good(subject: str, fact: str) -> Finding:
    """Say what was looked at and is right."""
    return passed(Area.SOURCE, subject, fact)


def about(relation: Relation) -> str:
    """Name a table as the subject of a finding."""
    return f"table {relation.name}"


def some(names: Iterable[object]) -> str:
    """List names, the first few of many."""
    every = [str(name) for name in names]
    shown = ", ".join(every[:MOST_NAMED])
    return shown if len(every) <= MOST_NAMED else f"{shown} and {len(every) - MOST_NAMED} more"


def in_bytes(count: int) -> str:
    """Write a number of bytes as Postgres's own tools do, rounded down."""
    value = count
    for unit in _UNITS[:-1]:
        if value < 10 * 1024:
            return f"{value} {unit}"
        value //= 1024
    return f"{value} {_UNITS[-1]}"


def set_on_server(setting: Setting, value: str) -> tuple[str, ...]:
    """Give the statements that change a setting, if statements can.

    What stands on the server's command line outranks ALTER SYSTEM, and what
    waits for a restart has been changed already.
    """
    if setting.origin == "command line" or setting.awaits_restart:
        return ()
    change = statement(
        "ALTER SYSTEM SET {name} = {value}", name=named(setting.name), value=quoted(value)
    )
    return (change, "SELECT pg_reload_conf()")


def restart_for(setting: Setting, value: str) -> str:
    """Say what to do about a setting that is read when the server starts."""
    if setting.awaits_restart:
        return f"{setting.name} has been changed: restart the server"
    return f"{where(setting, value)}, then restart the server"


def where(setting: Setting, value: str) -> str:
    """Say where a setting is changed."""
    if setting.origin == "command line":
        return f"set {setting.name} = {value} on the server's command line, where it stands now"
    return f"set {setting.name} = {value} ({MANAGED})"
