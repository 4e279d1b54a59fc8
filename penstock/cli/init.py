"""penstock init: a commented connector file from a live database."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.table import Table
from rich.text import Text

from capture.facts import Relation
from capture.relations import read_known_names, read_relations
from capture.source import Source, connect
from diagnosis.errors import Area, PenstockError
from penstock.cli.output import screen, shown
from penstock.cli.template import Answers, Listed, render
from penstock.config.errors import nearest
from penstock.config.load import load_content
from penstock.wiring import source_of


class UsageError(PenstockError):
    """The command was called in a way that leads nowhere."""

    area = Area.USAGE


class FileExists(UsageError):
    """The file to write is there already."""

    code = "PEN-004"

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} exists already", fix="choose another name, or add --force")


class SecretOnCommandLine(UsageError):
    """An option holds a password."""

    code = "PEN-005"

    def __init__(self, keys: Sequence[str]) -> None:
        super().__init__(
            f"a password was given on the command line, for {', '.join(keys)}",
            cause="every user of this machine can read it there, and it would stand in the file",
            fix="put it into a variable or a file and give the reference: --dsn '${SHOP_DSN}'",
        )


class AnswerMissing(UsageError):
    """Something has to be asked, and there is nobody to ask."""

    code = "PEN-006"

    def __init__(self, options: Sequence[str]) -> None:
        super().__init__(
            f"{' and '.join(options)} must be given where there is no terminal to ask",
            fix="penstock init --help lists the options",
        )


class NoTables(UsageError):
    """There is nothing to put into the file."""

    code = "PEN-007"

    def __init__(self, message: str, fix: str) -> None:
        super().__init__(message, fix=fix)


class NotWritten(UsageError):
    """The file could not be written."""

    code = "PEN-008"

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(
            f"{path} could not be written: {reason}",
            fix="choose a folder that exists and that you may write to",
        )


def init(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", help="Where to write it.", show_default="NAME.yaml"),
    ] = None,
    name: Annotated[
        str | None, typer.Option(help="The connector's name; by default, the file's.")
    ] = None,
    dsn: Annotated[
        str | None,
        typer.Option(help="The source as it will stand in the file: '${SHOP_DSN}', '${file:…}'."),
    ] = None,
    table: Annotated[
        list[str] | None,
        typer.Option("--table", "-t", help="A table to capture; by default, all of them."),
    ] = None,
    brokers: Annotated[str | None, typer.Option(help="Kafka: host:port,host:port.")] = None,
    lake: Annotated[str | None, typer.Option(help="Iceberg tables in this folder or URI.")] = None,
    search: Annotated[str | None, typer.Option(help="An OpenSearch at this URL.")] = None,
    copy: Annotated[
        str | None, typer.Option(help="A SQL copy at this SQLAlchemy URL: '${COPY_URL}'.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that exists.")] = False,
) -> None:
    """Write a commented connector file from a live database.

    Asks for what no option gives. Reads the database, changes nothing in it.
    """
    answers = _answers(file, name, dsn, brokers, Answers("", "", "", lake, search, copy))
    path = file or Path(f"{answers.name}.yaml")
    if _exists(path) and not force:
        raise FileExists(path)
    source = _source(answers, path)
    with screen.err.status("reading the database"), connect(source) as connection:
        relations = read_relations(connection, read_known_names(connection), [])
    chosen = _chosen(relations, table)
    text = render(answers, [Listed(str(one.name), _remark(one)) for one in chosen])
    load_content(text.encode(), path)
    _write(path, text)
    screen.talk(f"wrote {path}: {_counted(len(chosen), 'table')}")
    screen.talk(f"next: penstock check {path}")


def _answers(
    file: Path | None, name: str | None, dsn: str | None, brokers: str | None, rest: Answers
) -> Answers:
    if not sys.stdin.isatty():
        given = {"--dsn": dsn, "--brokers": brokers, "--name (or FILE)": name or file}
        if missing := [option for option, value in given.items() if not value]:
            raise AnswerMissing(missing)
    name = name or _ask("name of the connector", file.stem if file else "shop")
    variable = "${" + name.upper().replace("-", "_") + "_DSN}"
    dsn = dsn or _ask("the source, as it will stand in the file", variable)
    brokers = brokers or _ask("Kafka brokers", "127.0.0.1:9092")
    return Answers(name, dsn, brokers, rest.lake, rest.search, rest.copy)


def _ask(question: str, default: str) -> str:
    if not sys.stdin.isatty():
        return default
    answer: str = typer.prompt(question, default=default, err=True)
    return answer


def _source(answers: Answers, path: Path) -> Source:
    # The file itself decides what is valid and what the references mean.
    draft = render(answers, [Listed("public.*")])
    loaded = load_content(draft.encode(), path)
    if literal := loaded.origin.literal_secrets:
        raise SecretOnCommandLine([secret.key for secret in literal])
    return source_of(loaded.connector)


def _chosen(relations: list[Relation], asked: list[str] | None) -> list[Relation]:
    by_name = {str(relation.name): relation for relation in relations}
    if not by_name:
        raise NoTables(
            "the database has no tables of its own", "name the database that has them in the dsn"
        )
    if asked is None and sys.stdin.isatty():
        asked = _ask_for_tables(relations)
    if not asked:
        return relations
    chosen = {}
    for name in asked:
        if name not in by_name:
            close = nearest(name, by_name)
            hint = (
                f"did you mean {close}?" if close else "names are schema.table, as in the catalog"
            )
            raise NoTables(f"there is no table {name}", hint)
        chosen[name] = by_name[name]
    return list(chosen.values())


def _ask_for_tables(relations: list[Relation]) -> list[str]:
    listed = Table("", "table", "", box=box.SIMPLE_HEAD)
    for number, relation in enumerate(relations, start=1):
        texts = (str(number), str(relation.name), _remark(relation))
        listed.add_row(*(Text(shown(text)) for text in texts))
    screen.err.print(listed)
    answer: str = typer.prompt(
        "which tables (numbers or names, with commas; empty for all)",
        default="",
        show_default=False,
        err=True,
    )
    words = [word.strip() for word in answer.split(",") if word.strip()]
    numbered = {str(number): str(r.name) for number, r in enumerate(relations, start=1)}
    return [numbered.get(word, word) for word in words]


def _remark(relation: Relation) -> str:
    parts = relation.leaves or (relation,)
    rows = sum(part.rows for part in parts if part.rows > 0)
    counted = f"about {rows:,.0f} rows" if rows else "rows not counted yet"
    key = relation.primary_key
    keyed = f"key {', '.join(key.columns)}" if key else "no primary key"
    return f"{counted}, {keyed}"


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError as error:
        raise NotWritten(path, error.strerror or str(error)) from error


def _write(path: Path, text: str) -> None:
    # Through a link to the file itself, and with the mode that it had.
    place = path.resolve()
    half = place.with_name(f".{place.name}.{os.getpid()}")
    try:
        if place.exists() and not place.is_file():
            raise OSError("it is no regular file")
        half.write_text(text)
        if place.exists():
            half.chmod(place.stat().st_mode)
        half.replace(place)
    except OSError as error:
        half.unlink(missing_ok=True)
        raise NotWritten(path, error.strerror or str(error)) from error


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
