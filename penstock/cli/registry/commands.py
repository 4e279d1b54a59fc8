"""penstock registry: what a schema registry holds, for people."""

import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from typing import Annotated, Final

import typer
from rich.text import Text

from penstock.cli.options import Json
from penstock.cli.output import plain, screen, shown
from penstock.cli.registry import schemas as registry_schemas
from penstock.cli.registry.answers import (
    Listed,
    content_data,
    counted,
    difference_data,
    list_table,
    listed_data,
    print_schema,
    problem_line,
    reading_data,
    side_data,
    tell_reading,
    version_data,
)
from penstock.cli.registry.place import (
    Brokers,
    Ca,
    ConnectorOption,
    Place,
    Topic,
    UnfittingOptions,
    Url,
    opened,
)
from schema_registry.avro.compatibility import incompatibilities
from schema_registry.avro.differences import Change, differences
from schema_registry.client.protocol import Catalogue
from schema_registry.registry.refusals import IncompatibleSchema, Refusal
from schema_registry.registry.subjects import HIGHEST_VERSION, LATEST, checked_version

# What a registry says of a subject that was deleted since it was listed.
_DELETED_SINCE: Final = frozenset({40401, 40402})

app = typer.Typer(help="The schemas of a registry, ours or another.", no_args_is_help=True)

# A registry on the other side of the world answers in a fifth of a second.
_AT_ONCE: Final = 8

_SIGNS: Final = {
    Change.ADDED: ("+", "green"),
    Change.REMOVED: ("-", "red"),
    Change.CHANGED: ("~", "yellow"),
}


@app.command("list")
def list_(
    prefix: Annotated[
        str, typer.Argument(metavar="[PREFIX]", help="Only subjects that begin so.")
    ] = "",
    deleted: Annotated[
        bool, typer.Option("--deleted", help="Show soft-deleted subjects and versions, too.")
    ] = False,
    url: Url = None,
    brokers: Brokers = None,
    connector: ConnectorOption = None,
    topic: Topic = None,
    ca: Ca = None,
    json: Json = False,
) -> None:
    """List the subjects: versions, latest id, type, compatibility."""
    with (
        opened(Place(url, brokers, connector, topic, ca)) as catalogue,
        screen.err.status("asking the registry"),
        ThreadPoolExecutor(_AT_ONCE) as threads,
    ):
        names = catalogue.subjects(prefix, deleted=deleted)
        asked = threads.map(lambda name: _listed(catalogue, name, deleted=deleted), names)
        found = [each for each in asked if each is not None]
    if json:
        screen.data([listed_data(each) for each in found])
        return
    if found:
        screen.out.print(list_table(found))
    count = sum(len(each.versions) for each in found)
    begins = f" beginning with {prefix}" if prefix else ""
    screen.talk(f"{counted(len(found), 'subject')}{begins}, {counted(count, 'version')}")


@app.command()
def show(
    subject: Annotated[
        str | None, typer.Argument(metavar="[SUBJECT]", help="The subject.", show_default=False)
    ] = None,
    version: Annotated[
        str | None,
        typer.Argument(
            metavar="[VERSION|latest]", help="Which version of it.", show_default="latest"
        ),
    ] = None,
    id: Annotated[
        int | None, typer.Option("--id", help="A schema by its id, in place of SUBJECT.")
    ] = None,
    raw: Annotated[
        bool, typer.Option("--raw", help="Print the schema's text as it is, and nothing else.")
    ] = False,
    url: Url = None,
    brokers: Brokers = None,
    connector: ConnectorOption = None,
    topic: Topic = None,
    ca: Ca = None,
    json: Json = False,
) -> None:
    """Show a schema: its fields and types, and of an envelope the row."""
    if (subject is None) == (id is None) or (raw and json):
        raise UnfittingOptions(
            "show takes a SUBJECT or an --id, and at most one of --raw and --json",
            "penstock registry list names the subjects",
        )
    with opened(Place(url, brokers, connector, topic, ca)) as catalogue:
        if subject is None:
            assert id is not None
            content, facts = catalogue.by_id(id), {"id": id}
        else:
            number = checked_version(version or LATEST)
            found = catalogue.version(subject, number, deleted=number is not None)
            content = found.content
            facts = version_data(found, catalogue.compatibility(subject))
        if raw:
            # As it is into a pipe; a terminal would obey what a text may hold.
            screen.line(plain(content.text) if sys.stdout.isatty() else content.text)
        elif json:
            screen.data({**facts, **content_data(content)})
        else:
            print_schema(catalogue, content, facts)


