"""Our slot: absent, ours, somebody else's, or behind."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace

import psycopg
import pytest

from capture.catalog import read_slots
from capture.preflight.slot import foreign_to
from capture.source import Source, connect
from diagnosis.findings import Severity
from tests.capture.lab import Lab, codes, only


@pytest.fixture
def ready(either: Lab) -> Lab:
    either.run("CREATE TABLE public.t (id int PRIMARY KEY)")
    either.grant("public.t")
    return either


def make_slot(connection: psycopg.Connection, source: Source, *, temporary: bool = False) -> None:
    query = "SELECT pg_create_logical_replication_slot(%s, 'pgoutput', %s)"
    connection.execute(query, [source.slot, temporary])


@contextmanager
def reading(source: Source, application_name: str) -> Iterator[int]:
    """Read from the slot as a daemon would."""
    connection = psycopg.connect(
        source.dsn.reveal(),
        replication="database",
        application_name=application_name,
        autocommit=True,
    )
    with closing(connection):  # its own way out would send a COMMIT into the stream
        connection.pgconn.exec_(
            f"START_REPLICATION SLOT {source.slot} LOGICAL 0/0 "
            "(proto_version '1', publication_names 'pub')".encode()
        )
        yield connection.info.backend_pid


def test_an_absent_or_idle_slot_is_fine(ready: Lab) -> None:
    assert codes(ready.inspect("public.t")) == set()
    make_slot(ready.admin, ready.source)
    assert codes(ready.inspect("public.t")) == set()


def test_a_physical_slot_is_refused(ready: Lab) -> None:
    slot = ready.source.slot
    ready.admin.execute("SELECT pg_create_physical_replication_slot(%s)", [slot])
    try:
        finding = only(ready.inspect("public.t"), "PEN-270")
    finally:
        ready.admin.execute("SELECT pg_drop_replication_slot(%s)", [slot])
    assert (finding.severity, finding.sql) == (Severity.ERROR, ())
    assert "physical" in finding.fact


def test_a_slot_of_another_database_is_refused(ready: Lab) -> None:
    with psycopg.connect(ready.dsn, dbname="postgres", autocommit=True) as elsewhere:
        make_slot(elsewhere, ready.source)
        try:
            finding = only(ready.inspect("public.t"), "PEN-270")
        finally:
            elsewhere.execute("SELECT pg_drop_replication_slot(%s)", [ready.source.slot])
    assert "belongs to database postgres" in finding.fact


def test_a_temporary_slot_and_one_of_another_plugin_are_refused(ready: Lab) -> None:
    make_slot(ready.admin, ready.source, temporary=True)
    assert "temporary" in only(ready.inspect("public.t"), "PEN-270").fact
    with connect(ready.source) as connection:
        (slot,) = [s for s in read_slots(connection) if s.name == ready.source.slot]
    lasting = replace(slot, temporary=False)
    assert foreign_to(str(slot.database), lasting) is None
    other = foreign_to(str(slot.database), replace(lasting, plugin="wal2json"))
    assert other == "decodes by wal2json, not by pgoutput"


def test_a_slot_that_somebody_else_reads_names_the_reader(ready: Lab) -> None:
    make_slot(ready.admin, ready.source)
    with reading(ready.source, "somebody's reader") as pid:
        finding = only(ready.inspect("public.t"), "PEN-271")
        assert str(pid) in finding.fact
        assert "somebody's reader" in finding.fact
    with reading(ready.source, "penstock shop"):
        assert codes(ready.inspect("public.t")) == set()
        other = ready.inspect("public.t", connector="other")
        assert "penstock shop" in only(other, "PEN-271").fact


def test_our_daemon_is_known_by_a_long_or_foreign_name_too(lab: Lab) -> None:
    lab.run("CREATE TABLE public.t (id int PRIMARY KEY)")
    lab.grant("public.t")
    for connector in ("größe", "x" * 80, "ä" * 40):
        source = lab.of("public.t", connector=connector)
        with connect(source) as connection:
            shown = connection.execute(
                "SELECT application_name FROM pg_stat_activity WHERE pid = pg_backend_pid()"
            ).fetchall()
        assert shown == [(source.application_name,)]


def test_log_that_is_held_back_is_compared_with_the_budget(ready: Lab) -> None:
    make_slot(ready.admin, ready.source)
    ready.run("INSERT INTO public.t SELECT generate_series(1, 20000)")
    with connect(ready.source) as connection:
        (slot,) = [s for s in read_slots(connection) if s.name == ready.source.slot]
    held = slot.retained
    assert held is not None
    assert held > 1_000_000
    # Other tests write to the same log, so that it may only have grown.
    for budget, code, severity in (
        (held, "PEN-283", Severity.ERROR),
        (held * 2, "PEN-282", Severity.WARNING),
    ):
        finding = only(ready.inspect("public.t", wal_budget=budget), code)
        assert finding.severity is severity
    assert codes(ready.inspect("public.t", wal_budget=held * 20)) == set()
    others = ready.inspect("public.t", wal_budget=held, slot="another")
    assert ready.source.slot in only(others, "PEN-285").subject
    assert only(others, "PEN-285").sql == ()


@pytest.mark.parametrize("slot", ["Shop", "a-b", "", "x" * 64, "a\0b", "ä", "a\n"])
def test_an_impossible_slot_name_is_refused_before_anything_is_asked(lab: Lab, slot: str) -> None:
    findings = lab.inspect("public.t", slot=slot)
    assert [f.code for f in findings] == ["PEN-273"]


@pytest.mark.parametrize("name", ["", "a\0b", "ä" * 32])
def test_an_impossible_publication_name_is_refused(lab: Lab, name: str) -> None:
    assert [f.code for f in lab.inspect("public.t", publication=name)] == ["PEN-273"]
