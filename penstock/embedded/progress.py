"""How a long step shows that it is alive: a bar on a terminal, a line elsewhere."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

Advance = Callable[[int], None]


@contextmanager
def download_shown(title: str, total: int) -> Iterator[Advance]:
    """Show a download of so many bytes; the caller says how many are there."""
    console = Console(stderr=True)
    if not console.is_terminal:
        console.print(f"downloading {title} ({total / 1e6:.0f} MB)", highlight=False)
        yield lambda _: None
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
    )
    with Progress(*columns, console=console) as bar:
        task = bar.add_task(f"downloading {title}", total=total)
        yield lambda done: bar.update(task, completed=min(done, total))
