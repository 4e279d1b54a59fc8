"""What a client sees of our registry, in process and over HTTP alike."""

from collections.abc import Callable

import pytest

from schema_registry.avro.model import Record
from schema_registry.client.protocol import Catalogue, Compatibility
from schema_registry.client.resolution import schema_of
from schema_registry.registry.records import Config, Level, Reference
from schema_registry.registry.refusals import IncompatibleSchema, Refusal
from schema_registry.registry.service import SchemaRegistry
from tests.schema_registry.client.schemas import record

ODD_NAMES = ["a/b", "ü ñ", "50%", "a?b#c", "a:b", "...", "%2e", "a+b&c=d"]


def test_a_schema_is_registered_once_and_found_by_its_id(catalogue: Catalogue, prefix: str) -> None:
    id = catalogue.register(prefix, record("id"))
    assert catalogue.register(prefix, record("id")) == id
    assert catalogue.by_id(id) == catalogue.version(prefix).content
    assert catalogue.versions(prefix) == [1]


def test_another_schema_is_the_next_version(catalogue: Catalogue, prefix: str) -> None:
    first = catalogue.register(prefix, record("id"))
    second = catalogue.register(prefix, record("id", "note?"))
    latest = catalogue.latest(prefix)
    assert latest is not None
    assert (latest.version, latest.id, latest.deleted) == (2, second, False)
    assert catalogue.version(prefix, 1).id == first


def test_a_subject_that_is_not_known_has_no_latest_version(
    catalogue: Catalogue, prefix: str
) -> None:
    assert catalogue.latest(prefix) is None


@pytest.mark.parametrize("name", ODD_NAMES)
def test_a_subject_may_have_an_odd_name(catalogue: Catalogue, prefix: str, name: str) -> None:
    subject = f"{name}{prefix}"
    catalogue.register(subject, record("id"))
    assert catalogue.version(subject).subject == subject
    assert catalogue.subjects(subject) == [subject]


def test_subjects_are_named_by_prefix_and_deleted_ones_on_demand(
    catalogue: Catalogue, registry: SchemaRegistry, prefix: str
) -> None:
    for name in ("b", "a", "gone"):
        catalogue.register(f"{prefix}-{name}", record("id"))
    registry.delete_subject(f"{prefix}-gone")
    assert catalogue.subjects(prefix) == [f"{prefix}-a", f"{prefix}-b"]
    assert f"{prefix}-gone" in catalogue.subjects(prefix, deleted=True)
    assert catalogue.versions(f"{prefix}-gone", deleted=True) == [1]
    assert catalogue.version(f"{prefix}-gone", 1, deleted=True).deleted


def test_an_incompatible_schema_is_refused_with_every_reason(
    catalogue: Catalogue, prefix: str
) -> None:
    catalogue.register(prefix, record("id"))
    with pytest.raises(IncompatibleSchema) as refused:
        catalogue.register(prefix, record("id", "one", "two"))
    assert refused.value.level is Level.BACKWARD
    assert [
        (problem.rule, problem.path, problem.version) for problem in refused.value.problems
    ] == [
        ("READER_FIELD_MISSING_DEFAULT_VALUE", "/fields/1", 1),
        ("READER_FIELD_MISSING_DEFAULT_VALUE", "/fields/2", 1),
    ]
    assert '"one"' in refused.value.problems[0].reason


def test_a_check_says_what_a_registration_would(catalogue: Catalogue, prefix: str) -> None:
    assert catalogue.check(prefix, record("id")) == ()
    catalogue.register(prefix, record("id"))
    catalogue.register(prefix, record("id", "note?"))
    assert catalogue.check(prefix, record("id", "note?")) == ()
    (problem,) = catalogue.check(prefix, record("id", "new"))
    assert (problem.path, problem.version) == ("/fields/1", 2)
    (problem,) = catalogue.check(prefix, record("id", "new"), version=1)
    assert problem.version == 1
    assert catalogue.versions(prefix) == [1, 2]


def test_each_refusal_has_the_code_of_confluents_registry(
    catalogue: Catalogue, prefix: str
) -> None:
    catalogue.register(prefix, record("id"))
    refused: dict[int, Callable[[], object]] = {
        40401: lambda: catalogue.versions(f"{prefix}-unknown"),
        40402: lambda: catalogue.version(prefix, 9),
        40403: lambda: catalogue.by_id(2**31 - 1),
        42201: lambda: catalogue.register(prefix, '{"type": "no such type"}'),
    }
    for code, ask in refused.items():
        with pytest.raises(Refusal) as refusal:
            ask()
        assert refusal.value.error_code == code
        assert not refusal.value.retryable


def test_a_level_is_the_subjects_own_or_inherited(
    catalogue: Catalogue, registry: SchemaRegistry, prefix: str
) -> None:
    catalogue.register(prefix, record("id"))
    assert catalogue.compatibility(prefix) == Compatibility(Level.BACKWARD, own=False)
    registry.set_config(prefix, Config(Level.FULL))
    assert catalogue.compatibility(prefix) == Compatibility(Level.FULL, own=True)
    assert catalogue.compatibility() == Compatibility(Level.BACKWARD, own=False)


def test_a_schema_is_parsed_with_what_it_refers_to_and_what_that_refers_to(
    catalogue: Catalogue, prefix: str
) -> None:
    using = '{"type":"record","name":"%s","fields":[{"name":"inner","type":"%s"}]}'
    catalogue.register(f"{prefix}-a", record("id", name="A"))
    a, b = Reference("A", f"{prefix}-a", 1), Reference("B", f"{prefix}-b", 1)
    catalogue.register(f"{prefix}-b", using % ("B", "A"), [a])
    catalogue.register(f"{prefix}-c", using % ("C", "B"), [b])
    found = catalogue.version(f"{prefix}-c")
    assert found.content.references == (b,)
    inner = schema_of(catalogue, found.content).names["A"]
    assert isinstance(inner, Record)
    assert inner.fields[0].name == "id"


@pytest.mark.parametrize("name", ["", "\udcff"])
def test_a_name_that_no_subject_can_have_is_refused(catalogue: Catalogue, name: str) -> None:
    with pytest.raises(Refusal):
        catalogue.version(name)
