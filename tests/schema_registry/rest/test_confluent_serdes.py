"""confluent-kafka's serializer and deserializer, unchanged, from a producer to a consumer."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from confluent_kafka import Consumer, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic
from confluent_kafka.schema_registry import Schema, SchemaReference, SchemaRegistryClient
from confluent_kafka.schema_registry.avro import AvroDeserializer, AvroSerializer
from confluent_kafka.serialization import MessageField, SerializationContext

from tests.fixtures.servers import Kafka
from tests.schema_registry.rest.api import Api, user

ANNA = {"name": "Anna"}


@pytest.fixture
def client(common_api: Api) -> Iterator[SchemaRegistryClient]:
    with SchemaRegistryClient({"url": common_api.url, "max.retries": 0}) as made:
        yield made


def value_of(topic: str) -> SerializationContext:
    return SerializationContext(topic, MessageField.VALUE)


def test_a_record_goes_through_kafka_to_a_reader_with_a_newer_schema(
    kafka: Kafka, client: SchemaRegistryClient, prefix: str
) -> None:
    with AdminClient({"bootstrap.servers": kafka.brokers}) as admin:
        admin.create_topics([NewTopic(prefix, 1, 1)])[prefix].result(20)
    write = AvroSerializer(client, user("name"))
    producer = Producer({"bootstrap.servers": kafka.brokers})
    producer.produce(prefix, write(ANNA, value_of(prefix)))
    assert producer.flush(20) == 0

    client.register_schema(f"{prefix}-value", Schema(user("name", "mail?"), "AVRO"))
    read = AvroDeserializer(client, user("name", "mail?"))
    assert read(consumed(kafka, prefix), value_of(prefix)) == {"name": "Anna", "mail": ""}


def consumed(kafka: Kafka, topic: str) -> bytes:
    consumer = Consumer({"bootstrap.servers": kafka.brokers, "group.id": topic})
    try:
        consumer.assign([TopicPartition(topic, 0, 0)])
        message = consumer.poll(20)
        assert message is not None
        assert message.error() is None
        value = message.value()
        assert isinstance(value, bytes)
        return value
    finally:
        consumer.close()


def test_the_serializer_takes_the_latest_version(client: SchemaRegistryClient, prefix: str) -> None:
    client.register_schema(f"{prefix}-value", Schema(user("name"), "AVRO"))
    latest = client.register_schema(f"{prefix}-value", Schema(user("name", "mail?"), "AVRO"))
    settings = {"auto.register.schemas": False, "use.latest.version": True}
    write = AvroSerializer(client, user("name"), conf=settings)
    written = write({"name": "Anna", "mail": "a@b.c"}, value_of(prefix))
    assert isinstance(written, bytes)
    assert int.from_bytes(written[1:5]) == latest
    read = AvroDeserializer(client, conf={"use.latest.version": True})
    assert read(written, value_of(prefix)) == {"name": "Anna", "mail": "a@b.c"}


def test_the_serializer_looks_up_instead_of_registering(
    client: SchemaRegistryClient, prefix: str
) -> None:
    id = client.register_schema(f"{prefix}-value", Schema(user("name"), "AVRO"))
    client.clear_caches()
    write = AvroSerializer(client, user("name"), conf={"auto.register.schemas": False})
    written = write(ANNA, value_of(prefix))
    assert isinstance(written, bytes)
    assert int.from_bytes(written[1:5]) == id


def test_the_serializer_is_told_an_id(client: SchemaRegistryClient, prefix: str) -> None:
    id = client.register_schema(f"{prefix}-value", Schema(user("name"), "AVRO"))
    client.clear_caches()
    settings = {"auto.register.schemas": False, "use.schema.id": id}
    write = AvroSerializer(client, user("name"), conf=settings)
    written = write(ANNA, value_of(prefix))
    assert isinstance(written, bytes)
    assert int.from_bytes(written[1:5]) == id


def test_schemas_with_named_references_are_written_and_read(
    client: SchemaRegistryClient, prefix: str
) -> None:
    street = record("Street", name="string")
    address = record("Address", street="shop.Street", town="string")
    order = record("Order", to="shop.Address")
    client.register_schema(f"{prefix}-street", Schema(street, "AVRO"))
    to_street = [SchemaReference("shop.Street", f"{prefix}-street", 1)]
    client.register_schema(f"{prefix}-address", Schema(address, "AVRO", to_street))
    to_address = [SchemaReference("shop.Address", f"{prefix}-address", 1)]
    sent: Any = {"to": {"street": {"name": "Ring"}, "town": "Ulm"}}

    write = AvroSerializer(client, Schema(order, "AVRO", to_address))
    written = write(sent, value_of(prefix))
    with SchemaRegistryClient(client.config()) as another:
        assert AvroDeserializer(another)(written, value_of(prefix)) == sent


def record(name: str, /, **fields: str) -> str:
    shape = [{"name": field, "type": kind} for field, kind in fields.items()]
    return json.dumps({"type": "record", "name": name, "namespace": "shop", "fields": shape})
