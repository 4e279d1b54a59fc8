"""Whatever the bytes are: a connector, or one of our errors."""

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from penstock.config.errors import ConfigError
from penstock.config.json_schema import json_schema
from penstock.config.load import load
from tests.penstock.config.files import EXAMPLE

ENVIRON = {"SHOP_DSN": "postgresql://u:pw@h/d", "COPY_URL": "sqlite://", "A": "1", "EMPTY": ""}

SECTIONS = [json_schema(), *json_schema()["$defs"].values()]
KEYS = st.sampled_from(
    sorted({key for section in SECTIONS for key in section.get("properties", ())})
)
WORDS = st.sampled_from(
    [
        "shop",
        "public.orders",
        "public.*",
        "embedded",
        "avro",
        "json",
        "iceberg",
        "opensearch",
        "sql",
        "mirror",
        "ssl",
        "sasl_ssl",
        "PLAIN",
        "http://h:1",
        "https://u:p@h",
        "postgresql://u:p@h/d",
        "sqlite://",
        "host=h",
        "k:9092",
        "[::1]:1",
        "10GB",
        "1",
        "0",
        "-1",
        "${A}",
        "${EMPTY}",
        "${NOPE:-x}",
        "${file:shop.yaml}",
        "${",
        "$${",
        "s3://b/x",
        "./x",
        "~",
    ]
)
SCALARS = st.one_of(WORDS, st.text(), st.integers(), st.floats(), st.booleans(), st.none())
TREES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.one_of(KEYS, st.text()), inner, max_size=6)
    ),
    max_leaves=25,
)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("random") / "shop.yaml"


def refusal(file: Path, content: bytes) -> ConfigError | None:
    """Load, and let any other error through."""
    file.write_bytes(content)
    try:
        load(file, ENVIRON)
    except ConfigError as error:
        return error
    return None


def survives(file: Path, content: bytes) -> None:
    error = refusal(file, content)
    if error is None:
        return
    assert error.code in {"PEN-102", "PEN-103", "PEN-104"}
    assert error.problems
    assert all(str(problem).isprintable() for problem in error.problems)
    assert all(problem.line for problem in error.problems)


many = settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@many
@given(content=st.binary(max_size=300))
def test_random_bytes_never_surprise(file: Path, content: bytes) -> None:
    survives(file, content)


@many
@given(text=st.text(alphabet=":-{}[]&*!|>'\"%@`#?,\\ \n\tabx0~$<\x85\ufeff", max_size=120))
def test_random_signs_of_yaml_never_surprise(file: Path, text: str) -> None:
    survives(file, text.encode())
    survives(file, ("name: shop\nsource:\n  dsn: " + text).encode())


@many
@given(data=TREES)
def test_random_yaml_never_surprises(file: Path, data: Any) -> None:
    with contextlib.suppress(UnicodeEncodeError):
        survives(file, yaml.safe_dump(data, allow_unicode=True).encode())


@many
@given(start=st.integers(0, len(EXAMPLE)), length=st.integers(0, 40), text=st.text(max_size=20))
def test_an_example_with_a_part_replaced_never_surprises(
    file: Path, start: int, length: int, text: str
) -> None:
    changed = EXAMPLE[:start] + text + EXAMPLE[start + length :]
    survives(file, changed.encode(errors="surrogatepass"))


PLACES = [
    ("name",),
    ("registry",),
    ("source", "dsn"),
    ("source", "tables"),
    ("source", "slot"),
    ("source", "publication"),
    ("source", "wal_budget"),
    ("source", "snapshot"),
    ("kafka", "brokers"),
    ("kafka", "partitions"),
    ("kafka", "security"),
    ("stores", "a"),
    ("stores", "a", "url"),
    ("stores", "a", "ca"),
    ("stores", "b", "url"),
    ("stores", "b", "schema"),
    ("stores", "c", "warehouse"),
]


@many
@given(place=st.sampled_from(PLACES), value=TREES, times=st.sampled_from([1, 1, 1, 500]))
def test_a_random_value_in_any_place_never_surprises(
    file: Path, place: tuple[str, ...], value: Any, times: int
) -> None:
    data: dict[str, Any] = {
        "name": "shop",
        "source": {"dsn": "host=h", "tables": ["a.b"]},
        "kafka": {"brokers": "k:1"},
        "stores": {
            "a": {"kind": "opensearch", "url": "http://h"},
            "b": {"kind": "sql", "url": "sqlite://"},
            "c": {"kind": "iceberg", "warehouse": "x"},
        },
    }
    section = data
    for key in place[:-1]:
        section = section[key]
    section[place[-1]] = value * times if isinstance(value, str) else value
    survives(file, json.dumps(data).encode())
