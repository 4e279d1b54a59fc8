"""The story: a database that is not fit for capture, found out and mended.

Every line that begins with ``$`` is a command that really runs, and the demo
fails if any of them ends otherwise than it should.
"""

import os
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from rich.table import Table

from diagnosis.errors import Area, PenstockError
from penstock.cli.main import guarded
from penstock.demo import shop
from penstock.embedded.group import Group
from penstock.embedded.places import scratch_folder
from penstock.streams import OUT

console: Final = OUT


class DemoFailed(PenstockError):
    """A command of the demo did not do what it should."""

    code, area = "PEN-009", Area.INTERNAL

    def __init__(self, command: str, expected: int, got: int) -> None:
        super().__init__(
            f"`{command}` ended with {got}, not with {expected}",
            fix="its output stands above; please report it as a bug",
        )


class Times:
    """How long each step took, for the table at the end."""

    def __init__(self) -> None:
        self.steps: list[tuple[str, float]] = []

    @contextmanager
    def step(self, title: str) -> Iterator[None]:
        """Announce a step and time it."""
        console.print(f"\n[bold cyan]{len(self.steps) + 1}. {title}[/]")
        start = time.monotonic()
        yield
        self.steps.append((title, time.monotonic() - start))

    def show(self) -> None:
        """Print the table."""
        table = Table("step", "seconds", title="how long it took", title_justify="left")
        for title, seconds in self.steps:
            table.add_row(title, f"{seconds:.1f}")
        console.print()
        console.print(table)


def tell(folder: Path) -> None:
    """Run the whole story in a folder."""
    times = Times()
    servers = Group(
        folder,
        {"postgres": None, "kafka": None, "opensearch": None},
        lambda name, server: console.print(f"   {name} is up on port {server.port}"),
    )
    with ExitStack() as until_the_end:
        with times.step("real servers start: PostgreSQL, Kafka, OpenSearch"):
            group = until_the_end.enter_context(servers)
        dba = group.servers["postgres"].address
        with times.step("somebody has a shop, in a database like any other"):
            dsn = shop.build(dba)
            console.print("   5 tables, 46,200 rows, and a role penstock with too few rights")
        work = folder / "work"
        work.mkdir()
        environment = {
            **os.environ,
            "SHOP_DSN": dsn,
            "COPY_URL": f"sqlite:///{work}/copy.db",
        }
        command = Commands(work, environment)

        with times.step("a connector file is written from the live database"):
            brokers, search = (group.servers[name].address for name in ("kafka", "opensearch"))
            command.run(
                [
                    *("init", "shop.yaml", "--dsn", "${SHOP_DSN}", "--brokers", brokers),
                    *("--lake", "./warehouse", "--search", search, "--copy", "${COPY_URL}"),
                ]
            )
            command.show(work / "shop.yaml")
        with times.step("is everything fit for capture? No: and this is what mends it"):
            command.run(["check", "shop.yaml"], expected=Area.SOURCE.exit_code)
        with times.step("a DBA runs the statements, and nothing else"):
            statements = command.output(
                ["check", "shop.yaml", "--sql"], expected=Area.SOURCE.exit_code
            )
            console.print(statements, style="dim", end="", markup=False, soft_wrap=True)
            shop.run_as_dba(dba, statements)
        with times.step("is everything fit now? Yes"):
            command.run(["check", "shop.yaml"])
    times.show()


class Commands:
    """The command line, used as a person uses it."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self._folder, self._environment = folder, environment

    def run(self, arguments: list[str], expected: int = 0) -> None:
        """Run a command in sight."""
        self._run(arguments, expected, None)

    def output(self, arguments: list[str], expected: int = 0) -> str:
        """Run a command for what it prints."""
        return self._run(arguments, expected, subprocess.PIPE).stdout

    def show(self, file: Path) -> None:
        """Show a file without the lines that are comments only."""
        console.print(f"[bold]$ grep -v '^ *#' {file.name}[/]")
        lines = (line for line in file.read_text().splitlines() if line)
        shown = "\n".join(line for line in lines if not line.lstrip().startswith("#"))
        console.print(shown, markup=False, soft_wrap=True)

    def _run(
        self, arguments: list[str], expected: int, stdout: int | None
    ) -> subprocess.CompletedProcess[str]:
        shown = shlex.join(["penstock", *arguments])
        console.print(f"$ {shown}", style="bold", markup=False, soft_wrap=True)
        done = subprocess.run(
            [sys.executable, "-P", "-m", "penstock.cli.main", *arguments],
            cwd=self._folder,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            text=True,
            check=False,
        )
        if done.returncode != expected:
            raise DemoFailed(shown, expected, done.returncode)
        return done


def main() -> None:
    """Tell the story; it fails as any command does."""
    with scratch_folder("demo") as folder:
        tell(folder)


if __name__ == "__main__":
    guarded(main)
