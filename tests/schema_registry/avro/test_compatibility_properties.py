"""fastavro is the oracle: whatever we call compatible it reads, and what we refuse it cannot.

``PENSTOCK_EXAMPLES=20000 pytest`` on this file draws more than the few hundred that every
run draws.
"""

import io
import os
from typing import Any

import fastavro
import pytest
from hypothesis import HealthCheck, event, given, settings

from schema_registry.avro.compatibility import Incompatibility, Kind, incompatibilities
from schema_registry.avro.differences import differences
from schema_registry.avro.parse import parse
from schema_registry.avro.text import canonical, fingerprint, normalised
from tests.schema_registry.avro.data import covering
from tests.schema_registry.avro.strategies import Drawn, pairs, schemas, strangers

many = settings(
    max_examples=int(os.environ.get("PENSTOCK_EXAMPLES", "1000")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def not_checked_by_fastavro(problem: Incompatibility) -> bool:
    """Tell the rules that fastavro reads past without an error. Each is tried below."""
    # It reads a decimal with the writer's scale, whatever the reader's says.
    decimal = problem.kind is Kind.DECIMAL_MISMATCH
    # Of several fields that stand for each other it takes one, by the order of the writer.
    ambiguous = problem.kind is Kind.NAME_MISMATCH and problem.path.endswith("/aliases")
    return decimal or ambiguous


def read(datum: bytes, writer: Any, reader: Any = None) -> Any:
    return fastavro.schemaless_reader(io.BytesIO(datum), writer, reader)


def failures(reader: Any, writer: Any, data: list[bytes]) -> list[Exception]:
    found = []
    for datum in data:
        read(datum, writer)  # what cannot even be read as it was written proves nothing
        try:
            read(datum, writer, reader)
        except Exception as error:
            found.append(error)
    return found


def check(reader: Drawn, writer: Drawn) -> None:
    data = covering(writer.schema)
    problems = incompatibilities(reader.schema, writer.schema)
    failed = failures(reader.value, writer.value, data)
    event("compatible" if not problems else problems[0].kind.name)
    if not problems:
        assert failed == []
    elif data and not all(map(not_checked_by_fastavro, problems)):
        assert failed != [], problems


@many
@given(pairs())
def test_an_evolved_schema_is_judged_as_fastavro_reads(pair: tuple[Drawn, Drawn]) -> None:
    check(*pair)


@many
@given(strangers())
def test_two_strange_schemas_are_judged_as_fastavro_reads(pair: tuple[Drawn, Drawn]) -> None:
    check(*pair)


@many
@given(schemas())
def test_a_schema_survives_its_texts(drawn: Drawn) -> None:
    text = canonical(drawn.schema)
    assert parse(text) == drawn.schema
    plain = parse(normalised(drawn.schema))
    assert normalised(plain) == normalised(drawn.schema)
    assert fingerprint(plain) == fingerprint(drawn.schema)
    assert fingerprint(drawn.schema).hex() == fastavro.schema.fingerprint(
        fastavro.schema.to_parsing_canonical_form(drawn.value), "sha256"
    )
    assert incompatibilities(drawn.schema, plain) == ()


@many
@given(pairs())
def test_differences_are_told_exactly_when_there_are_some(pair: tuple[Drawn, Drawn]) -> None:
    old, new = pair
    told = differences(old.schema, new.schema)
    assert differences(old.schema, parse(canonical(old.schema))) == ()
    if fingerprint(old.schema) == fingerprint(new.schema):
        assert all(each.kind.value == "changed" for each in told)
    if incompatibilities(old.schema, new.schema) or incompatibilities(new.schema, old.schema):
        assert told != ()


def decimal(scale: int) -> dict[str, Any]:
    return {"type": "bytes", "logicalType": "decimal", "precision": 5, "scale": scale}


def test_fastavro_takes_the_scale_of_the_writer() -> None:
    assert str(read(b"\x02\x7b", decimal(1), decimal(2))) == "12.3"


@pytest.mark.parametrize(("names", "value"), [("ab", KeyError), ("ba", 1)])
def test_fastavro_takes_one_of_two_fields_that_stand_for_one(names: str, value: Any) -> None:
    def record(*fields: dict[str, Any]) -> dict[str, Any]:
        return {"type": "record", "name": "R", "fields": [*fields]}

    writer = record(*({"name": name, "type": "int"} for name in names))
    reader = record({"name": "a", "type": "int", "aliases": ["b"]})
    if value is KeyError:
        with pytest.raises(KeyError):
            read(b"\x02\x04", writer, reader)
    else:
        assert read(b"\x02\x04", writer, reader) == {"a": value}
