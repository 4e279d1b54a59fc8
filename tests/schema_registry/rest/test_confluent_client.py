"""confluent-kafka's own client, unchanged, as its users call it."""

import asyncio
from collections.abc import Iterator

import pytest
from confluent_kafka.schema_registry import (
    AsyncSchemaRegistryClient,
    ConfigCompatibilityLevel,
    Schema,
    SchemaReference,
    SchemaRegistryClient,
    SchemaRegistryError,
    ServerConfig,
)

from tests.schema_registry.rest.api import Api, user

ADDRESS = '{"type": "record", "name": "Address", "namespace": "shop", "fields": []}'


@pytest.fixture
def client(api: Api) -> Iterator[SchemaRegistryClient]:
    with SchemaRegistryClient({"url": api.url, "max.retries": 0}) as made:
        yield made


def avro(*fields: str) -> Schema:
    return Schema(user(*fields), "AVRO")


def test_a_schema_is_registered_and_found_again(client: SchemaRegistryClient) -> None:
    id = client.register_schema("users-value", avro("name"))
    client.clear_caches()
    assert client.get_schema(id).schema_str == user("name").replace(" ", "")
    assert client.register_schema("users-value", avro("name")) == id
    found = client.lookup_schema("users-value", avro("name"))
    assert (found.schema_id, found.subject, found.version) == (id, "users-value", 1)
    assert found.schema.schema_type == "AVRO"


def test_a_schema_evolves(client: SchemaRegistryClient) -> None:
    first = client.register_schema("users-value", avro("name"))
    second = client.register_schema("users-value", avro("name", "mail?"))
    assert second > first
    assert client.get_versions("users-value") == [1, 2]
    latest = client.get_latest_version("users-value")
    assert (latest.version, latest.schema_id) == (2, second)
    assert client.get_version("users-value", 1).schema_id == first


def test_an_incompatible_schema_is_a_conflict(client: SchemaRegistryClient) -> None:
    client.register_schema("users-value", avro("name"))
    with pytest.raises(SchemaRegistryError) as refused:
        client.register_schema("users-value", avro("name", "mail"))
    assert (refused.value.http_status_code, refused.value.error_code) == (409, 40901)
    assert "mail" in str(refused.value.error_message)
    assert client.get_versions("users-value") == [1]


def test_compatibility_can_be_asked_for(client: SchemaRegistryClient) -> None:
    client.register_schema("users-value", avro("name"))
    assert client.test_compatibility("users-value", avro("name", "mail?")) is True
    assert client.test_compatibility("users-value", avro("name", "mail")) is False
    assert client.test_compatibility("users-value", avro("name", "mail"), version=1) is False
    assert client.test_compatibility_all_versions("users-value", avro("name", "mail?")) is True


def test_versions_and_subjects_are_deleted_softly_and_for_good(
    client: SchemaRegistryClient,
) -> None:
    id = client.register_schema("users-value", avro("name"))
    client.register_schema("users-value", avro("name", "mail?"))
    assert client.delete_version("users-value", 2) == 2
    assert client.get_versions("users-value") == [1]
    assert client.get_versions("users-value", deleted=True) == [1, 2]
    assert client.delete_version("users-value", 2, permanent=True) == 2
    assert client.get_versions("users-value", deleted=True) == [1]

    assert client.delete_subject("users-value") == [1]
    assert client.get_subjects() == []
    assert client.get_subjects(deleted=True) == ["users-value"]
    client.clear_caches()
    assert client.get_schema(id).schema_str
    assert client.delete_subject("users-value", permanent=True) == [1]
    client.clear_caches()
    with pytest.raises(SchemaRegistryError, match="40403"):
        client.get_schema(id)


def test_subjects_are_listed_by_prefix(client: SchemaRegistryClient) -> None:
    for subject in ("shop.b", "shop.a", "bank.a"):
        client.register_schema(subject, avro("name"))
    client.delete_subject("shop.b")
    assert client.get_subjects() == ["bank.a", "shop.a"]
    assert client.get_subjects(subject_prefix="shop.") == ["shop.a"]
    assert client.get_subjects(subject_prefix="shop.", deleted=True) == ["shop.a", "shop.b"]
    assert client.get_subjects(deleted_only=True) == ["shop.b"]
    assert client.get_subjects(offset=1, limit=1) == ["shop.a"]


