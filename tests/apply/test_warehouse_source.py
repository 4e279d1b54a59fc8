import pytest

from apply.warehouse import Warehouse
from apply.warehouse_source import inspect_target, same_database
from diagnosis.findings import Severity
from diagnosis.secrets import Secret
from schema_registry.table_name import TableName
from tests.apply.warehouses import url_of
from tests.fixtures.servers import Database, Postgres
from tests.transport.listeners import closed_port

TABLES = [TableName("public", "orders"), TableName("shop", "customers")]


def verdicts(database: Database, schema: str | None, prefix: str | None) -> list[Severity]:
    warehouse = Warehouse("copy", url_of(database.dsn), schema, prefix)
    return [finding.severity for finding in inspect_target(warehouse, Secret(database.dsn), TABLES)]


def test_the_source_is_known_again_by_another_name_and_role(
    database: Database, plain_role: str
) -> None:
    url = url_of(database.dsn, host="localhost", user=plain_role, password=plain_role)
    assert same_database(Warehouse("copy", url), Secret(database.dsn))


def test_another_database_of_the_same_server_is_another_one(
    postgres: Postgres, database: Database
) -> None:
    warehouse = Warehouse("copy", url_of(postgres.dsn()))
    assert not same_database(warehouse, Secret(database.dsn))
    assert inspect_target(warehouse, Secret(database.dsn), TABLES) == []


def test_a_database_of_the_same_name_on_another_server_is_another_one(
    postgres: Postgres, postgres16: Postgres
) -> None:
    warehouse = Warehouse("copy", url_of(postgres16.dsn()))
    assert not same_database(warehouse, Secret(postgres.dsn()))


def test_a_warehouse_that_is_no_postgres_is_another_one(database: Database) -> None:
    warehouse = Warehouse("copy", Secret("sqlite:///copy.db"))
    assert not same_database(warehouse, Secret(database.dsn))


def test_a_server_that_does_not_answer_is_left_to_the_other_checks(database: Database) -> None:
    dead = f"postgresql://app:x@{closed_port()}/db"
    assert not same_database(Warehouse("copy", Secret(dead)), Secret(database.dsn))
    assert not same_database(Warehouse("copy", url_of(database.dsn)), Secret(dead))
    assert not same_database(Warehouse("copy", Secret("nonsense")), Secret(database.dsn))


@pytest.mark.parametrize("schema", [None, "public", "shop"])
def test_a_copy_over_the_captured_tables_is_an_error(
    database: Database, schema: str | None
) -> None:
    assert verdicts(database, schema, None) == [Severity.ERROR]


@pytest.mark.parametrize(("schema", "prefix"), [("copies", None), (None, "copy_"), ("shop", "c_")])
def test_a_copy_beside_the_captured_tables_is_a_warning(
    database: Database, schema: str | None, prefix: str | None
) -> None:
    assert verdicts(database, schema, prefix) == [Severity.WARNING]


def test_only_the_tables_that_would_be_overwritten_are_named(database: Database) -> None:
    warehouse = Warehouse("copy", url_of(database.dsn), "shop")
    (finding,) = inspect_target(warehouse, Secret(database.dsn), TABLES)
    assert "shop.customers" in finding.fact
    assert "public.orders" not in finding.fact