@app.command()
def diff(
    subject: Annotated[
        str | None, typer.Argument(metavar="[SUBJECT]", help="The subject.", show_default=False)
    ] = None,
    old: Annotated[
        str | None,
        typer.Argument(
            metavar="[OLD]",
            help="A version.",
            show_default="the one before NEW; with --file, latest",
        ),
    ] = None,
    new: Annotated[
        str | None, typer.Argument(metavar="[NEW]", help="A version.", show_default="latest")
    ] = None,
    file: Annotated[
        list[str] | None,
        typer.Option(
            "--file", "-f", metavar="PATH", help="The new schema; twice: the old and the new one."
        ),
    ] = None,
    url: Url = None,
    brokers: Brokers = None,
    connector: ConnectorOption = None,
    topic: Topic = None,
    ca: Ca = None,
    json: Json = False,
) -> None:
    """Show what differs between two schemas, and who can still read what."""
    if subject is None:
        sides = registry_schemas.files(file or [])
    else:
        with opened(Place(url, brokers, connector, topic, ca)) as catalogue:
            sides = registry_schemas.versions(catalogue, subject, (old, new), file or [])
    before, after = sides
    found = differences(before.schema, after.schema)
    backward = incompatibilities(reader=after.schema, writer=before.schema)
    forward = incompatibilities(reader=before.schema, writer=after.schema)
    if json:
        screen.data(
            {
                "subject": subject,
                "old": side_data(before),
                "new": side_data(after),
                "differences": [difference_data(each) for each in found],
                "backward": reading_data(backward),
                "forward": reading_data(forward),
            }
        )
        return
    for each in found:
        sign, style = _SIGNS[each.kind]
        place = f"{each.path}: " if each.path else ""
        screen.out.print(Text(shown(f"{sign} {place}{each.text}"), style), soft_wrap=True)
    count = counted(len(found), "difference") if found else "no difference"
    screen.talk(f"{before.label} → {after.label}: {count}")
    tell_reading(after.label, before.label, backward)
    tell_reading(before.label, after.label, forward)


@app.command()
def check(
    subject: Annotated[str, typer.Argument(metavar="SUBJECT", help="The subject.")],
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="An Avro schema; - is the standard input.")
    ],
    version: Annotated[
        int | None,
        typer.Option(
            "--version",
            min=1,
            max=HIGHEST_VERSION,
            help="Compare with this version only; by default, as the subject's level demands.",
        ),
    ] = None,
    url: Url = None,
    brokers: Brokers = None,
    connector: ConnectorOption = None,
    topic: Topic = None,
    ca: Ca = None,
    json: Json = False,
) -> None:
    """Ask whether a schema would be compatible. Registers nothing."""
    # Says where a text is no schema, before anybody is asked.
    text, _ = registry_schemas.parsed_file(file)
    with opened(Place(url, brokers, connector, topic, ca)) as catalogue:
        problems = catalogue.check(subject, text, version=version)
        level = catalogue.compatibility(subject).level
        is_new = catalogue.latest(subject) is None
    if json:
        screen.data(
            {
                "subject": subject,
                "exists": not is_new,
                "level": level,
                "compatible": not problems,
                "problems": [asdict(problem) for problem in problems],
            }
        )
    else:
        verdict = ("yes", "bold green") if not problems else ("no", "bold red")
        line = Text.assemble(verdict, f": {plain(subject)} under {level}")
        screen.out.print(line, soft_wrap=True)
        for problem in problems:
            screen.out.print(problem_line(problem), soft_wrap=True)
    if is_new:
        screen.talk(f"there is no subject {subject!r} yet, so there is nothing to fit", "yellow")
    if problems:
        raise IncompatibleSchema(subject, level, problems)


def _listed(catalogue: Catalogue, subject: str, *, deleted: bool) -> Listed | None:
    try:
        numbers = catalogue.versions(subject, deleted=deleted)
        if not numbers:
            return None
        live = catalogue.versions(subject) if not deleted else _live(catalogue, subject)
        latest = catalogue.version(subject, max(live or numbers), deleted=deleted)
        compatibility = catalogue.compatibility(subject)
    except Refusal as refusal:
        if refusal.error_code in _DELETED_SINCE:
            return None
        raise
    gone = tuple(number for number in numbers if number not in live)
    return Listed(latest, tuple(numbers), gone, compatibility)


def _live(catalogue: Catalogue, subject: str) -> list[int]:
    try:
        return catalogue.versions(subject)
    except Refusal as refusal:
        if refusal.status == 404:
            return []
        raise
