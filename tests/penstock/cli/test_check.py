"""penstock check, as a person and as a script use it."""

import json
from pathlib import Path
from urllib.parse import urlencode

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from penstock.embedded.ports import free_port
from tests.fixtures.commands import Penstock
from tests.fixtures.servers import OpenSearch
from tests.fixtures.shops import PASSWORD, ConnectorFile, Shop

MISTAKES = {
    "PEN-230": "ALTER ROLE ROLE_ NOREPLICATION",
    "PEN-233": "REVOKE USAGE ON SCHEMA public FROM PUBLIC",
    "PEN-234": "REVOKE SELECT ON orders FROM ROLE_",
    "PEN-252": "CREATE TABLE late (id int PRIMARY KEY); GRANT SELECT ON late TO ROLE_",
    "PEN-260": "CREATE TABLE keyless (n int); GRANT SELECT ON keyless TO ROLE_",
    "PEN-261": "ALTER TABLE customers REPLICA IDENTITY NOTHING",
    "PEN-290": "ALTER TABLE orders ENABLE ROW LEVEL SECURITY",
}


def test_a_connector_that_is_fit_passes(
    shop: Shop, connector_file: ConnectorFile, penstock: Penstock, opensearch: OpenSearch
) -> None:
    file = connector_file(
        more="stores:\n"
        "  lake: {kind: iceberg, warehouse: ./lake}\n"
        "  copy: {kind: sql, url: 'sqlite:///copy.db'}\n"
        f"  search: {{kind: opensearch, url: '{opensearch.url}'}}\n"
    )
    checked = penstock("check", file, "--all", env={"SHOP_DSN": shop.dsn})
    assert checked.returncode == 0, checked.stdout + checked.stderr
    for looked_at in ("wal_level", "store lake", "store copy", "store search", "registry"):
        assert looked_at in checked.stdout
    assert sorted(entry.name for entry in file.parent.iterdir()) == ["shop.yaml"]


def test_every_mistake_is_named_and_mended_by_its_statements(
    shop: Shop, connector_file: ConnectorFile, penstock: Penstock
) -> None:
    shop.run(*MISTAKES.values())
    file = connector_file(tables="['public.*']")
    environment = {"SHOP_DSN": shop.dsn}

    checked = penstock("check", file, "--json", env=environment)
    assert checked.returncode == 4
    report = json.loads(checked.stdout)
    assert not report["ok"]
    errors = {one["code"] for one in report["findings"] if one["severity"] == "error"}
    assert errors == set(MISTAKES)

    table = penstock("check", file, env=environment)
    assert all(code in table.stdout for code in MISTAKES)

    statements = penstock("check", file, "--sql", env=environment)
    assert statements.returncode == 4
    with psycopg.connect(shop.dba, autocommit=True) as dba:
        for line in statements.stdout.splitlines():
            dba.execute(line.encode())
    mended = penstock("check", file, "--json", env=environment)
    assert mended.returncode == 0, mended.stdout


def test_notes_come_with_statements_only_when_asked_for(
    shop: Shop, connector_file: ConnectorFile, penstock: Penstock
) -> None:
    shop.run("ALTER TABLE customers ADD COLUMN life text")
    file, environment = connector_file(), {"SHOP_DSN": shop.dsn}
    assert "REPLICA IDENTITY FULL" not in penstock("check", file, "--sql", env=environment).stdout
    everything = penstock("check", file, "--sql", "--all", env=environment)
    assert "REPLICA IDENTITY FULL" in everything.stdout


def test_a_warning_fails_only_when_strict(
    shop: Shop, connector_file: ConnectorFile, penstock: Penstock
) -> None:
    shop.run(
        "CREATE TABLE keyless (n int)",
        "ALTER TABLE keyless REPLICA IDENTITY FULL",
        "GRANT SELECT ON keyless TO ROLE_",
        f"ALTER PUBLICATION {shop.publication} ADD TABLE keyless",
    )
    file, environment = connector_file(tables="['public.*']"), {"SHOP_DSN": shop.dsn}
    assert penstock("check", file, env=environment).returncode == 0
    assert penstock("check", file, "--strict", env=environment).returncode == 4


def test_the_exit_code_tells_the_area(
    shop: Shop, connector_file: ConnectorFile, penstock: Penstock
) -> None:
    nowhere = f"127.0.0.1:{free_port()}"
    good, bad = shop.dsn, shop.dsn.replace("dbname=", "dbname=no_such_")
    registry = f"registry: http://{nowhere}\n"
    store = f"stores:\n  search: {{kind: opensearch, url: 'http://{nowhere}'}}\n"
    for dsn, changes, expected, code in (
        (bad, {}, 4, "PEN-204"),
        (good, {"brokers": nowhere}, 5, "PEN-301"),
        (good, {"more": store}, 6, "PEN-531"),
        (bad, {"more": registry + store}, 7, "PEN-401"),
        (good, {"more": registry}, 8, "PEN-401"),
    ):
        checked = penstock("check", connector_file(**changes), env={"SHOP_DSN": dsn})
        assert checked.returncode == expected, checked.stdout + checked.stderr
        assert code in checked.stdout


def test_a_secret_in_the_file_is_a_warning(
    shop: Shop, connector_file: ConnectorFile, penstock: Penstock
) -> None:
    file = connector_file()
    file.write_text(file.read_text().replace("${SHOP_DSN}", f'"{shop.dsn}"'))
    checked = penstock("check", file)
    assert checked.returncode == 0
    assert "PEN-105" in checked.stdout
    assert "shop.yaml:3" in checked.stdout
    assert PASSWORD not in checked.stdout + checked.stderr


