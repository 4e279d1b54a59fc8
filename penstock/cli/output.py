"""How things are shown: data on stdout, talk on stderr.

Rich leaves out colours where nobody sees them, and under NO_COLOR.
"""

import json
import sys
from typing import Any, Final

from rich.console import Console
from rich.markup import escape
from rich.text import Text

from diagnosis.errors import PenstockError
from diagnosis.findings import Severity
from diagnosis.secrets import redact

# Rich wraps at 80 columns where there is no terminal to ask; files have room.
PIPED_WIDTH: Final = 160

STYLES: Final = {
    Severity.OK: "green",
    Severity.NOTE: "cyan",
    Severity.WARNING: "yellow",
    Severity.ERROR: "bold red",
}


def shown(text: str) -> str:
    """Make a text fit for a terminal: no secret, and no control sequence from a name."""
    return "".join(
        character if character.isprintable() or character == "\n" else repr(character)[1:-1]
        for character in redact(text)
    )


class Screen:
    """The two streams of a command, and whether it answers in JSON."""

    def __init__(self) -> None:
        self.json = False

    @property
    def out(self) -> Console:
        """Where the answer goes."""
        return _console(stderr=False)

    @property
    def err(self) -> Console:
        """Where everything else goes."""
        return _console(stderr=True)

    def data(self, value: Any) -> None:
        """Print an answer as JSON."""
        sys.stdout.write(json.dumps(value, indent=2, ensure_ascii=False) + "\n")

    def line(self, text: str) -> None:
        """Print a line of the answer as it is: no markup, no wrapping."""
        sys.stdout.write(text + "\n")

    def talk(self, text: str, style: str = "") -> None:
        """Tell a person what is going on."""
        self.err.print(Text(shown(text), style=style), highlight=False, soft_wrap=True)

    def error(self, error: PenstockError) -> None:
        """Show an error: its code, what is wrong, the cause, the next step."""
        if self.json:
            facts = {
                "code": error.code,
                "area": error.area.label,
                "message": error.message,
                "cause": error.cause,
                "fix": error.fix,
                "retryable": error.retryable,
            }
            sys.stderr.write(redact(json.dumps({"error": facts}, ensure_ascii=False)) + "\n")
            return
        parts = [("error", "bold red", error.message), ("cause", "yellow", error.cause)]
        lines = [
            f"[{style}]{label}[/] {escape(shown(text))}" for label, style, text in parts if text
        ]
        if error.fix:
            lines.append(f"[green]fix[/]   {escape(shown(error.fix))}")
        lines.append(f"[dim]{error.code}: more with `penstock explain {error.code}`[/]")
        self.err.print("\n".join(lines), highlight=False, soft_wrap=True)


def _console(*, stderr: bool) -> Console:
    console = Console(stderr=stderr)
    return console if console.is_terminal else Console(stderr=stderr, width=PIPED_WIDTH)


screen: Final = Screen()
