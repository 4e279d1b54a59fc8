"""Ids that go on working, and ids that must not."""

import threading
from collections.abc import Iterator

import pytest

from schema_registry.client.cached import CachedSchemas
from schema_registry.client.embedded import EmbeddedSchemas
from schema_registry.client.errors import IdMeansAnother, RegistryAway
from schema_registry.client.remote import RemoteSchemas
from schema_registry.http import Endpoint
from schema_registry.registry.records import Content, Reference
from schema_registry.registry.refusals import Refusal
from schema_registry.registry.service import SchemaRegistry
from tests.schema_registry.client.schemas import record
from tests.schema_registry.foreign_server import Answer, ForeignServer, as_json, serving
from tests.transport.listeners import closed_port

REGISTER = "POST /subjects/s/versions"
TEXT = record("id")
RESPELT = (
    '{ "name" : "Order", "type" : "record", "fields" : '
    '[ { "type" : {"type": "string"}, "name" : "id" } ] }'
)


@pytest.fixture
def foreign() -> Iterator[ForeignServer]:
    answers: dict[str, Answer] = {
        REGISTER: as_json({"id": 7}),
        "/schemas/ids/7": as_json({"schema": RESPELT}),
    }
    with serving(answers) as server:
        yield server


@pytest.fixture
def cached(foreign: ForeignServer) -> Iterator[CachedSchemas]:
    with RemoteSchemas(Endpoint(foreign.url)) as remote:
        yield CachedSchemas(remote)


@pytest.fixture
def alone() -> Iterator[CachedSchemas]:
    """A cache whose registry is away."""
    with RemoteSchemas(Endpoint(f"http://{closed_port()}")) as remote:
        yield CachedSchemas(remote)


def test_a_schema_is_asked_for_once(foreign: ForeignServer, cached: CachedSchemas) -> None:
    assert [cached.register("s", TEXT) for _ in range(3)] == [7, 7, 7]
    assert cached.by_id(7).text == TEXT
    assert len(foreign.asked) == 1


def test_an_id_is_asked_for_once(foreign: ForeignServer, cached: CachedSchemas) -> None:
    assert [cached.by_id(7).text for _ in range(3)] == [RESPELT] * 3
    assert len(foreign.asked) == 1


def test_another_spelling_of_a_known_schema_needs_no_registry(
    foreign: ForeignServer, cached: CachedSchemas
) -> None:
    cached.register("s", TEXT)
    assert cached.register("s", RESPELT) == 7
    assert len(foreign.asked) == 1


def test_each_subject_registers_for_itself(foreign: ForeignServer, cached: CachedSchemas) -> None:
    foreign.answers = {**foreign.answers, "POST /subjects/t/versions": as_json({"id": 7})}
    assert (cached.register("s", TEXT), cached.register("t", TEXT)) == (7, 7)
    assert len(foreign.asked) == 2


def test_what_is_known_works_while_the_registry_is_away(
    foreign: ForeignServer, cached: CachedSchemas
) -> None:
    cached.register("s", TEXT)
    foreign.answers = {path: Answer(b"", 503) for path in foreign.answers}
    assert cached.register("s", TEXT) == 7
    assert cached.by_id(7).text == TEXT


def test_what_was_remembered_works_without_a_registry(alone: CachedSchemas) -> None:
    alone.remember(7, Content(TEXT), "s")
    assert alone.register("s", RESPELT) == 7
    assert alone.by_id(7) == Content(TEXT)


def test_what_is_new_needs_the_registry(alone: CachedSchemas) -> None:
    alone.remember(7, Content(TEXT))
    with pytest.raises(RegistryAway):
        alone.register("s", TEXT)
    with pytest.raises(RegistryAway):
        alone.by_id(8)
    with pytest.raises(RegistryAway):
        alone.check("s", TEXT)


