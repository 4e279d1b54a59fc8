"""penstock dev: the embedded servers, for laptops, tests and the demo."""

import shlex
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.table import Table
from rich.text import Text

from diagnosis.errors import Area, PenstockError
from diagnosis.secrets import redact
from penstock.cli.options import Json
from penstock.cli.output import screen
from penstock.config.errors import nearest
from penstock.embedded import dev as servers
from penstock.embedded.bundles import BUNDLES
from penstock.embedded.catalogue import CATALOGUE, DEFAULT
from penstock.embedded.downloads import fetch as fetch_bundle
from penstock.embedded.downloads import is_there
from penstock.embedded.places import dev_folder

app = typer.Typer(
    help="Real servers on this machine: PostgreSQL, Kafka, OpenSearch.", no_args_is_help=True
)

Dir = Annotated[
    Path | None,
    typer.Option("--dir", metavar="DIR", help="Where the servers keep their data.", readable=False),
]


class UnknownServer(PenstockError):
    """A name that is none of our servers'."""

    code, area = "PEN-002", Area.USAGE

    def __init__(self, name: str) -> None:
        close = nearest(name, CATALOGUE)
        super().__init__(
            f"there is no server {name!r}",
            fix=f"did you mean {close}?" if close else f"choose from {', '.join(CATALOGUE)}",
        )


class MalformedPort(PenstockError):
    """A port that was not given as NAME=NUMBER."""

    code, area = "PEN-003", Area.USAGE

    def __init__(self, text: str, asked: list[str]) -> None:
        super().__init__(
            f"--port {text} gives no port to a server that is to start",
            fix=f"write --port NAME=NUMBER with NAME from {', '.join(asked)} "
            "and NUMBER from 1 to 65535",
        )


@app.command()
def up(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SERVER]...",
            help=f"Which: {', '.join(CATALOGUE)}. By default {', '.join(DEFAULT)}.",
            autocompletion=lambda incomplete: [n for n in CATALOGUE if n.startswith(incomplete)],
        ),
    ] = None,
    port: Annotated[
        list[str] | None,
        typer.Option("--port", metavar="NAME=PORT", help="A port; free ones are taken otherwise."),
    ] = None,
    directory: Dir = None,
    json: Json = False,
) -> None:
    """Start servers and leave them running."""
    folder = servers.Folder(directory or dev_folder())
    ports = _ports(names or list(DEFAULT), port or [])
    servers.fetch_for(ports)
    with screen.err.status(f"starting {', '.join(ports)}"):
        running = servers.up(
            folder, ports, lambda server: screen.talk(f"{server.name} is up on port {server.port}")
        )
    if json:
        screen.data([_shown(server) for server in running])
    else:
        screen.talk(f'use them with: eval "$(penstock dev env{_dir_option(directory)})"')


@app.command()
def down(directory: Dir = None) -> None:
    """Stop the servers. Their data stays for the next time."""
    folder = servers.Folder(directory or dev_folder())
    if not folder.is_held():
        screen.talk(f"no servers run in {folder.path}")
        return
    with screen.err.status("stopping"):
        stopped = servers.down(folder)
    names = ", ".join(server.name for server in stopped)
    screen.talk(f"stopped {names}" if names else "stopped the start of the servers")


@app.command()
def status(directory: Dir = None, json: Json = False) -> None:
    """Show which servers run."""
    folder = servers.Folder(directory or dev_folder())
    running = servers.status(folder)
    if json:
        screen.data([_shown(server) for server in running])
    elif running:
        table = Table(box=box.SIMPLE_HEAD)
        for title in ("server", "port", "process", "address", "log"):
            table.add_column(title, overflow="fold")
        for server in running:
            row = _shown(server)
            values = (str(row[key]) for key in ("name", "port", "pid", "address", "log"))
            table.add_row(*(Text(value) for value in values))
        screen.out.print(table)
    elif folder.is_held():
        screen.talk(f"the servers of {folder.path} are starting or stopping")
    else:
        screen.talk(f"no servers run in {folder.path}")
        if reason := folder.last_words():
            screen.talk(f"the last ones: {reason}")


@app.command()
def env(directory: Dir = None, json: Json = False) -> None:
    """Print the servers' addresses, passwords included, for a shell to take in."""
    variables = servers.environment(servers.Folder(directory or dev_folder()))
    if json:
        screen.data(variables)
    else:
        for name, value in variables.items():
            screen.line(f"export {name}={shlex.quote(value)}")


@app.command()
def fetch() -> None:
    """Download what the servers need, ahead of the first start."""
    for bundle in BUNDLES:
        if is_there(bundle):
            screen.talk(f"{bundle.title} is there")
        else:
            fetch_bundle(bundle)


def _ports(names: list[str], given: list[str]) -> dict[str, int | None]:
    ports: dict[str, int | None] = {}
    for name in names:
        if name not in CATALOGUE:
            raise UnknownServer(name)
        ports[name] = None
    for text in given:
        name, _, number = text.partition("=")
        if name not in ports or not number.isdecimal() or not 0 < int(number) < 65536:
            raise MalformedPort(text, list(ports))
        ports[name] = int(number)
    return ports


def _shown(server: servers.Running) -> dict[str, object]:
    # The password is for `env` alone, which a person asks for by name.
    return {**asdict(server), "address": redact(server.address)}


def _dir_option(directory: Path | None) -> str:
    return f" --dir {shlex.quote(str(directory))}" if directory else ""
