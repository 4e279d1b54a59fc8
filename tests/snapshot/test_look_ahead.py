"""Can the snapshot read every row, with as many workers as it wants?"""

from dataclasses import replace

from capture.catalog import read_role, read_server
from capture.preflight.inspection import inspect as inspect_capture
from capture.source import connect
from diagnosis.findings import Finding, Severity
from diagnosis.secrets import Secret
from snapshot.preflight import Connections, check_connections, inspect
from tests.capture.lab import Lab, codes, only


def look(lab: Lab, *tables: str, workers: int = 2) -> list[Finding]:
    return inspect(lab.of(*tables), workers)


def test_row_level_security_that_applies_to_us_is_an_error_with_its_statement(either: Lab) -> None:
    either.run(
        'CREATE TABLE public."T t" (id int PRIMARY KEY)',
        'ALTER TABLE public."T t" ENABLE ROW LEVEL SECURITY',
        f'CREATE POLICY all_rows ON public."T t" TO {either.role} USING (true)',
        "CREATE TABLE public.open (id int PRIMARY KEY)",
    )
    finding = only(look(either, "public.T t", "public.open"), "PEN-290")
    assert finding.severity is Severity.ERROR
    assert finding.subject == "table public.T t"
    assert finding.sql == (f'ALTER ROLE "{either.role}" BYPASSRLS',)
    either.mend([finding])
    assert codes(look(either, "public.T t", "public.open")) == set()


def test_an_owner_is_hidden_from_only_when_security_is_forced(lab: Lab) -> None:
    lab.run(
        "CREATE TABLE public.t (id int PRIMARY KEY)",
        f"ALTER TABLE public.t OWNER TO {lab.role}",
        "ALTER TABLE public.t ENABLE ROW LEVEL SECURITY",
    )
    assert codes(look(lab, "public.t")) == set()
    lab.run("ALTER TABLE public.t FORCE ROW LEVEL SECURITY")
    assert codes(look(lab, "public.t")) == {"PEN-290"}


def test_limits_of_role_and_database_are_raised_by_statements(either: Lab) -> None:
    ((database,),) = either.admin.execute("SELECT current_database()")
    either.run(
        "CREATE TABLE public.t (id int PRIMARY KEY)",
        f"ALTER ROLE {either.role} CONNECTION LIMIT 3",
        f"ALTER DATABASE {database} CONNECTION LIMIT 4",
    )
    findings = look(either, "public.t", workers=2)
    subjects = {finding.subject for finding in findings if finding.code == "PEN-291"}
    assert subjects == {f"role {either.role}", f"database {database}"}
    either.mend(findings)
    assert codes(look(either, "public.t", workers=2)) == set()
    assert codes(look(either, "public.t", workers=3)) == {"PEN-291"}


def test_more_workers_than_the_server_has_connections_are_refused(either: Lab) -> None:
    either.run("CREATE TABLE public.t (id int PRIMARY KEY)")
    finding = only(look(either, "public.t", workers=100), "PEN-291")
    assert (finding.severity, finding.subject) == (Severity.ERROR, "max_connections")
    assert "102" in finding.fact


def test_a_busy_moment_is_a_warning_and_a_superuser_may_use_what_is_reserved(lab: Lab) -> None:
    with connect(lab.source) as connection:
        server, role = read_server(connection), read_role(connection)
    free = Connections(0, 0, 0, -1, -1, uses_reserved=False)
    # 60 connections, of which 3 are for superusers.
    assert server.number("max_connections") == 60
    busy = list(check_connections(server, role, replace(free, on_server=54), workers=2))
    assert [f.severity for f in busy] == [Severity.WARNING]
    calm = list(check_connections(server, role, replace(free, on_server=53), workers=2))
    assert [f.severity for f in calm] == [Severity.OK]
    mighty = replace(role, superuser=True)
    super_busy = list(check_connections(server, mighty, replace(free, on_server=56), workers=2))
    assert [f.severity for f in super_busy] == [Severity.OK]


def test_the_size_of_what_will_be_read_is_told(lab: Lab) -> None:
    lab.run(
        "CREATE TABLE public.t (id int PRIMARY KEY) PARTITION BY RANGE (id)",
        "CREATE TABLE public.one PARTITION OF public.t DEFAULT",
        "INSERT INTO public.t SELECT generate_series(1, 12345)",
        "CREATE TABLE public.new (id int PRIMARY KEY)",
        "ANALYZE public.t",
    )
    (volume,) = [f for f in look(lab, "public.t", "public.new") if f.subject == "snapshot"]
    assert "2 tables" in volume.fact
    assert "about 12,345 rows" in volume.fact
    assert "1 never analyzed" in volume.fact
    ((size,),) = lab.admin.execute("SELECT pg_table_size('public.one') / 1024")
    assert f"{size} kB" in volume.fact


def test_a_source_that_is_down_is_one_finding_for_both_looks(lab: Lab) -> None:
    source = replace(lab.of("public.t"), dsn=Secret("host=127.0.0.1 port=1 user=u dbname=d"))
    assert inspect(source, 2) == inspect_capture(source)
    assert codes(inspect(source, 2)) == {"PEN-200"}
