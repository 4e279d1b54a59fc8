"""The JSON Schema for editors agrees with what the loader takes."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from penstock.config.errors import ConfigError
from penstock.config.json_schema import json_schema
from penstock.config.load import load
from tests.penstock.config.files import EXAMPLE

SCHEMA = json_schema()
VALIDATOR = Draft202012Validator(SCHEMA)
ENVIRON = {"SHOP_DSN": "host=h", "COPY_URL": "sqlite://", "N": "3", "T": "text"}


def full() -> dict[str, Any]:
    """Every key of a connector file, each with a value that is allowed."""
    return {
        "name": "shop",
        "source": {
            "dsn": "host=h",
            "tables": ["public.orders", "sales.*"],
            "slot": "shop",
            "publication": "Shop Ü",
            "wal_budget": "512MB",
            "snapshot": {"mode": "never", "workers": 4},
        },
        "kafka": {
            "brokers": ["k:9092", "[::1]:9092"],
            "format": "json",
            "delivery": "at_least_once",
            "topic_prefix": "a.b",
            "partitions": 6,
            "replication": 3,
            "security": {
                "protocol": "sasl_ssl",
                "mechanism": "PLAIN",
                "username": "u",
                "password": "p",
                "ca": "ca.pem",
                "certificate": "c.pem",
                "key": "c.key",
                "key_password": "p",
            },
        },
        "registry": {"url": "https://r", "username": "u", "password": "p", "ca": "ca.pem"},
        "stores": {
            "lake": {"kind": "iceberg", "warehouse": "s3://b/x", "mode": "history"},
            "search": {
                "kind": "opensearch",
                "url": "https://o",
                "username": "u",
                "password": "p",
                "ca": "c",
            },
            "copy": {"kind": "sql", "url": "sqlite://", "schema": "s", "prefix": "p_"},
        },
    }


def loads(folder: Path, data: object) -> bool:
    path = folder / "shop.yaml"
    path.write_text(json.dumps(data))
    try:
        load(path, ENVIRON)
    except ConfigError:
        return False
    return True


def places(data: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if place:
        yield place
    inner = (
        data.items()
        if isinstance(data, dict)
        else enumerate(data)
        if isinstance(data, list)
        else ()
    )
    for key, value in inner:
        yield from places(value, (*place, key))


def changed(place: tuple[Any, ...], value: object) -> dict[str, Any]:
    data = copy.deepcopy(full())
    section: Any = data
    for key in place[:-1]:
        section = section[key]
    section[place[-1]] = value
    return data


def test_it_is_a_schema_of_the_draft_it_names() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert json.loads(json.dumps(SCHEMA)) == SCHEMA


def test_the_example_is_valid() -> None:
    VALIDATOR.validate(yaml.safe_load(EXAMPLE))


def test_a_file_with_every_key_is_valid_and_loads(tmp_path: Path) -> None:
    VALIDATOR.validate(full())
    assert loads(tmp_path, full())


def sections() -> Iterator[tuple[str, dict[str, Any]]]:
    yield "Connector", SCHEMA
    yield from ((n, s) for n, s in SCHEMA["$defs"].items() if n != "Reference")


def test_every_key_is_described_and_no_section_takes_another() -> None:
    for name, section in sections():
        assert section["additionalProperties"] is False, name
        assert section["description"], name
        for key, schema in section["properties"].items():
            target = SCHEMA["$defs"].get(schema.get("$ref", "").removeprefix("#/$defs/"), {})
            assert schema.get("description") or target.get("description"), f"{name}.{key}"


def test_the_full_file_of_this_test_misses_no_key() -> None:
    used = {place[-1] for place in places(full())}
    known = {key for _, section in sections() for key in section["properties"]}
    assert known - used == {"token"}  # which goes with no password


def test_examples_and_defaults_are_valid_themselves() -> None:
    for name, section in sections():
        for key, schema in section["properties"].items():
            found = [
                *schema.get("examples", []),
                *([schema["default"]] if "default" in schema else []),
            ]
            for value in found:
                inner = {**schema, "$defs": SCHEMA["$defs"]}
                assert Draft202012Validator(inner).is_valid(value), f"{name}.{key}: {value}"


def test_choices_and_defaults_are_there_to_be_completed() -> None:
    kafka = SCHEMA["$defs"]["Kafka"]["properties"]
    assert kafka["format"]["anyOf"][0]["enum"] == ["avro", "json"]
    assert kafka["format"]["default"] == "avro"
    assert SCHEMA["$defs"]["Source"]["properties"]["wal_budget"]["default"] == "10GB"
    assert set(SCHEMA["required"]) == {"name", "source", "kafka"}
    assert set(SCHEMA["$defs"]["Source"]["required"]) == {"dsn", "tables"}


REPLACEMENTS = [None, True, 2, 0, -1, 2.5, "", "text", "a b", "10GB", "2", [], ["x"], {}, {"x": 1}]
# Where a schema can't say what the loader knows, the loader is the stricter one.
STRICTER = {
    "brokers",
    "copy",
    "dsn",
    "lake",
    "registry",
    "search",
    "security",
    "stores",
    "url",
    "warehouse",
}


@pytest.mark.parametrize("place", list(places(full())), ids=lambda place: ".".join(map(str, place)))
def test_schema_and_loader_agree_on_a_replaced_value(
    place: tuple[Any, ...], tmp_path: Path
) -> None:
    for value in REPLACEMENTS:
        data = changed(place, value)
        valid, loaded = VALIDATOR.is_valid(data), loads(tmp_path, data)
        assert valid or not loaded, f"the editor refuses {value!r}, which loads"
        stricter = STRICTER & {part for part in place if isinstance(part, str)}
        assert loaded or not valid or stricter, f"the editor takes {value!r}, which is refused"


@pytest.mark.parametrize("place", list(places(full())), ids=lambda place: ".".join(map(str, place)))
def test_schema_and_loader_agree_on_keys_left_out_and_added(
    place: tuple[Any, ...], tmp_path: Path
) -> None:
    data = copy.deepcopy(full())
    section: Any = data
    for key in place[:-1]:
        section = section[key]
    if isinstance(section, dict):
        section["added"] = 1
        assert not VALIDATOR.is_valid(data)
        assert not loads(tmp_path, data)
        del section["added"]
    del section[place[-1]]
    assert VALIDATOR.is_valid(data) or not loads(tmp_path, data)
    if place[-1] in {
        "name",
        "source",
        "kafka",
        "dsn",
        "tables",
        "brokers",
        "kind",
        "url",
        "warehouse",
    }:
        assert not VALIDATOR.is_valid(data)


@pytest.mark.parametrize(
    ("place", "reference"),
    [
        (("name",), "${T}"),
        (("source", "dsn"), "${SHOP_DSN}"),
        (("source", "tables", 0), "public.${T}"),
        (("source", "wal_budget"), "${N}GB"),
        (("source", "snapshot", "workers"), "${N}"),
        (("source", "snapshot", "mode"), "${X:-never}"),
        (("kafka", "brokers"), "${T}:9092"),
        (("kafka", "brokers"), "k:${N}"),
        (("kafka", "brokers", 0), "k:${N}"),
        (("kafka", "format"), "${X:-avro}"),
        (("kafka", "partitions"), "${N}"),
        (("kafka", "replication"), "${N}"),
        (("kafka", "security", "protocol"), "${X:-sasl_ssl}"),
        (("registry",), "${X:-embedded}"),
        (("registry",), "http://${T}"),
        (("registry",), "http://r"),
        (("registry",), "embedded"),
        (("registry",), {"url": "https://r", "token": "${T}"}),
        (("stores", "lake", "mode"), "${X:-mirror}"),
        (("stores", "lake", "kind"), "${X:-iceberg}"),
        (("stores", "copy", "prefix"), "${T}_"),
        (("stores",), {}),
    ],
)
def test_a_reference_may_stand_for_any_single_value(
    place: tuple[Any, ...], reference: object, tmp_path: Path
) -> None:
    data = changed(place, reference)
    VALIDATOR.validate(data)
    assert loads(tmp_path, data)


@pytest.mark.parametrize("text", ["${", "${}", "${file:}", "${A B}", "$${N}", "$N"])
def test_a_broken_reference_is_no_number_to_either(text: str, tmp_path: Path) -> None:
    data = changed(("kafka", "partitions"), text)
    assert not VALIDATOR.is_valid(data)
    assert not loads(tmp_path, data)


@settings(max_examples=200, deadline=None)
@given(
    key=st.sampled_from(
        [("name",), ("source", "slot"), ("kafka", "topic_prefix"), ("stores", "copy", "prefix")]
    ),
    text=st.text(st.sampled_from("aZ0_-. ü/"), max_size=70),
)
def test_schema_and_loader_agree_on_random_names(
    key: tuple[str, ...], text: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    data = changed(key, text)
    assert VALIDATOR.is_valid(data) == loads(tmp_path_factory.getbasetemp(), data)