@pytest.mark.parametrize("dsn_of", ["wrong user", "wrong password", "nonsense", "unreachable"])
def test_no_secret_and_no_traceback_comes_out_whatever_the_dsn(
    dsn_of: str, shop: Shop, connector_file: ConnectorFile, penstock: Penstock
) -> None:
    dsn = {
        "wrong user": shop.dsn.replace(f"user={shop.role}", "user=nobody_here"),
        "wrong password": shop.dsn.replace(PASSWORD, f"{PASSWORD}-but-wrong"),
        "nonsense": f"postgres:/app:{PASSWORD}@host/db",
        "unreachable": f"postgresql://app:{PASSWORD}@127.0.0.1:{free_port()}/shop",
    }[dsn_of]
    file = connector_file()
    for options in ([], ["--json"], ["--sql"], ["--all"]):
        checked = penstock("check", file, *options, env={"SHOP_DSN": dsn})
        assert checked.returncode in (3, 4)
        said = checked.stdout + checked.stderr
        assert PASSWORD not in said
        assert "Traceback" not in said


def test_odd_names_are_exact_in_statements_and_harmless_on_a_terminal(
    shop: Shop, connector_file: ConnectorFile, penstock: Penstock
) -> None:
    names = ['"; DROP TABLE orders; --', "line\nbreak", "esc\x1b[31mape", "Größe.x", "a" * 63]
    for name in names:
        quoted = '"' + name.replace('"', '""') + '"'
        shop.run(f"CREATE TABLE {quoted} (id int PRIMARY KEY)")
    file, environment = connector_file(tables="['public.*']"), {"SHOP_DSN": shop.dsn}

    table = penstock("check", file, env=environment)
    assert table.returncode == 4
    assert "\x1b" not in table.stdout
    assert "Größe.x" in table.stdout

    statements = penstock("check", file, "--sql", env=environment).stdout
    with psycopg.connect(shop.dba, autocommit=True) as dba:
        dba.execute(statements.encode())
        assert dba.execute("SELECT to_regclass('public.orders')").fetchone() != (None,)
    assert penstock("check", file, env=environment).returncode == 0


def test_a_file_that_is_not_there_is_an_error_of_the_file(
    penstock: Penstock, tmp_path: Path
) -> None:
    (tmp_path / "shop.yaml").touch()
    checked = penstock("check", "shopp.yaml")
    assert checked.returncode == 3
    assert "did you mean shop.yaml?" in checked.stderr
    as_json = penstock("check", "shopp.yaml", "--json")
    assert json.loads(as_json.stderr)["error"]["code"] == "PEN-101"


def test_a_password_that_equals_a_name_hides_no_name_in_a_statement(
    shop: Shop, connector_file: ConnectorFile, penstock: Penstock
) -> None:
    shop.run("ALTER ROLE ROLE_ PASSWORD 'orders' NOREPLICATION", "REVOKE ALL ON orders FROM ROLE_")
    dsn = shop.dsn.replace(PASSWORD, "orders")
    table = penstock("check", connector_file(), env={"SHOP_DSN": dsn}).stdout
    assert f'ALTER ROLE "{shop.role}" REPLICATION;' in table
    assert 'GRANT SELECT ON TABLE "public"."orders"' in table


def test_without_a_look_at_the_source_no_statement_is_promised(
    connector_file: ConnectorFile, penstock: Penstock
) -> None:
    dsn = f"host=127.0.0.1 port={free_port()} dbname=shop"
    checked = penstock("check", connector_file(), "--sql", env={"SHOP_DSN": dsn})
    assert checked.returncode == 4
    assert checked.stdout == ""
    assert "PEN-200" in checked.stderr
    assert "no statement is needed" not in checked.stderr


def test_no_statement_stops_updates_by_way_of_anothers_publication(
    shop: Shop, connector_file: ConnectorFile, penstock: Penstock
) -> None:
    shop.run(
        "ALTER TABLE customers ADD COLUMN life text",
        f"CREATE PUBLICATION {shop.publication}_other FOR TABLE customers (id, name)",
    )
    environment = {"SHOP_DSN": shop.dsn}
    everything = penstock("check", connector_file(), "--sql", "--all", env=environment)
    assert "REPLICA IDENTITY FULL" not in everything.stdout


def test_a_terminal_without_unicode_is_no_bug(
    shop: Shop, connector_file: ConnectorFile, penstock: Penstock
) -> None:
    shop.run("ALTER ROLE ROLE_ NOREPLICATION")
    environment = {"SHOP_DSN": shop.dsn, "PYTHONIOENCODING": "ascii"}
    checked = penstock("check", connector_file(), env=environment)
    assert checked.returncode == 4, checked.stderr
    assert "PEN-230" in checked.stdout


def test_nothing_is_tried_in_the_source_itself(
    shop: Shop, connector_file: ConnectorFile, penstock: Penstock
) -> None:
    shop.run(
        "CREATE FUNCTION refuse() RETURNS event_trigger LANGUAGE plpgsql AS "
        "$$BEGIN RAISE 'DDL in the source'; END$$",
        "CREATE EVENT TRIGGER refuse ON ddl_command_start EXECUTE FUNCTION refuse()",
    )
    file = connector_file(more="stores:\n  copy: {kind: sql, url: '${COPY_URL}', schema: copy}\n")
    url = f"postgresql+psycopg:///?{urlencode(conninfo_to_dict(shop.dsn))}"
    checked = penstock("check", file, env={"SHOP_DSN": shop.dsn, "COPY_URL": url})
    assert "PEN-519" in checked.stdout
    assert "DDL in the source" not in checked.stdout
