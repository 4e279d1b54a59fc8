"""penstock explain: the page of an error code."""

from pathlib import Path
from typing import Annotated, Final

import typer
from rich.markdown import Markdown

from diagnosis.errors import Area, PenstockError
from penstock.cli.output import screen
from penstock.config.errors import nearest

# Beside the packages in a checkout, inside this one when installed.
_PLACES: Final = (
    Path(__file__).parents[2] / "docs" / "runbooks",
    Path(__file__).parents[1] / "runbooks",
)


class UnknownCode(PenstockError):
    """There is no such code."""

    code, area = "PEN-001", Area.USAGE

    def __init__(self, asked: str, known: list[str]) -> None:
        close = nearest(asked, known)
        super().__init__(
            f"there is no code {asked!r}",
            fix=f"did you mean {close}?" if close else "codes look like PEN-203",
        )


def pages() -> dict[str, Path]:
    """Give the page of every code."""
    folder = next((place for place in _PLACES if place.is_dir()), None)
    return {page.stem: page for page in sorted(folder.glob("PEN-*.md"))} if folder else {}


def _codes(incomplete: str) -> list[str]:
    return [code for code in pages() if code.startswith(incomplete.upper())]


def explain(
    code: Annotated[
        str, typer.Argument(metavar="CODE", help="A code such as PEN-203.", autocompletion=_codes)
    ],
) -> None:
    """Explain an error code: what it means, why it happens, what to do."""
    known = pages()
    page = known.get(code.upper())
    if page is None:
        raise UnknownCode(code, list(known))
    text = page.read_text()
    if screen.out.is_terminal:
        screen.out.print(Markdown(text))
    else:
        screen.line(text.rstrip())
