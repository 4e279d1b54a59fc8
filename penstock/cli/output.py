"""How things are shown: as text for a person, as JSON for a script."""

import json
import sys
from typing import Any, Final

from rich.console import Console
from rich.markup import escape
from rich.text import Text

from diagnosis.errors import PenstockError
from diagnosis.findings import Severity
from diagnosis.secrets import redact
from penstock.streams import ERR, OUT, gone

STYLES: Final = {
    Severity.OK: "green",
    Severity.NOTE: "cyan",
    Severity.WARNING: "yellow",
    Severity.ERROR: "bold red",
}


def shown(text: str) -> str:
    """Make a text fit for a terminal: no secret, and no control sequence from a name."""
    return plain(redact(text))


def plain(text: str) -> str:
    """Take control sequences out of a text of our own, which holds names but no secrets.

    A password may equal a name, and a statement without its names mends nothing.
    """
    return "".join(
        character if character.isprintable() or character == "\n" else repr(character)[1:-1]
        for character in text
    )


class Screen:
    """The two streams of a command, and whether it answers in JSON."""

    def __init__(self) -> None:
        self.json = False

    @property
    def out(self) -> Console:
        """Where the answer goes."""
        return OUT

    @property
    def err(self) -> Console:
        """Where everything else goes."""
        return ERR

    def data(self, value: Any) -> None:
        """Print an answer as JSON."""
        self.line(json.dumps(value, indent=2, ensure_ascii=False))

    def line(self, text: str) -> None:
        """Print a line of the answer as it is: no markup, no wrapping."""
        try:
            sys.stdout.write(text + "\n")
            sys.stdout.flush()
        except BrokenPipeError:
            gone()

    def talk(self, text: str, style: str = "") -> None:
        """Tell a person what is going on."""
        self.err.print(Text(shown(text), style=style), highlight=False, soft_wrap=True)

    def error(self, error: PenstockError) -> None:
        """Show an error: its code, what is wrong, the cause, the next step."""
        if self.json:
            facts = {
                "code": error.code,
                "area": error.area.label,
                # Before they become JSON: its quotes would hide where a secret ends.
                "message": redact(error.message),
                "cause": error.cause and redact(error.cause),
                "fix": error.fix and redact(error.fix),
                "retryable": error.retryable,
            }
            sys.stderr.write(json.dumps({"error": facts}, ensure_ascii=False) + "\n")
            return
        parts = [("error", "bold red", error.message), ("cause", "yellow", error.cause)]
        lines = [
            f"[{style}]{label}[/] {escape(shown(text))}" for label, style, text in parts if text
        ]
        if error.fix:
            lines.append(f"[green]fix[/]   {escape(shown(error.fix))}")
        lines.append(f"[dim]{error.code}: more with `penstock explain {error.code}`[/]")
        self.err.print("\n".join(lines), highlight=False, soft_wrap=True)


screen: Final = Screen()
