"""How a long step shows that it is alive: a bar on a terminal, a line elsewhere."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

from penstock.streams import ERR

Advance = Callable[[int], None]


@contextmanager
def download_shown(title: str, total: int) -> Iterator[Advance]:
    """Show a download of so many bytes; the caller says how many are there."""
    if not ERR.is_terminal:
        ERR.print(f"downloading {title} ({total / 1e6:.0f} MB)")
        yield lambda _: None
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
    )
    with Progress(*columns, console=ERR) as bar:
        task = bar.add_task(f"downloading {title}", total=total)
        yield lambda done: bar.update(task, completed=min(done, total))
