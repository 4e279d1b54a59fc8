"""What the role may do: replicate, see schemas, read tables."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from capture.facts import Role
from capture.preflight.inspection import inspect
from capture.preflight.role import check_role
from diagnosis.findings import Severity
from diagnosis.secrets import Secret
from tests.capture.lab import Lab, codes, only, opened
from tests.fixtures.servers import Database

ODD_ROLE = 'Rôle "; DROP TABLE x; -- %s {0}'


@pytest.fixture
def odd(database: Database) -> Iterator[Lab]:
    """A role with an awkward name and no right but to log in."""
    yield from opened(database, attributes="LOGIN", name=ODD_ROLE)


def test_a_role_without_any_right_is_told_each_one_with_its_statement(odd: Lab) -> None:
    odd.run("CREATE SCHEMA s", "CREATE TABLE s.t (id int PRIMARY KEY)")
    odd.run("CREATE PUBLICATION pub FOR TABLE s.t")
    findings = odd.inspect("s.t")
    assert codes(findings, Severity.ERROR) == {"PEN-230", "PEN-233", "PEN-234"}
    quoted = '"' + ODD_ROLE.replace('"', '""') + '"'
    assert only(findings, "PEN-230").sql == (f"ALTER ROLE {quoted} REPLICATION",)
    assert only(findings, "PEN-233").sql == (f'GRANT USAGE ON SCHEMA "s" TO {quoted}',)
    assert only(findings, "PEN-234").sql == (f'GRANT SELECT ON TABLE "s"."t" TO {quoted}',)
    assert "SELECT" in only(findings, "PEN-234").fact
    odd.mend(findings)
    after = odd.inspect("s.t")
    assert codes(after) == set()
    assert "works" in {f.fact for f in after if f.subject == "replication connection"}


def test_reading_every_published_column_is_enough(either: Lab) -> None:
    either.run(
        "CREATE TABLE public.t (id int PRIMARY KEY, a int, secret int)",
        "CREATE PUBLICATION pub FOR TABLE public.t (id, a)",
        f"GRANT SELECT (id) ON public.t TO {either.role}",
    )
    finding = only(either.inspect("public.t"), "PEN-234")
    assert finding.fact.endswith("column a")
    either.mend([finding])
    assert codes(either.inspect("public.t")) == {"PEN-256"}
    ((may,),) = either.admin.execute(
        "SELECT has_column_privilege(%s, 'public.t', 'secret', 'SELECT')", [either.role]
    )
    assert not may


def test_a_superuser_hears_that_less_is_enough(lab: Lab) -> None:
    lab.run("CREATE TABLE public.t (id int PRIMARY KEY)")
    source = replace(lab.of("public.t"), dsn=Secret(lab.dsn))
    findings = inspect(source)
    assert codes(findings) == {"PEN-231", "PEN-251"}
    assert only(findings, "PEN-231").severity is Severity.NOTE


def test_where_a_provider_lends_the_right_its_role_is_granted() -> None:
    role = Role(
        "cdc",
        superuser=False,
        replication=False,
        lender="rds_replication",
        borrows=False,
        may_create_publications=False,
    )
    assert check_role(role).sql == ('GRANT "rds_replication" TO "cdc"',)
    assert check_role(replace(role, borrows=True)).severity is Severity.OK


def test_a_right_on_paper_is_tried_for_real(database: Database) -> None:
    """The lender of a provider means nothing on a plain server, which says so."""
    for lab in opened(database, attributes="LOGIN"):
        lab.run("CREATE TABLE public.t (id int PRIMARY KEY)", "CREATE ROLE rds_replication")
        try:
            lab.grant("public.t")
            lab.mend([only(lab.inspect("public.t"), "PEN-230")])
            finding = only(lab.inspect("public.t"), "PEN-232")
        finally:
            lab.run("DROP ROLE rds_replication")
    assert finding.severity is Severity.ERROR
    assert finding.subject == "replication connection"
    assert "WAL sender" in finding.fact
