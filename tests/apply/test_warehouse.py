import sqlite3
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from apply import warehouse as warehouse_module
from apply import warehouse_source, warehouse_trial
from apply.warehouse import CODES, Warehouse, inspect
from diagnosis.findings import Finding, Severity
from diagnosis.secrets import Secret
from tests.apply.warehouses import url_of
from tests.fixtures.servers import Database
from tests.schema_registry.codes import spoken_of
from tests.transport.listeners import closed_port


def codes(findings: list[Finding], least: Severity = Severity.NOTE) -> list[str]:
    return [finding.code for finding in findings if finding.severity >= least]


def look(url: str, schema: str | None = None) -> list[Finding]:
    return inspect(Warehouse("copy", Secret(url), schema))


def relations(database: Database) -> list[tuple[str, ...]]:
    with psycopg.connect(database.dsn) as connection:
        return connection.execute(
            "SELECT nspname, relname FROM pg_namespace LEFT JOIN pg_class ON relnamespace = "
            "pg_namespace.oid WHERE nspname !~ '^(pg_|information_schema)' ORDER BY 1, 2"
        ).fetchall()


def test_a_fit_postgres_passes_and_keeps_no_trace(database: Database) -> None:
    before = relations(database)
    findings = inspect(Warehouse("copy", url_of(database.dsn)))
    assert codes(findings) == []
    assert "may create and write tables in public" in findings[1].fact
    assert relations(database) == before


@pytest.mark.parametrize("schema", ["new_schema", 'we"ird Näme; DROP TABLE x'])
def test_a_schema_that_is_missing_could_be_made_and_is_not(database: Database, schema: str) -> None:
    before = relations(database)
    assert codes(inspect(Warehouse("copy", url_of(database.dsn), schema))) == []
    assert relations(database) == before


def test_a_role_that_may_not_create_is_told_the_grant(database: Database, plain_role: str) -> None:
    url = url_of(database.dsn, user=plain_role, password=plain_role)
    findings = inspect(Warehouse("copy", url))
    assert codes(findings) == ["PEN-517"]
    assert findings[-1].fix == f'GRANT USAGE, CREATE ON SCHEMA "public" TO "{plain_role}"'
    assert findings[-1].sql == ()


def test_a_role_that_may_not_make_the_schema_is_told_the_grant(
    database: Database, plain_role: str
) -> None:
    url = url_of(database.dsn, user=plain_role, password=plain_role)
    findings = inspect(Warehouse("copy", url, "lake"))
    assert codes(findings) == ["PEN-517"]
    assert findings[-1].fact.startswith("creating schema lake fails: permission denied")
    assert findings[-1].fix == f'GRANT CREATE ON DATABASE "{database.name}" TO "{plain_role}"'


@pytest.mark.parametrize("schema", [None, "lake"])
def test_the_grant_that_is_named_is_enough(
    database: Database, plain_role: str, schema: str | None
) -> None:
    url = url_of(database.dsn, user=plain_role, password=plain_role)
    warehouse = Warehouse("copy", url, schema)
    grant = inspect(warehouse)[-1].fix
    assert grant is not None
    with psycopg.connect(database.dsn, autocommit=True) as connection:
        connection.execute(grant.encode())
    assert codes(inspect(warehouse)) == []


def test_a_read_only_database_is_told_as_such(database: Database) -> None:
    with psycopg.connect(database.dsn, autocommit=True) as connection:
        connection.execute(
            sql.SQL("ALTER DATABASE {} SET default_transaction_read_only = on").format(
                sql.Identifier(database.name)
            )
        )
    findings = inspect(Warehouse("copy", url_of(database.dsn)))
    assert codes(findings) == ["PEN-517"]
    assert "primary" in (findings[-1].fix or "")


def test_a_missing_database_is_named(database: Database) -> None:
    findings = inspect(Warehouse("copy", url_of(database.dsn, dbname="no_such_database")))
    assert codes(findings) == ["PEN-516"]
    assert "'no_such_database'" in findings[0].fact


def test_a_wrong_password_is_told_and_not_shown(database: Database, plain_role: str) -> None:
    url = url_of(database.dsn, user=plain_role, password="guessed-wrong")
    findings = inspect(Warehouse("copy", url))
    assert codes(findings) == ["PEN-515"]
    assert "guessed-wrong" not in repr(findings)


