"""The two streams of a command: data on stdout, talk on stderr.

One console for each, because a spinner and a line of text on the same terminal
have to know of each other. Rich leaves out colours where nobody sees them, and
under NO_COLOR.
"""

import os
import sys
from typing import Final, NoReturn

from rich.console import Console

# Rich wraps at 80 columns where there is no terminal to ask; files have room.
PIPED_WIDTH: Final = 160


class Stream(Console):
    """A console that shows texts as they are, and bears a reader that goes away."""

    def __init__(self, *, stderr: bool) -> None:
        super().__init__(stderr=stderr, emoji=False, highlight=False)
        if not self.is_terminal and "COLUMNS" not in os.environ:
            self.width = PIPED_WIDTH

    def on_broken_pipe(self) -> NoReturn:
        """End quietly: whoever read our output has seen enough, as `head` does."""
        gone(self.stderr)


def gone(stderr: bool = False) -> NoReturn:
    """End without an error when nobody reads a stream any more."""
    stream = sys.stderr if stderr else sys.stdout
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    raise SystemExit(0)


OUT: Final = Stream(stderr=False)
ERR: Final = Stream(stderr=True)
