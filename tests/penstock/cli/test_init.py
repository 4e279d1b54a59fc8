"""penstock init: options, questions, and what it refuses."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from penstock.config.load import load
from tests.fixtures.commands import Penstock
from tests.fixtures.shops import PASSWORD, Shop
from tests.penstock.embedded.processes import eventually

OPTIONS = ["--dsn", "${SHOP_DSN}", "--brokers", "127.0.0.1:9092"]


def tables_of(file: Path, shop: Shop) -> list[str]:
    connector = load(file, {"SHOP_DSN": shop.dsn, "COPY_URL": "sqlite:///copy.db"})
    return [str(table) for table in connector.source.tables]


def test_it_writes_a_file_that_loads(shop: Shop, penstock: Penstock, tmp_path: Path) -> None:
    stores = ["--lake", "./lake", "--search", "http://127.0.0.1:9200", "--copy", "${COPY_URL}"]
    environment = {"SHOP_DSN": shop.dsn, "COPY_URL": "sqlite:///copy.db"}
    made = penstock("init", "shop.yaml", *OPTIONS, *stores, env=environment)
    assert made.returncode == 0, made.stderr
    assert "penstock check shop.yaml" in made.stderr
    connector = load(tmp_path / "shop.yaml", environment)
    assert connector.name == "shop"
    assert tables_of(tmp_path / "shop.yaml", shop) == ["public.customers", "public.orders"]
    assert list(connector.stores) == ["lake", "search", "copy"]
    assert PASSWORD not in (tmp_path / "shop.yaml").read_text()


def test_it_takes_only_the_tables_asked_for(shop: Shop, penstock: Penstock, tmp_path: Path) -> None:
    environment = {"SHOP_DSN": shop.dsn}
    made = penstock("init", "a.yaml", *OPTIONS, "-t", "public.orders", env=environment)
    assert made.returncode == 0, made.stderr
    assert tables_of(tmp_path / "a.yaml", shop) == ["public.orders"]
    wrong = penstock("init", "b.yaml", *OPTIONS, "-t", "public.order", env=environment)
    assert wrong.returncode == 2
    assert "did you mean public.orders?" in wrong.stderr
    assert not (tmp_path / "b.yaml").exists()


def test_odd_names_come_through_exactly(shop: Shop, penstock: Penstock, tmp_path: Path) -> None:
    names = ['"; DROP TABLE x; --', "line\nbreak", "a: b # c", "${HOME}", "Größe.x", "*", " x "]
    for name in names:
        quoted = '"' + name.replace('"', '""') + '"'
        shop.run(f"CREATE TABLE {quoted} (id int PRIMARY KEY)")
    made = penstock("init", "shop.yaml", *OPTIONS, env={"SHOP_DSN": shop.dsn})
    assert made.returncode == 0, made.stderr
    connector = load(tmp_path / "shop.yaml", {"SHOP_DSN": shop.dsn})
    found = {getattr(table, "table", None) for table in connector.source.tables}
    assert found == {*names, "customers", "orders"}


def test_a_file_that_exists_is_kept_unless_forced(
    shop: Shop, penstock: Penstock, tmp_path: Path
) -> None:
    file = tmp_path / "shop.yaml"
    file.write_text("mine")
    environment = {"SHOP_DSN": shop.dsn}
    refused = penstock("init", file, *OPTIONS, env=environment)
    assert refused.returncode == 2
    assert "PEN-004" in refused.stderr
    assert file.read_text() == "mine"
    assert penstock("init", file, *OPTIONS, "--force", env=environment).returncode == 0
    assert tables_of(file, shop) == ["public.customers", "public.orders"]


def test_a_password_on_the_command_line_is_refused(
    shop: Shop, penstock: Penstock, tmp_path: Path
) -> None:
    made = penstock("init", "shop.yaml", "--dsn", shop.dsn, "--brokers", "127.0.0.1:9092")
    assert made.returncode == 2
    assert "PEN-005" in made.stderr
    assert PASSWORD not in made.stderr
    assert not (tmp_path / "shop.yaml").exists()


def test_without_a_terminal_nothing_is_asked(penstock: Penstock) -> None:
    made = penstock("init")
    assert made.returncode == 2
    for option in ("--dsn", "--brokers", "--name"):
        assert option in made.stderr


@pytest.mark.parametrize(
    ("dsn", "exit_code", "code"),
    [
        ("${NO_SUCH_DSN}", 3, "PEN-103"),
        ("nonsense", 3, "PEN-104"),
        ("host=127.0.0.1 port=1 dbname=shop", 4, "PEN-200"),
    ],
)
def test_a_wrong_dsn_is_an_error_of_its_class(
    dsn: str, exit_code: int, code: str, penstock: Penstock, tmp_path: Path
) -> None:
    made = penstock("init", "shop.yaml", "--dsn", dsn, "--brokers", "127.0.0.1:9092")
    assert made.returncode == exit_code, made.stderr
    assert code in made.stderr
    assert "Traceback" not in made.stderr
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_not_there_is_named(shop: Shop, penstock: Penstock) -> None:
    made = penstock("init", "nowhere/shop.yaml", *OPTIONS, env={"SHOP_DSN": shop.dsn})
    assert made.returncode == 2
    assert "PEN-008" in made.stderr


def test_on_a_terminal_it_asks(shop: Shop, tmp_path: Path) -> None:
    shop.run('CREATE TABLE "[/x] a[bold]b" (id int PRIMARY KEY)')
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "penstock.cli.main", "init"],
        cwd=tmp_path,
        env={**os.environ, "SHOP_DSN": shop.dsn, "TERM": "dumb"},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    shown = ""

    def sees(text: str) -> bool:
        nonlocal shown
        shown += os.read(ours, 4096).decode(errors="replace")
        return text in shown

    for question, answer in (
        ("name of the connector", "shop"),
        ("as it will stand", ""),
        ("brokers", ""),
        ("which tables", "public.customers"),
    ):
        assert eventually(lambda question=question: sees(question))  # type: ignore[misc]
        os.write(ours, f"{answer}\n".encode())
    assert eventually(lambda: sees("penstock check"))
    assert process.wait(timeout=30) == 0
    assert "[/x] a[bold]b" in shown
    os.close(ours)
    assert tables_of(tmp_path / "shop.yaml", shop) == ["public.customers"]


def test_a_link_stays_a_link_and_a_file_keeps_its_mode(
    shop: Shop, penstock: Penstock, tmp_path: Path
) -> None:
    real, link = tmp_path / "real.yaml", tmp_path / "shop.yaml"
    real.touch(mode=0o600)
    link.symlink_to(real)
    made = penstock("init", link, *OPTIONS, "--force", env={"SHOP_DSN": shop.dsn})
    assert made.returncode == 0, made.stderr
    assert link.is_symlink()
    assert real.stat().st_mode & 0o777 == 0o600
    assert tables_of(real, shop) == ["public.customers", "public.orders"]


def test_only_a_file_is_written_over(shop: Shop, penstock: Penstock, tmp_path: Path) -> None:
    fifo, folder = tmp_path / "fifo", tmp_path / "folder"
    os.mkfifo(fifo)
    folder.mkdir()
    for path in (fifo, folder):
        made = penstock("init", path, *OPTIONS, "--force", env={"SHOP_DSN": shop.dsn})
        assert made.returncode == 2
        assert "PEN-008" in made.stderr
    assert fifo.is_fifo()


def test_an_interrupted_question_is_no_bug(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "penstock.cli.main", "init"],
        cwd=tmp_path,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    assert eventually(lambda: b"name of the connector" in os.read(ours, 4096))
    os.write(ours, b"\x04")
    assert process.wait(timeout=30) == 130
    os.close(ours)