def test_a_closed_port_is_told_without_the_password() -> None:
    findings = look(f"postgresql://app:open-sesame@{closed_port()}/copy")
    assert codes(findings) == ["PEN-514"]
    assert "refused" in findings[0].fact
    assert "open-sesame" not in repr(findings)


@pytest.mark.parametrize(
    "url",
    ["", "nonsense", "postgresql://app:open-sesame@host:port/db", "://app:open-sesame@host"],
)
def test_a_malformed_url_is_told_without_quoting_it(url: str) -> None:
    findings = look(url)
    assert codes(findings) == ["PEN-511"]
    assert "open-sesame" not in repr(findings)


@pytest.mark.parametrize("dialect", ["mssql", "oracle", "snowflake", "nosuch"])
def test_a_database_without_a_known_upsert_is_refused(dialect: str) -> None:
    findings = look(f"{dialect}://app:open-sesame@host/db")
    assert codes(findings) == ["PEN-513"]
    assert dialect in findings[0].fact


@pytest.mark.parametrize(
    ("url", "package"),
    [
        ("postgresql+psycopg2://host/db", "psycopg2-binary"),
        ("mysql://host/db", "mysqlclient"),
        ("mariadb+pymysql://host/db", "PyMySQL"),
    ],
)
def test_a_missing_driver_is_named_with_its_package(url: str, package: str) -> None:
    (finding,) = look(url)
    assert finding.code == "PEN-512"
    assert finding.fix == f"pip install {package}"


@pytest.mark.parametrize("url", ["postgresql+nosuch://host/db", "sqlite+aiosqlite:///copy.db"])
def test_a_driver_that_does_not_fit_is_told(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "copy.db").touch()
    assert codes(look(url)) == ["PEN-512"]


def test_a_sqlite_file_that_is_missing_could_be_made_and_is_not(tmp_path: Path) -> None:
    findings = look(f"sqlite:///{tmp_path}/copy.db")
    assert codes(findings) == []
    assert "can be made" in findings[0].fact
    assert list(tmp_path.iterdir()) == []


def test_a_sqlite_file_is_tried_and_left_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "copy.db"
    connection = sqlite3.connect(path)
    connection.executescript("CREATE TABLE orders (id INTEGER); INSERT INTO orders VALUES (1)")
    connection.close()
    before = path.read_bytes()
    findings = look(f"sqlite:///{path}")
    assert codes(findings) == []
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_an_empty_sqlite_file_stays_empty(tmp_path: Path) -> None:
    path = tmp_path / "copy.db"
    path.touch()
    assert codes(look(f"sqlite:///{path}")) == []
    assert path.read_bytes() == b""


def test_a_file_that_is_no_database_is_told(tmp_path: Path) -> None:
    path = tmp_path / "copy.db"
    path.write_bytes(b"this is something else" * 100)
    findings = look(f"sqlite:///{path}")
    assert codes(findings) == ["PEN-517"]
    assert "not a database" in findings[0].fact


def test_a_sqlite_file_that_somebody_holds_is_told(tmp_path: Path) -> None:
    path = tmp_path / "copy.db"
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    try:
        findings = look(f"sqlite:///{path}")
    finally:
        holder.close()
    assert codes(findings) == ["PEN-517"]
    assert "locked" in findings[0].fact


def test_a_sqlite_file_in_a_missing_folder_is_told(tmp_path: Path) -> None:
    findings = look(f"sqlite:///{tmp_path}/missing/copy.db")
    assert codes(findings) == ["PEN-517"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:", "sqlite:///file::memory:"])
def test_a_database_in_memory_is_refused(url: str) -> None:
    assert codes(look(url)) == ["PEN-513"]


def test_sqlite_has_no_schemas(tmp_path: Path) -> None:
    assert codes(look(f"sqlite:///{tmp_path}/copy.db", "lake")) == ["PEN-513"]


def test_every_code_has_a_title_and_a_use() -> None:
    mentions = spoken_of(warehouse_module, warehouse_source, warehouse_trial)
    assert set(mentions) == set(CODES)
    assert min(mentions.values()) > 1
