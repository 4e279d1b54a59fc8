"""penstock check: everything that a connector needs, looked at before it runs."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.table import Table
from rich.text import Text

from diagnosis.findings import Finding, Severity, verdict
from diagnosis.secrets import redact
from penstock.check import look
from penstock.cli.options import ConnectorFile, Json
from penstock.cli.output import STYLES, plain, screen, shown
from penstock.config.load import load_with_origin


@dataclass(frozen=True, slots=True)
class Report:
    """What a look at one connector found."""

    file: Path
    connector: str
    findings: tuple[Finding, ...]

    def at_least(self, severity: Severity) -> list[Finding]:
        """Give the findings that matter so much."""
        return [finding for finding in self.findings if finding.severity >= severity]

    def counts(self) -> dict[str, int]:
        """Count the findings by severity, the worst first."""
        count = Counter(finding.severity for finding in self.findings)
        return {severity.label: count[severity] for severity in reversed(Severity)}


def check(
    file: ConnectorFile,
    sql: Annotated[
        bool, typer.Option("--sql", help="Print only the statements that mend the source.")
    ] = False,
    everything: Annotated[
        bool, typer.Option("--all", "-a", help="Show what is fine, too; with --sql, notes' too.")
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Fail on warnings as well.")] = False,
    json: Json = False,
) -> None:
    """Look at the source, Kafka, the registry and the stores of a connector.

    Changes nothing that stays: in a SQL store it tries to make a table, and rolls
    that back. Each finding comes with what mends it.
    """
    loaded = load_with_origin(file)
    with screen.err.status("looking") as status:
        found = tuple(look(loaded, lambda title: status.update(f"looking at {title}")))
    report = Report(file, loaded.connector.name, found)
    failing = verdict(found, fail_on=Severity.WARNING if strict else Severity.ERROR)

    if json:
        screen.data(_as_data(report, ok=failing is None))
    elif sql:
        _print_statements(report, Severity.NOTE if everything else Severity.WARNING)
    else:
        _print_table(report, Severity.OK if everything else Severity.NOTE)
    if failing is not None:
        raise typer.Exit(failing.exit_code)


def _as_data(report: Report, *, ok: bool) -> dict[str, Any]:
    return {
        "file": str(report.file),
        "connector": report.connector,
        "ok": ok,
        "counts": report.counts(),
        "findings": [
            {
                "code": finding.code,
                "severity": finding.severity.label,
                "area": finding.area.label,
                "subject": finding.subject,
                "fact": redact(finding.fact),
                "fix": finding.fix and redact(finding.fix),
                "sql": list(finding.sql),
            }
            for finding in report.findings
        ],
    }


def _print_statements(report: Report, least: Severity) -> None:
    # One statement may mend several findings. A finding's own stay together: a
    # second BEGIN or pg_reload_conf() is no repeat.
    printed: set[tuple[str, ...]] = {()}
    for finding in report.at_least(least):
        if finding.sql in printed:
            continue
        printed.add(finding.sql)
        screen.line(_remark(f"{finding.code} {plain(finding.subject)}: {shown(finding.fact)}"))
        if finding.fix:
            screen.line(_remark(f"→ {shown(finding.fix)}"))
        for statement in finding.sql:
            screen.line(f"{statement};")
    left = [finding for finding in report.at_least(Severity.ERROR) if not finding.sql]
    for finding in left:
        screen.talk(f"no statement mends {finding.code} {finding.subject}: {finding.fact}")
        if finding.fix:
            screen.talk(f"→ {finding.fix}")
    if printed == {()} and not left:
        screen.talk("no statement is needed at the source")


def _remark(text: str) -> str:
    # A name may hold a line break, and what follows it would be no comment.
    return "-- " + " ".join(text.split())


def _print_table(report: Report, least: Severity) -> None:
    listed = sorted(report.at_least(least), key=lambda finding: finding.severity, reverse=True)
    if listed:
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
        table.add_column("")
        table.add_column("code", no_wrap=True)
        table.add_column("finding, and what mends it", overflow="fold")
        for finding in listed:
            table.add_row(
                Text(finding.severity.label, STYLES[finding.severity]),
                finding.code if finding.severity > Severity.OK else "",
                _described(finding),
            )
        screen.out.print(table)
    _print_summary(report)


def _described(finding: Finding) -> Text:
    text = Text(plain(finding.subject), "bold")
    text.append(f": {shown(finding.fact)}", "not bold")
    if finding.fix:
        text.append(f"\n→ {shown(finding.fix)}", "not bold green")
    for statement in finding.sql:
        text.append(f"\n  {plain(statement)};", "not bold cyan")
    return text


def _print_summary(report: Report) -> None:
    counts = report.counts()
    fine = counts.pop(Severity.OK.label)
    words = [f"{count} {label}{'s' * (count > 1)}" for label, count in counts.items() if count]
    screen.talk(f"{report.connector}: {', '.join([*words, f'{fine} checks passed'])}")
    if any(finding.sql for finding in report.at_least(Severity.WARNING)):
        screen.talk(f"statements for a DBA: penstock check {report.file} --sql")
