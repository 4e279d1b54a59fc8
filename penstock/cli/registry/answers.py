"""What the registry commands answer: for a person, and for a script."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rich import box
from rich.table import Table
from rich.text import Text

from penstock.cli.output import plain, screen, shown
from penstock.cli.registry.schemas import Side
from penstock.cli.registry.view import as_table, sections
from schema_registry.avro.compatibility import MOST_PROBLEMS, Incompatibility
from schema_registry.avro.differences import Difference
from schema_registry.client.protocol import Catalogue, Compatibility
from schema_registry.client.resolution import schema_of
from schema_registry.registry.records import Content, SchemaType
from schema_registry.registry.refusals import Problem
from schema_registry.registry.subjects import Registered


@dataclass(frozen=True, slots=True)
class Listed:
    """A subject as the list shows it."""

    latest: Registered
    versions: tuple[int, ...]
    deleted: tuple[int, ...]
    compatibility: Compatibility


def list_table(found: Sequence[Listed]) -> Table:
    """Give the subjects as a table."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("subject", overflow="fold")
    for title in ("versions", "latest id", "type", "compatibility"):
        table.add_column(title, overflow="fold")
    for each in found:
        whose = "" if each.compatibility.own else " (inherited)"
        versions = _ranges(each.versions)
        if each.deleted:
            versions += f" ({_ranges(each.deleted)} deleted)"
        table.add_row(
            Text(plain(each.latest.subject), "bold"),
            versions,
            str(each.latest.id),
            each.latest.content.type,
            Text(each.compatibility.level + whose),
        )
    return table


def _ranges(numbers: Sequence[int]) -> str:
    """Give numbers in brief: 1–4, 6."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs)


def print_schema(catalogue: Catalogue, content: Content, facts: dict[str, Any]) -> None:
    """Print a schema as a tree of its fields."""
    words = [f"id {facts['id']}", content.type.value]
    title = "schema"
    if "subject" in facts:
        title = plain(facts["subject"])
        whose = "its own" if facts["compatibility"]["own"] else "inherited"
        gone = ", deleted" if facts["deleted"] else ""
        words.insert(0, f"version {facts['version']}{gone}")
        words.append(f"compatibility {facts['compatibility']['level']} ({whose})")
    screen.out.print(Text.assemble((title, "bold"), f": {', '.join(words)}"), soft_wrap=True)
    for each in content.references:
        line = f"refers to {each.name}: {each.subject} version {each.version}"
        screen.out.print(Text(plain(line)), soft_wrap=True)
    if content.type is not SchemaType.AVRO:
        screen.out.print(Text(plain(content.text)), soft_wrap=True)
        return
    for section in sections(schema_of(catalogue, content)):
        if section.title:
            screen.out.print(Text(plain(section.title), "bold"), soft_wrap=True)
        screen.out.print(as_table(section))


def tell_reading(reader: str, writer: str, problems: Sequence[Incompatibility]) -> None:
    """Say whether one schema reads what another wrote, and if not, why."""
    if not problems:
        screen.talk(f"yes: {reader} reads what {writer} wrote", "green")
        return
    screen.talk(f"no: {reader} cannot read what {writer} wrote", "red")
    for each in problems:
        screen.talk(f"  {each.path}: {each.reason}")
    if len(problems) == MOST_PROBLEMS:
        screen.talk("  and perhaps more: the search ends here")


def problem_line(problem: Problem) -> Text:
    """Tell what stands against a schema, in one line."""
    against = f"version {problem.version}" if problem.version else "an earlier version"
    reason = " ".join(problem.reason.split())
    return Text("  " + shown(f"{against}, {problem.path}: {reason} [{problem.rule}]"))


def listed_data(each: Listed) -> dict[str, Any]:
    """Give a subject of the list for a script."""
    return {
        "subject": each.latest.subject,
        "versions": list(each.versions),
        "deleted": list(each.deleted),
        "latest": {"version": each.latest.version, "id": each.latest.id},
        "schemaType": each.latest.content.type,
        "compatibility": asdict(each.compatibility),
    }


def version_data(found: Registered, compatibility: Compatibility) -> dict[str, Any]:
    """Give a version for a script."""
    return {
        "subject": found.subject,
        "version": found.version,
        "id": found.id,
        "deleted": found.deleted,
        "compatibility": asdict(compatibility),
    }


def content_data(content: Content) -> dict[str, Any]:
    """Give a schema for a script, as the REST API names its parts."""
    return {
        "schemaType": content.type,
        "schema": content.text,
        "references": [asdict(reference) for reference in content.references],
    }


def side_data(side: Side) -> dict[str, Any]:
    """Say which schema was compared."""
    return {"label": side.label, "version": side.version, "id": side.id}


def difference_data(each: Difference) -> dict[str, str]:
    """Give a difference for a script."""
    return {"kind": each.kind.value, "path": each.path, "text": each.text}


def reading_data(problems: Sequence[Incompatibility]) -> dict[str, Any]:
    """Say for a script whether one schema reads what another wrote."""
    listed = [{"rule": p.kind.value, "path": p.path, "reason": p.reason} for p in problems]
    whole = len(problems) < MOST_PROBLEMS
    return {"compatible": not problems, "problems": listed, "complete": whole}


def counted(number: int, noun: str) -> str:
    """Give a number with its noun."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
