"""Options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

from penstock.cli.output import screen


def _answer_in_json(wanted: bool) -> bool:
    screen.json = wanted
    return wanted


Json = Annotated[
    bool,
    typer.Option("--json", help="Answer with JSON on stdout.", callback=_answer_in_json),
]
ConnectorFile = Annotated[
    Path,
    # Whether it can be read is for the loader to say, with a code.
    typer.Argument(metavar="FILE", help="The connector file.", show_default=False, readable=False),
]