def test_an_id_for_another_schema_than_before_stops_the_registration(
    cached: CachedSchemas,
) -> None:
    cached.remember(7, Content(record("other")))
    with pytest.raises(IdMeansAnother) as raised:
        cached.register("s", TEXT)
    assert raised.value.id == 7
    assert not raised.value.retryable
    assert cached.by_id(7) == Content(record("other"))


def test_an_id_whose_meaning_was_remembered_can_be_confirmed(
    foreign: ForeignServer, cached: CachedSchemas
) -> None:
    cached.remember(7, Content(TEXT))
    cached.confirm(7)
    foreign.answers = {"/schemas/ids/7": as_json({"schema": record("other")})}
    with pytest.raises(IdMeansAnother):
        cached.confirm(7)


def test_an_id_that_the_registry_does_not_know_any_more_is_not_confirmed(
    foreign: ForeignServer, cached: CachedSchemas
) -> None:
    cached.remember(7, Content(TEXT))
    foreign.answers = {
        "/schemas/ids/7": as_json({"error_code": 40403, "message": "Schema 7 not found"}, 404)
    }
    with pytest.raises(Refusal) as refused:
        cached.confirm(7)
    assert refused.value.error_code == 40403


def test_the_latest_version_is_asked_for_each_time_and_compared(
    foreign: ForeignServer, cached: CachedSchemas
) -> None:
    latest = {"subject": "s", "version": 1, "id": 7}
    foreign.answers = {"/subjects/s/versions/latest": as_json({**latest, "schema": RESPELT})}
    cached.remember(7, Content(TEXT))
    assert [found and found.id for found in (cached.latest("s"), cached.latest("s"))] == [7, 7]
    assert len(foreign.asked) == 2
    foreign.answers = {
        "/subjects/s/versions/latest": as_json({**latest, "schema": record("other")})
    }
    with pytest.raises(IdMeansAnother):
        cached.latest("s")


@pytest.mark.parametrize(
    "other",
    [
        Content(record("other")),
        Content(TEXT.replace('"string"', '"bytes"')),
        Content(TEXT.replace('"name": "id"', '"name": "id", "doc": "new"')),
        Content(TEXT, references=(Reference("n", "s", 1),)),
        Content("{not a schema"),
    ],
)
def test_only_another_spelling_is_the_same(alone: CachedSchemas, other: Content) -> None:
    alone.remember(7, Content(TEXT))
    with pytest.raises(IdMeansAnother):
        alone.remember(7, other)


def test_a_schema_with_references_may_be_spelt_otherwise_too(alone: CachedSchemas) -> None:
    references = (Reference("E", "e", 1),)
    alone.remember(7, Content('{"type":"array","items":"E"}', references=references))
    alone.remember(7, Content('{ "items": "E", "type": "array" }', references=references))
    alone.remember(7, Content('{"items":{"type":"E"},"type":"array"}', references=references))


def test_what_was_not_used_for_longest_is_forgotten_first(foreign: ForeignServer) -> None:
    with RemoteSchemas(Endpoint(foreign.url)) as remote:
        cached = CachedSchemas(remote, most=2)
        cached.remember(1, Content(record("a")))
        cached.remember(2, Content(record("b")))
        cached.by_id(1)
        cached.remember(3, Content(record("c")))
        assert cached.by_id(1).text == record("a")
        assert foreign.asked == []
        with pytest.raises(Exception, match="PEN-404"):
            cached.by_id(2)


def test_many_threads_get_the_ids_that_the_registry_gave(
    registry: SchemaRegistry, prefix: str
) -> None:
    cached = CachedSchemas(EmbeddedSchemas(registry), most=3)
    texts = [record(f"f{number}") for number in range(6)]
    given: list[tuple[str, int]] = []

    def register() -> None:
        given.extend((text, cached.register(f"{prefix}-{text[:60]}", text)) for text in texts)

    def spelt(text: str) -> str:
        return text.replace(" ", "")

    threads = [threading.Thread(target=register) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(given) == 24
    assert len(set(given)) == 6
    assert all(spelt(registry.content(id).text) == spelt(text) for text, id in set(given))
