"""The life of an embedded server: it starts, serves, stops, and never outlives its parent."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import psycopg
import pytest

from penstock.embedded.accounts import server_account
from penstock.embedded.errors import (
    FolderNotReachable,
    FolderNotUsable,
    NoAccount,
    PortTaken,
    ServerDied,
)
from penstock.embedded.group import Group
from penstock.embedded.places import scratch_folder
from penstock.embedded.ports import LOOPBACK, free_port
from penstock.embedded.postgres import VERSIONS, PostgresServer, Version
from tests.fixtures.servers import QUICK
from tests.penstock.embedded.processes import all_gone, eventually, is_alive

PARENT = """
import json, sys, time
from pathlib import Path
from penstock.embedded.group import Group

with Group(Path(sys.argv[1]), {"postgres": None, "kafka": None}) as group:
    servers = group.servers.values()
    pids = [pid for server in servers for pid in (server.pid, server._kept.keeper.pid)]
    print(json.dumps(pids), flush=True)
    time.sleep(600)
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    with scratch_folder("test") as made:
        yield made


def quick_postgres(folder: Path, **more: str) -> PostgresServer:
    return PostgresServer(folder / "postgres", settings={**QUICK, **more})


@pytest.mark.parametrize("version", VERSIONS)
def test_each_version_serves_as_a_source(version: Version, folder: Path) -> None:
    with (
        PostgresServer(folder, version, settings=QUICK) as server,
        psycopg.connect(server.dsn()) as connection,
    ):
        assert connection.info.server_version // 10000 == version
        row = connection.execute("SHOW wal_level").fetchone()
        assert row == ("logical",)


def test_it_refuses_a_wrong_password(folder: Path) -> None:
    with quick_postgres(folder) as server, pytest.raises(psycopg.OperationalError):
        psycopg.connect(server.dsn(), password="wrong")


def test_data_survives_a_stop_and_a_kill(folder: Path) -> None:
    server = quick_postgres(folder)
    with server, psycopg.connect(server.dsn(), autocommit=True) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 1 AS n")
    with server:
        server.kill()
        assert not server.running()
    with server, psycopg.connect(server.dsn()) as connection:
        assert connection.execute("SELECT n FROM kept").fetchone() == (1,)


def test_nothing_survives_a_kill_of_the_parent(folder: Path) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(folder)], stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    with parent.stdout as said:
        pids = json.loads(said.readline())
    assert all(is_alive(pid) for pid in pids)

    parent.send_signal(signal.SIGKILL)
    parent.wait()

    assert all_gone(pids)


def test_nothing_survives_a_kill_of_its_keeper(folder: Path) -> None:
    with quick_postgres(folder) as server:
        assert server.pid is not None
        assert server._kept is not None
        os.kill(server._kept.keeper.pid, signal.SIGKILL)
        assert all_gone([server.pid])


def test_a_server_outlives_the_thread_that_started_it(folder: Path) -> None:
    server = quick_postgres(folder)
    thread = Thread(target=server.start)
    thread.start()
    thread.join()
    try:
        # A death signal tied to the thread would have come by now.
        assert not eventually(lambda: not server.running(), seconds=0.5)
        assert server.answers()
    finally:
        server.stop()


def test_a_server_that_dies_says_why(folder: Path) -> None:
    with pytest.raises(ServerDied) as died:
        quick_postgres(folder, shared_buffers="nonsense").start()
    assert "shared_buffers" in str(died.value.cause)
    assert str(died.value.log) in str(died.value.fix)


def test_a_port_that_was_asked_for_is_taken_or_refused(folder: Path) -> None:
    port = free_port()
    with PostgresServer(folder / "a", port=port, settings=QUICK) as server:
        assert server.port == port
        with pytest.raises(PortTaken, match=str(port)):
            PostgresServer(folder / "b", port=port, settings=QUICK).start()


def test_a_port_lost_to_another_process_is_replaced(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server((LOOPBACK, 0)) as other:
        answers = iter([other.getsockname()[1], free_port()])
        monkeypatch.setattr("penstock.embedded.server.free_port", lambda: next(answers))
        with quick_postgres(folder) as server:
            assert server.port != other.getsockname()[1]


def test_a_folder_that_the_server_cannot_enter_is_named(folder: Path) -> None:
    # What root's home is to the user that servers run as; a plain user can lock
    # itself out only by taking its own rights away.
    closed = folder / "closed"
    closed.mkdir(mode=0o700 if os.geteuid() == 0 else 0o000)
    try:
        with pytest.raises((FolderNotReachable, FolderNotUsable)) as refused:
            quick_postgres(closed).start()
        assert "closed" in str(refused.value)
    finally:
        closed.chmod(0o700)


def test_root_drops_to_a_plain_user_and_nobody_else_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("SUDO_USER", raising=False)
    monkeypatch.delenv("PENSTOCK_SERVER_USER", raising=False)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert server_account() is None

    monkeypatch.setattr(os, "geteuid", lambda: 0)
    account = server_account()
    assert account is not None
    assert account.name == "nobody"

    for unfit in ("root", "no-such-user"):
        monkeypatch.setenv("PENSTOCK_SERVER_USER", unfit)
        with pytest.raises(NoAccount, match=unfit):
            server_account()


@pytest.mark.parametrize("name", ["größe", "a,b", "back\\slash", "with space", "[b](x)"])
def test_odd_folders_serve(name: str, folder: Path) -> None:
    with Group(folder / name, {"postgres": None, "kafka": None}) as group:
        assert group.dead() == []
    assert (folder / name / "kafka" / "data" / "meta.properties").exists()


def test_a_kill_while_the_cluster_is_made_does_no_harm(folder: Path) -> None:
    half = folder / "postgres" / "data.half"
    half.mkdir(parents=True)
    (half / "PG_VERSION").write_text("18\n")
    (folder / "postgres" / "password.half").touch()
    with quick_postgres(folder) as server:
        assert server.answers()


def test_a_crash_takes_busy_backends_along(folder: Path) -> None:
    server = quick_postgres(folder)
    with server:
        client = psycopg.connect(server.dsn(), autocommit=True)
        sleeper = Thread(target=sleep_until_cut_off, args=[client])
        sleeper.start()
        backend = client.info.backend_pid
        server.kill()
        sleeper.join()
        assert all_gone([backend])
    with server:
        assert server.answers()


def sleep_until_cut_off(client: psycopg.Connection) -> None:
    with pytest.raises(psycopg.OperationalError), client:
        client.execute("SELECT pg_sleep(60)")


def test_settings_of_the_shell_do_not_keep_us_out(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGSSLMODE", "require")
    with quick_postgres(folder) as server:
        assert server.answers()