def test_an_id_tells_where_it_is_used(client: SchemaRegistryClient) -> None:
    id = client.register_schema("a-value", avro("name"))
    assert client.register_schema("b-value", avro("name")) == id
    assert client.get_subjects_by_schema_id(id) == ["a-value", "b-value"]
    places = client.get_schema_versions(id)
    assert [(each.subject, each.version) for each in places] == [("a-value", 1), ("b-value", 1)]


def test_a_schema_refers_to_another(client: SchemaRegistryClient) -> None:
    client.register_schema("address", Schema(ADDRESS, "AVRO"))
    order = (
        '{"type": "record", "name": "Order", "namespace": "shop", '
        '"fields": [{"name": "to", "type": "shop.Address"}]}'
    )
    references = [SchemaReference("shop.Address", "address", 1)]
    id = client.register_schema("order", Schema(order, "AVRO", references))
    client.clear_caches()
    [reference] = client.get_schema(id).references or []
    assert (reference.name, reference.subject, reference.version) == ("shop.Address", "address", 1)
    assert client.get_referenced_by("address", 1) == [id]
    with pytest.raises(SchemaRegistryError, match="42206"):
        client.delete_subject("address")


def test_a_schema_is_found_by_its_guid(client: SchemaRegistryClient) -> None:
    full = client.register_schema_full_response("users-value", avro("name"))
    assert full.guid is not None
    client.clear_caches()
    assert client.get_schema_by_guid(full.guid).schema_str == user("name").replace(" ", "")


def test_a_subject_may_have_any_printable_name(client: SchemaRegistryClient) -> None:
    names = ["a/b c", "größe-値", "100%", "a+b&c=d?e#f", ":x", "a\\b", "a/./b", "..."]
    for subject in names:
        id = client.register_schema(subject, avro("name"))
        client.clear_caches()
        assert client.get_latest_version(subject).subject == subject
        assert client.get_subjects_by_schema_id(id, subject_name=subject) == [subject]
        client.set_compatibility(subject, "FULL")
        assert client.get_compatibility(subject) == "FULL"
        assert client.get_subjects(subject_prefix=subject) == [subject]
    assert client.get_subjects() == sorted(names)
    assert client.delete_subject(names[0]) == [1]


def test_compatibility_is_set_and_unset(client: SchemaRegistryClient) -> None:
    assert client.get_compatibility() == "BACKWARD"
    client.set_compatibility(level="FULL")
    assert client.get_compatibility() == "FULL"
    wanted = ServerConfig(compatibility=ConfigCompatibilityLevel.NONE)
    client.set_config("users-value", wanted)
    assert client.get_config("users-value").compatibility_level == "NONE"
    assert client.delete_config("users-value").compatibility_level == "NONE"
    with pytest.raises(SchemaRegistryError, match="40408"):
        client.get_config("users-value")


def test_the_mode_is_set_and_unset(client: SchemaRegistryClient) -> None:
    assert client.get_global_mode() == "READWRITE"
    client.update_mode("users-value", "READONLY")
    assert client.get_mode("users-value") == "READONLY"
    with pytest.raises(SchemaRegistryError, match="42205"):
        client.register_schema("users-value", avro("name"))
    assert client.delete_mode("users-value") == "READONLY"
    client.register_schema("users-value", avro("name"))
    client.update_global_mode("READONLY")
    assert client.get_global_mode() == "READONLY"


def test_the_rest_of_what_the_client_asks(client: SchemaRegistryClient) -> None:
    assert set(client.get_schema_types()) == {"AVRO", "JSON", "PROTOBUF"}
    assert client.get_contexts() == ["."]
    assert client.get_associations_by_resource_name("users", "-", "topic", ["value"]) == []


def test_the_asynchronous_client_gets_the_same_answers(api: Api) -> None:
    async def talk() -> tuple[int, int, list[str]]:
        async with AsyncSchemaRegistryClient({"url": api.url, "max.retries": 0}) as client:
            id = await client.register_schema("users-value", avro("name"))
            latest = await client.get_latest_version("users-value")
            assert latest.schema_id is not None
            return id, latest.schema_id, await client.get_subjects()

    id, latest, subjects = asyncio.run(talk())
    assert (id, subjects) == (latest, ["users-value"])
