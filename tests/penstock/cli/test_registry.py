"""The registry's commands, against topics and registries of their own."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from penstock.cli.registry.view import sections
from schema_registry.avro.parse import parse
from schema_registry.registry.drafts import Draft
from schema_registry.registry.log import SchemaLog
from schema_registry.registry.records import Config, Level
from schema_registry.registry.service import SchemaRegistry
from tests.fixtures.commands import Penstock
from tests.fixtures.servers import Kafka
from tests.fixtures.shops import ConnectorFile
from tests.schema_registry.foreign_server import Answer, as_json, serving
from tests.transport.listeners import closed_port
from transport.complaints import Complaints
from transport.kafka_settings import plain_settings

VALUE = {
    "type": "record",
    "name": "Value",
    "fields": [
        {"name": "id", "type": "int"},
        {"name": "at", "type": ["null", {"type": "long", "connect.name": "io.debezium.time.Date"}]},
    ],
}
ENVELOPE = json.dumps(
    {
        "type": "record",
        "name": "Envelope",
        "namespace": "shop.public.orders",
        "fields": [
            {"name": "before", "type": ["null", VALUE], "default": None},
            {"name": "after", "type": ["null", "Value"], "default": None},
            {"name": "op", "type": "string"},
        ],
    }
)


def record(*fields: str) -> str:
    listed = [
        {"name": name.rstrip("?"), "type": "string"} | ({"default": ""} if "?" in name else {})
        for name in fields
    ]
    return json.dumps({"type": "record", "name": "Order", "fields": listed})


@pytest.fixture
def topic(prefix: str) -> str:
    return f"{prefix}_schemas"


@pytest.fixture
def registry(kafka: Kafka, topic: str) -> Iterator[SchemaRegistry]:
    with SchemaLog(plain_settings(kafka.brokers, Complaints()), topic) as log:
        filled = SchemaRegistry(log)
        filled.register("orders-value", Draft(ENVELOPE))
        filled.register("orders-key", Draft(record("id")))
        filled.register("orders-key", Draft(record("id", "note?")))
        filled.set_config("orders-key", Config(Level.FULL))
        filled.register("gone", Draft(record("id")))
        filled.delete_subject("gone")
        yield filled


@pytest.fixture
def place(kafka: Kafka, registry: SchemaRegistry, topic: str) -> list[str]:
    return ["--brokers", kafka.brokers, "--topic", topic]


def test_subjects_are_listed_for_people_and_for_scripts(
    penstock: Penstock, place: list[str]
) -> None:
    shown = penstock("registry", "list", *place)
    assert shown.returncode == 0, shown.stderr
    key, value = (line.split() for line in shown.stdout.splitlines()[-2:])
    assert key == ["orders-key", "1–2", "3", "AVRO", "FULL"]
    assert value == ["orders-value", "1", "1", "AVRO", "BACKWARD", "(inherited)"]
    assert "2 subjects, 3 versions" in shown.stderr
    listed = json.loads(penstock("registry", "list", "gone", "--deleted", "--json", *place).stdout)
    assert [(each["subject"], each["deleted"]) for each in listed] == [("gone", [1])]


def test_a_schema_is_shown_with_the_row_inside_its_envelope(
    penstock: Penstock, place: list[str]
) -> None:
    shown = penstock("registry", "show", "orders-value", *place)
    assert shown.returncode == 0, shown.stderr
    lines = [" ".join(line.split()) for line in shown.stdout.splitlines()]
    assert lines[0] == "orders-value: version 1, id 1, AVRO, compatibility BACKWARD (inherited)"
    assert lines[1] == "the row, shop.public.orders.Value"
    assert lines[2:4] == ["id int", "at null | long Date"]
    raw = penstock("registry", "show", "--id", 1, "--raw", *place)
    assert json.loads(raw.stdout) == json.loads(ENVELOPE)


def test_two_versions_are_compared(penstock: Penstock, place: list[str]) -> None:
    shown = penstock("registry", "diff", "orders-key", *place)
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.splitlines() == ['+ Order.note: string, default ""']
    assert "yes: version 2 reads what version 1 wrote" in shown.stderr
    assert "yes: version 1 reads what version 2 wrote" in shown.stderr
    alone = penstock("registry", "diff", "orders-value", *place)
    assert (alone.returncode, alone.stdout) == (8, "")
    assert "PEN-423" in alone.stderr


def test_a_schema_is_checked_and_not_registered(
    penstock: Penstock, place: list[str], registry: SchemaRegistry, tmp_path: Path
) -> None:
    good, bad = tmp_path / "good.avsc", tmp_path / "bad.avsc"
    good.write_text(record("id", "more?"))
    bad.write_text(record("id", "must"))
    fine = penstock("registry", "check", "orders-key", good, *place)
    assert (fine.returncode, fine.stdout) == (0, "yes: orders-key under FULL\n")
    refused = penstock("registry", "check", "orders-key", bad, "--json", *place)
    assert refused.returncode == 8
    answer = json.loads(refused.stdout)
    assert (answer["compatible"], answer["level"]) == (False, "FULL")
    assert [(each["path"], each["version"]) for each in answer["problems"]] == [("/fields/1", 2)]
    assert json.loads(refused.stderr)["error"]["code"] == "PEN-418"
    assert registry.versions("orders-key") == [1, 2]


def test_files_are_compared_without_any_registry(penstock: Penstock, tmp_path: Path) -> None:
    old, new = tmp_path / "old.avsc", tmp_path / "new.avsc"
    old.write_text(record("id"))
    new.write_text("\ufeff" + record("id", "must"))
    ran = penstock("registry", "diff", "-f", old, "-f", new, "--json")
    assert ran.returncode == 0, ran.stderr
    answer = json.loads(ran.stdout)
    assert [each["path"] for each in answer["differences"]] == ["Order.must"]
    assert (answer["backward"]["compatible"], answer["forward"]["compatible"]) == (False, True)


def test_a_topic_that_is_missing_is_told_and_not_made(
    penstock: Penstock, kafka: Kafka, prefix: str, connector_file: ConnectorFile
) -> None:
    file = connector_file()
    for where in (["--brokers", kafka.brokers], ["--connector", file]):
        ran = penstock(
            "registry", "list", *where, "--topic", prefix, env={"SHOP_DSN": "postgresql://x/y"}
        )
        assert (ran.returncode, ran.stdout) == (5, "")
        assert "PEN-420" in ran.stderr


@pytest.mark.parametrize(
    ("content", "code"),
    [(None, "PEN-422"), (b"", "PEN-422"), (b"\xff\xfe", "PEN-422"), (b'{"type": 1}', "PEN-435")],
)
def test_a_file_that_holds_no_schema_is_told_before_anybody_is_asked(
    penstock: Penstock, tmp_path: Path, content: bytes | None, code: str
) -> None:
    file = tmp_path / "some.avsc"
    if content is not None:
        file.write_bytes(content)
    ran = penstock("registry", "check", "s", file, "--url", f"http://{closed_port()}")
    assert ran.returncode in (2, 8)
    assert code in ran.stderr
    assert ran.stdout == ""


def test_a_foreign_registry_cannot_play_with_the_terminal(penstock: Penstock) -> None:
    name = "evil\x1b[31m\x9b2J\r\nname"
    segment = "evil%1B%5B31m%C2%9B2J%0D%0Aname"
    found = {"subject": name, "version": 1, "id": 7, "schema": '"int"'}
    answers: dict[str, Answer] = {
        "/subjects": as_json([name]),
        f"/subjects/{segment}/versions": as_json([1]),
        f"/subjects/{segment}/versions/1": as_json(found),
        f"/config/{segment}": as_json({"error_code": 40408, "message": "none"}, 404),
        "/config": as_json({"compatibilityLevel": "BACKWARD"}),
    }
    with serving(answers) as server:
        url, secret = f"{server.url}", "se-cret-pass-word"
        variables = {"PENSTOCK_REGISTRY_USER": "me", "PENSTOCK_REGISTRY_PASSWORD": secret}
        ran = penstock("registry", "list", env={**variables, "PENSTOCK_REGISTRY_URL": url})
        assert all(who and who.startswith("Basic ") for who in server.authorizations)
    assert ran.returncode == 0, ran.stderr
    assert "evil\\x1b[31m" in ran.stdout
    assert not {"\x1b", "\x9b", "\r"} & set(ran.stdout + ran.stderr)
    assert secret not in ran.stdout + ran.stderr


def test_a_password_in_the_address_is_refused_and_not_repeated(penstock: Penstock) -> None:
    ran = penstock("registry", "list", "--url", "https://me:hunter22@registry.example")
    assert ran.returncode == 2
    assert "PEN-425" in ran.stderr
    assert "hunter22" not in ran.stderr


@pytest.mark.parametrize(
    ("words", "env"),
    [
        (["list", "--url", "http://h", "--brokers", "h:1"], {}),
        (["list", "--url", "http://h", "--topic", "t"], {}),
        (["show"], {}),
        (["show", "s", "--id", "3"], {}),
        (["diff", "--file", "x"], {}),
        (["list", "--url", "http://h"], {"PENSTOCK_REGISTRY_USER": "me"}),
    ],
)
def test_options_that_do_not_fit_together_are_told(
    penstock: Penstock, words: list[str], env: dict[str, str]
) -> None:
    ran = penstock("registry", *words, env=env)
    assert ran.returncode == 2
    assert "PEN-421" in ran.stderr


def test_a_record_inside_is_shown_once_however_often_it_is_used() -> None:
    schema = parse(
        '{"type":"record","name":"Node","fields":[{"name":"next","type":["null","Node"]},'
        '{"name":"a","type":{"type":"array","items":{"type":"record","name":"In","fields":'
        '[{"name":"x","type":{"type":"enum","name":"E","symbols":["ONE","TWO"]}}]}}},'
        '{"name":"b","type":{"type":"map","values":"In"}}]}'
    )
    (section,) = sections(schema)
    assert section.title == "record Node"
    assert [(row.depth, row.name, row.note) for row in section.rows] == [
        (0, "next", ""),
        (0, "a", ""),
        (1, "x", "ONE, TWO"),
        (0, "b", ""),
    ]


def test_a_schema_that_is_no_record_is_one_line() -> None:
    (section,) = sections(parse('{"type":"array","items":"long"}'))
    assert [(row.name, row.type) for row in section.rows] == [("", "array of long")]
