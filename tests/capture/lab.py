"""A database with a role of its own, in which a test sets things up rightly or wrongly."""

import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

from capture.preflight.inspection import inspect
from capture.source import Source
from diagnosis.findings import Finding, Severity
from diagnosis.secrets import Secret
from tests.fixtures.servers import Database

GIGABYTE = 1024**3


@dataclass(frozen=True)
class Lab:
    """The superuser's hands on a database, and the source as the role sees it."""

    admin: psycopg.Connection
    dsn: str
    source: Source
    role: str

    def run(self, *statements: str) -> None:
        for statement in statements:
            self.admin.execute(statement.encode())

    def grant(self, *tables: str) -> None:
        """Give the role all that it needs for these tables, and a publication of them."""
        role = sql.Identifier(self.role).as_string(self.admin)
        for table in tables:
            schema = table.partition(".")[0]
            self.run(
                f"GRANT USAGE ON SCHEMA {schema} TO {role}", f"GRANT SELECT ON {table} TO {role}"
            )
        members = ", ".join(tables)
        self.run(f"CREATE PUBLICATION pub FOR TABLE {members} WITH (publish_via_partition_root)")

    def of(self, *tables: str, **changes: object) -> Source:
        return replace(self.source, tables=tables, **changes)  # type: ignore[arg-type]  # by name

    def inspect(self, *tables: str, **changes: object) -> list[Finding]:
        return inspect(self.of(*tables, **changes))

    def mend(self, findings: Iterable[Finding]) -> None:
        for finding in findings:
            self.run(*finding.sql)

    def refuses(self, statement: str) -> bool:
        """Ask Postgres itself whether an application could still do this."""
        try:
            with self.admin.transaction(force_rollback=True):
                self.run(statement)
        except psycopg.errors.ObjectNotInPrerequisiteState:
            return True
        except psycopg.errors.InvalidColumnReference:
            return True
        return False


def codes(findings: Iterable[Finding], least: Severity = Severity.NOTE) -> set[str]:
    return {finding.code for finding in findings if finding.severity >= least}


def only(findings: Iterable[Finding], code: str) -> Finding:
    (finding,) = [finding for finding in findings if finding.code == code]
    return finding


def opened(
    database: Database, *, attributes: str = "LOGIN REPLICATION", name: str | None = None
) -> Iterator[Lab]:
    role = name or f"r_{uuid.uuid4().hex[:10]}"
    password = uuid.uuid4().hex
    with psycopg.connect(database.dsn, autocommit=True) as admin:
        admin.execute(
            sql.SQL("CREATE ROLE {} PASSWORD {} ").format(
                sql.Identifier(role), sql.Literal(password)
            )
            + sql.SQL(attributes)
        )
        dsn = make_conninfo(database.dsn, user=role, password=password)
        slot = f"s_{uuid.uuid4().hex[:10]}"
        source = Source("shop", Secret(dsn), (), slot, "pub", GIGABYTE)
        try:
            yield Lab(admin, database.dsn, source, role)
        finally:
            admin.execute(sql.SQL("DROP OWNED BY {0} CASCADE").format(sql.Identifier(role)))
            admin.execute(sql.SQL("DROP ROLE {0}").format(sql.Identifier(role)))


@pytest.fixture
def lab(database: Database) -> Iterator[Lab]:
    yield from opened(database)


@pytest.fixture
def lab16(database16: Database) -> Iterator[Lab]:
    yield from opened(database16)


@pytest.fixture(params=[18, 16])
def either(request: pytest.FixtureRequest) -> Lab:
    """The same on PostgreSQL 18 and 16."""
    chosen: Lab = request.getfixturevalue("lab" if request.param == 18 else "lab16")
    return chosen
