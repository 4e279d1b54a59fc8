"""penstock dev: servers that stay up between commands."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from penstock.embedded.places import scratch_folder
from tests.fixtures.commands import Penstock
from tests.penstock.embedded.processes import all_gone, eventually, is_alive


@pytest.fixture
def folder(penstock: Penstock) -> Iterator[Path]:
    with scratch_folder("test") as made:
        yield made
        assert penstock("dev", "down", "--dir", made).returncode == 0


def supervisor_of(folder: Path) -> int:
    pid: int = json.loads((folder / "state.json").read_text())["pid"]
    return pid


def test_up_leaves_a_server_running_that_env_names(folder: Path, penstock: Penstock) -> None:
    up = penstock("dev", "up", "postgres", "--dir", folder, "--json")
    assert up.returncode == 0, up.stderr
    (server,) = json.loads(up.stdout)
    assert is_alive(server["pid"])

    variables = json.loads(penstock("dev", "env", "--dir", folder, "--json").stdout)
    with psycopg.connect(variables["PENSTOCK_POSTGRES_DSN"]) as connection:
        assert connection.info.port == server["port"]

    exported = penstock("dev", "env", "--dir", folder).stdout
    script = exported + 'printf %s "$PENSTOCK_POSTGRES_DSN"'
    taken_in = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True)
    assert taken_in.stdout == variables["PENSTOCK_POSTGRES_DSN"]


def test_only_env_shows_the_password(folder: Path, penstock: Penstock) -> None:
    up = penstock("dev", "up", "postgres", "--dir", folder)
    password = (folder / "postgres" / "password").read_text()
    said = up.stdout + up.stderr
    for command in ("status", "up postgres"):
        for json_too in ([], ["--json"]):
            ran = penstock("dev", *command.split(), "--dir", folder, *json_too)
            said += ran.stdout + ran.stderr
    assert "127.0.0.1" in said
    assert password not in said
    assert password in penstock("dev", "env", "--dir", folder).stdout
    assert (folder / "state.json").stat().st_mode & 0o077 == 0


def test_down_stops_all_and_up_goes_on_with_data_and_port(folder: Path, penstock: Penstock) -> None:
    first = json.loads(penstock("dev", "up", "postgres", "--dir", folder, "--json").stdout)
    dsn = json.loads(penstock("dev", "env", "--dir", folder, "--json").stdout)
    with psycopg.connect(dsn["PENSTOCK_POSTGRES_DSN"], autocommit=True) as connection:
        connection.execute("CREATE TABLE kept ()")

    down = penstock("dev", "down", "--dir", folder)
    assert "stopped postgres" in down.stderr
    assert all_gone([first[0]["pid"]])

    again = json.loads(penstock("dev", "up", "postgres", "--dir", folder, "--json").stdout)
    assert again[0]["port"] == first[0]["port"]
    with psycopg.connect(dsn["PENSTOCK_POSTGRES_DSN"]) as connection:
        connection.execute("TABLE kept")


def test_up_twice_is_the_same_and_other_servers_are_refused(
    folder: Path, penstock: Penstock
) -> None:
    first = penstock("dev", "up", "postgres", "--dir", folder, "--json")
    assert penstock("dev", "up", "postgres", "--dir", folder, "--json").stdout == first.stdout
    other = penstock("dev", "up", "postgres16", "--dir", folder)
    assert other.returncode == 9
    assert "PEN-908" in other.stderr


def test_two_ups_at_once_make_one_set(folder: Path, penstock: Penstock) -> None:
    command = [sys.executable, "-m", "penstock.cli.main", "dev", "up", "postgres"]
    both = [
        subprocess.Popen(
            [*command, "--dir", str(folder)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        for _ in range(2)
    ]
    said = [process.communicate(timeout=60)[1].decode() for process in both]
    codes = sorted(process.returncode for process in both)
    assert codes in ([0, 0], [0, 9])
    assert codes == [0, 0] or any("PEN-908" in text for text in said)
    assert len(json.loads(penstock("dev", "status", "--dir", folder, "--json").stdout)) == 1


def test_a_killed_supervisor_takes_its_servers_along(folder: Path, penstock: Penstock) -> None:
    (server,) = json.loads(penstock("dev", "up", "postgres", "--dir", folder, "--json").stdout)
    os.kill(supervisor_of(folder), signal.SIGKILL)
    assert all_gone([server["pid"]])
    assert json.loads(penstock("dev", "status", "--dir", folder, "--json").stdout) == []


def test_a_server_that_dies_later_is_told_by_status(folder: Path, penstock: Penstock) -> None:
    (server,) = json.loads(penstock("dev", "up", "postgres", "--dir", folder, "--json").stdout)
    supervisor = supervisor_of(folder)
    os.kill(server["pid"], signal.SIGKILL)
    assert eventually(lambda: not is_alive(supervisor))
    status = penstock("dev", "status", "--dir", folder)
    assert "postgres ended by itself" in status.stderr
    assert status.stdout == ""


def test_a_server_that_cannot_start_is_an_error_and_leaves_nothing(
    folder: Path, penstock: Penstock
) -> None:
    data = folder / "postgres" / "data"
    data.mkdir(parents=True)
    (data / "PG_VERSION").write_text("9.6\n")
    up = penstock("dev", "up", "postgres", "--dir", folder)
    assert up.returncode == 9
    assert "PEN-904" in up.stderr
    assert "Traceback" not in up.stderr
    assert json.loads(penstock("dev", "status", "--dir", folder, "--json").stdout) == []


def test_env_without_servers_says_how_to_get_them(folder: Path, penstock: Penstock) -> None:
    env = penstock("dev", "env", "--dir", folder)
    assert env.returncode == 9
    assert env.stdout == ""
    assert "penstock dev up" in env.stderr


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["kafkaa"], "PEN-002"),
        (["postgres", "--port", "postgres=0"], "PEN-003"),
        (["postgres", "--port", "kafka=9092"], "PEN-003"),
        (["postgres", "--port", "postgres"], "PEN-003"),
    ],
)
def test_wrong_words_are_refused(
    arguments: list[str], code: str, folder: Path, penstock: Penstock
) -> None:
    up = penstock("dev", "up", *arguments, "--dir", folder)
    assert up.returncode == 2
    assert code in up.stderr


def test_a_folder_that_is_a_file_is_refused(penstock: Penstock, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    up = penstock("dev", "up", "postgres", "--dir", file)
    assert up.returncode == 9
    assert "PEN-913" in up.stderr
    status = penstock("dev", "status", "--dir", file)
    assert status.returncode == 0
    assert "no servers run" in status.stderr


def test_a_folder_of_the_users_own_keeps_its_mode(folder: Path, penstock: Penstock) -> None:
    mine = folder / "mine"
    mine.mkdir(mode=0o711)
    up = penstock("dev", "up", "postgres", "--dir", mine)
    assert penstock("dev", "down", "--dir", mine).returncode == 0
    assert up.returncode == 0, up.stderr
    assert mine.stat().st_mode & 0o777 == 0o711


def test_notes_that_cannot_be_read_are_no_notes(folder: Path, penstock: Penstock) -> None:
    for content in ("", "[]", '{"pid": 1}', '{"pid": 1, "servers": [{"nome": 2}]}'):
        (folder / "state.json").write_text(content)
        (folder / "ports.json").write_text(content)
        assert json.loads(penstock("dev", "status", "--dir", folder, "--json").stdout) == []
    assert penstock("dev", "up", "postgres", "--dir", folder).returncode == 0


def test_a_start_that_is_interrupted_leaves_nothing(folder: Path, penstock: Penstock) -> None:
    command = [sys.executable, "-m", "penstock.cli.main", "dev", "up", "opensearch"]
    starting = subprocess.Popen([*command, "--dir", str(folder)], stderr=subprocess.PIPE)
    try:
        assert eventually(lambda: (folder / "opensearch" / "server.log").exists())
        assert "starting" in penstock("dev", "status", "--dir", folder).stderr
        supervisor = supervisor_of(folder)
        down = penstock("dev", "down", "--dir", folder)
        assert down.returncode == 0
        assert not is_alive(supervisor)
    finally:
        said = starting.communicate(timeout=60)[1].decode()
    assert starting.returncode == 9
    assert "PEN-914" in said


def test_one_failure_ends_the_start_of_the_others_at_once(folder: Path, penstock: Penstock) -> None:
    data = folder / "postgres" / "data"
    data.mkdir(parents=True)
    (data / "PG_VERSION").write_text("9.6\n")
    up = penstock("dev", "up", "postgres", "opensearch", "--dir", folder)
    assert up.returncode == 9
    assert "PEN-904" in up.stderr
    assert "opensearch is up" not in up.stderr


def test_a_folder_with_our_packages_names_does_not_disturb(
    folder: Path, penstock: Penstock, tmp_path: Path
) -> None:
    # Where a person happens to stand is not where Python should look.
    (tmp_path / "capture.py").write_text("raise SystemExit('a stranger')")
    beside = Path(sys.executable).with_name("penstock")
    up = subprocess.run(
        [str(beside), "dev", "up", "postgres", "--dir", str(folder)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert up.returncode == 0, up.stderr


def test_a_closed_umask_closes_nothing_that_servers_need(folder: Path, penstock: Penstock) -> None:
    before = os.umask(0o077)
    try:
        deep = folder / "not" / "there yet"
        up = penstock("dev", "up", "postgres", "--dir", deep)
    finally:
        os.umask(before)
    assert penstock("dev", "down", "--dir", deep).returncode == 0
    assert up.returncode == 0, up.stderr


def test_a_killed_start_leaves_nothing(folder: Path) -> None:
    command = [sys.executable, "-m", "penstock.cli.main", "dev", "up", "postgres", "kafka"]
    starting = subprocess.Popen([*command, "--dir", str(folder)], stderr=subprocess.DEVNULL)
    assert eventually((folder / "kafka" / "server.log").exists)
    supervisor = supervisor_of(folder)
    starting.kill()
    starting.wait()
    assert all_gone([supervisor])
