"""Settings of the server, each on a small server that has it wrong."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest

from capture.facts import Server
from capture.preflight.inspection import inspect
from capture.preflight.server import check_version
from capture.source import Source, connect
from diagnosis.findings import Finding, Severity
from diagnosis.secrets import Secret
from penstock.embedded.postgres import PostgresServer, Version
from tests.capture.lab import codes, only

BUDGET = 64 * 1024**2


def small_server(
    folder: Path, version: Version = 18, *, without: tuple[str, ...] = (), **settings: str
) -> PostgresServer:
    """A server that can be mended: what stands on its command line cannot."""
    server = PostgresServer(folder, version, settings={"fsync": "off", **settings})
    for name in without:
        del server.settings[name]
    return server


@contextmanager
def superuser(server: PostgresServer) -> Iterator[psycopg.Connection]:
    with psycopg.connect(server.dsn(), autocommit=True) as connection:
        yield connection


def prepare(server: PostgresServer) -> None:
    with superuser(server) as admin:
        admin.execute("CREATE TABLE public.t (id int PRIMARY KEY)")
        admin.execute("CREATE PUBLICATION pub FOR TABLE public.t")


def source_of(server: PostgresServer) -> Source:
    return Source("shop", Secret(server.dsn()), ("public.t",), "shop", "pub", BUDGET)


def mend(server: PostgresServer, findings: list[Finding]) -> None:
    with superuser(server) as admin:
        for finding in findings:
            for statement in finding.sql:
                admin.execute(statement.encode())


def settled(source: Source, without: str) -> set[str]:
    """Look until a reload has come through; it takes the server some milliseconds."""
    for _ in range(100):
        found = codes(inspect(source), Severity.WARNING)
        if without not in found:
            break
        time.sleep(0.05)
    return found


def test_settings_that_keep_us_out_are_mended_by_statements_and_a_restart(
    server_folder: Path,
) -> None:
    server = small_server(
        server_folder / "wrong",
        without=("wal_level", "max_wal_senders", "max_replication_slots", "max_slot_wal_keep_size"),
    )
    with server:
        prepare(server)
        with superuser(server) as admin:
            admin.execute("ALTER SYSTEM SET max_replication_slots = 1")
            admin.execute("ALTER SYSTEM SET max_wal_senders = 0")
            admin.execute("ALTER SYSTEM SET idle_replication_slot_timeout = '1h'")
        server.stop()
        server.start()
        with superuser(server) as admin:
            admin.execute("SELECT pg_create_physical_replication_slot('taken')")
        findings = inspect(source_of(server))
        expected = {"PEN-223", "PEN-224", "PEN-225", "PEN-280", "PEN-284"}
        assert codes(findings, Severity.WARNING) == expected
        assert only(findings, "PEN-280").severity is Severity.WARNING
        assert "replica" in only(findings, "PEN-223").fact
        mend(server, findings)
        # Before the restart the statements are done with and the restart is left to do.
        assert settled(source_of(server), "PEN-284") == {"PEN-223", "PEN-224", "PEN-225"}
        waiting = only(inspect(source_of(server)), "PEN-223")
        assert (waiting.sql, "restart" in (waiting.fix or "")) == ((), True)
        server.stop()
        server.start()
        assert codes(inspect(source_of(server)), Severity.WARNING) == set()


def test_what_stands_on_the_command_line_is_not_mended_by_a_statement(server_folder: Path) -> None:
    with small_server(
        server_folder / "fixed", 16, wal_level="replica", max_slot_wal_keep_size="48MB"
    ) as server:
        prepare(server)
        findings = inspect(source_of(server))
        assert codes(findings, Severity.WARNING) == {"PEN-223", "PEN-281"}
        for code in ("PEN-223", "PEN-281"):
            finding = only(findings, code)
            assert finding.sql == ()
            assert "command line" in (finding.fix or "")


def test_a_limit_below_the_budget_costs_the_slot_and_both_are_said(server_folder: Path) -> None:
    server = small_server(server_folder / "limited", without=("max_slot_wal_keep_size",))
    # No checkpoint but our own: the slot is first in danger, and then lost.
    server.settings |= {"max_wal_size": "4GB", "checkpoint_timeout": "1h"}
    with server, superuser(server) as admin:
        prepare(server)
        admin.execute("ALTER SYSTEM SET max_slot_wal_keep_size = '16MB'")
        admin.execute("SELECT pg_reload_conf()")
        admin.execute("SELECT pg_create_logical_replication_slot('shop', 'pgoutput')")
        source = source_of(server)
        seen: set[str] = set()
        for _ in range(6):
            admin.execute("SELECT pg_logical_emit_message(false, 'x', 'y'), pg_switch_wal()")
            seen |= codes(inspect(source), Severity.WARNING)
            if "PEN-272" in seen:
                break
        assert "PEN-281" in seen
        assert "PEN-272" in seen
        admin.execute("CHECKPOINT")
        findings = inspect(source)
        lost = only(findings, "PEN-203")
        assert lost.severity is Severity.ERROR
        assert "wal_removed" in lost.fact
        assert "pg_drop_replication_slot('shop')" in (lost.fix or "")
        assert lost.sql == ()
        mend(server, [only(findings, "PEN-281")])
        assert "PEN-281" not in settled(source, "PEN-281")


def test_a_standby_is_refused(server_folder: Path) -> None:
    server = small_server(server_folder / "standby", 16)
    with server:
        prepare(server)
        server.stop()
        signal = server.directory / "data" / "standby.signal"
        signal.touch()
        server.start()
        findings = inspect(source_of(server))
    assert codes(findings, Severity.ERROR) == {"PEN-222"}


def test_a_refusal_by_pg_hba_is_told_apart_from_a_wrong_password(server_folder: Path) -> None:
    with small_server(server_folder / "hba") as server:
        rules = server.directory / "data" / "pg_hba.conf"
        kept = rules.read_text()
        with superuser(server) as admin:
            admin.execute("CREATE ROLE outsider LOGIN PASSWORD 'x'")
            rules.write_text(f"host all outsider 127.0.0.1/32 reject\n{kept}")
            admin.execute("SELECT pg_reload_conf()")
            dsn = server.dsn().replace("user=postgres", "user=outsider")
            source = replace(source_of(server), dsn=Secret(dsn))
            for _ in range(100):
                (finding,) = inspect(source)
                if finding.code == "PEN-212":
                    break
                time.sleep(0.05)
    assert (finding.code, finding.severity) == ("PEN-212", Severity.ERROR)
    assert "outsider" in finding.fact


def test_a_database_that_does_not_know_its_encoding_is_warned_of(database_ascii: Source) -> None:
    assert "PEN-226" in codes(inspect(database_ascii), Severity.WARNING)
    with connect(database_ascii) as connection:
        connection.execute("SET default_transaction_read_only = off")
        connection.execute(
            r"""DO $$ BEGIN EXECUTE E'CREATE TABLE public."\xff" (id int)'; END $$"""
        )
    (finding,) = inspect(replace(database_ascii, tables=("public.*",)))
    assert finding.code == "PEN-209"
    assert "UTF-8" in finding.fact


@pytest.fixture
def database_ascii(server_folder: Path) -> Iterator[Source]:
    with small_server(server_folder / "ascii") as server:
        with superuser(server) as admin:
            admin.execute("CREATE DATABASE old ENCODING 'SQL_ASCII' TEMPLATE template0")
        yield Source("shop", Secret(server.dsn("old")), ("public.t",), "shop", "pub", BUDGET)


@pytest.mark.parametrize(
    ("version", "code", "severity"),
    [
        (140_011, "PEN-220", Severity.ERROR),
        (150_000, "PEN-221", Severity.NOTE),
        (160_004, "PEN-000", Severity.OK),
        (170_001, "PEN-221", Severity.NOTE),
        (180_004, "PEN-000", Severity.OK),
        (190_000, "PEN-221", Severity.NOTE),
    ],
)
def test_the_version_decides(version: int, code: str, severity: Severity) -> None:
    text = f"{version // 10_000}.{version % 10_000}"
    server = Server(version, text, False, "d", 0, {})
    finding = check_version(server)
    assert (finding.code, finding.severity) == (code, severity)
    assert text in finding.fact


def test_a_limit_that_would_cost_a_slot_comes_without_its_statement(server_folder: Path) -> None:
    server = small_server(server_folder / "unlimited", without=("max_slot_wal_keep_size",))
    with server, superuser(server) as admin:
        prepare(server)
        source = source_of(server)
        assert only(inspect(source), "PEN-280").sql
        admin.execute("SELECT pg_create_physical_replication_slot('standby', true)")
        for _ in range(5):
            admin.execute("SELECT pg_logical_emit_message(false, 'x', 'y'), pg_switch_wal()")
        finding = only(inspect(source), "PEN-280")
        assert finding.sql == ()
        assert "let slot standby catch up first" in (finding.fix or "")
