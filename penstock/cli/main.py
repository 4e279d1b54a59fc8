"""The commands, and what becomes of an error."""

import sys
import tempfile
import traceback
from collections.abc import Callable
from importlib.metadata import version as installed_version
from io import TextIOWrapper
from typing import Annotated

import typer

from diagnosis.errors import Area, PenstockError
from diagnosis.secrets import redact
from penstock.cli import dev
from penstock.cli.check import check
from penstock.cli.explain import explain
from penstock.cli.init import init
from penstock.cli.output import screen
from penstock.cli.registry import commands as registry
from penstock.cli.registry.serve import serve
from penstock.cli.schema import schema

app = typer.Typer(
    name="penstock",
    help="Every committed change of a Postgres database, in order, to Kafka and beyond.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 fine, 2 usage, 3 connector file, 4 source, 5 Kafka, 6 store, "
    "7 several of these, 8 registry, 9 this machine.",
)
app.command()(init)
app.command()(check)
app.command()(schema)
app.command()(explain)
app.add_typer(registry.app, name="registry")
registry.app.command()(serve)
app.add_typer(dev.app, name="dev")


class Bug(PenstockError):
    """An error that we did not foresee."""

    code, area = "PEN-999", Area.INTERNAL

    def __init__(self, error: Exception, report: str) -> None:
        super().__init__(
            f"Penstock has a bug: {type(error).__name__}: {error}",
            fix=f"please report it with {report}",
        )


def _version(wanted: bool) -> None:
    if wanted:
        screen.line(f"penstock {installed_version('penstock')}")
        raise typer.Exit


@app.callback()
def _all(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run a command; end with the exit code of its error's area."""
    guarded(app)


def guarded(run: Callable[[], object]) -> None:
    """Run something; turn whatever goes wrong into a message and an exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        run()
    except SystemExit as end:
        # Typer has made 1 of Ctrl-C, which stands for a bug of ours.
        sys.exit(130 if isinstance(end.__context__, typer.Abort) else end.code)
    except PenstockError as error:
        screen.error(error)
        sys.exit(error.area.exit_code)
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:
        screen.error(Bug(error, _report()))
        sys.exit(Area.INTERNAL.exit_code)


def _report() -> str:
    """Keep the trace for us, out of the user's sight and without secrets."""
    with tempfile.NamedTemporaryFile(
        "w", prefix="penstock-bug-", suffix=".txt", delete=False
    ) as file:
        file.write(redact(traceback.format_exc()))
    return file.name


if __name__ == "__main__":
    main()
