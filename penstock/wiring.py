"""From the connector file to the settings that each package takes.

The packages below do not know the file: each says what it needs in a value of
its own, and this is the one place that fills them in.
"""

from typing import assert_never

from apply.lake import Lake
from apply.search import Search
from apply.warehouse import Warehouse
from capture.source import Source
from penstock.config.kafka import KafkaSecurity
from penstock.config.model import Connector
from penstock.config.stores import IcebergStore, OpenSearchStore, SqlStore
from schema_registry.http import Endpoint
from schema_registry.preflight import Registry
from transport.kafka_settings import Kafka, Security

Store = Lake | Search | Warehouse


def source_of(connector: Connector) -> Source:
    """What capture and snapshot read."""
    source = connector.source
    return Source(
        connector=connector.name,
        dsn=source.dsn,
        tables=tuple(str(table) for table in source.tables),
        slot=source.slot,
        publication=source.publication,
        wal_budget=source.wal_budget,
    )


def kafka_of(connector: Connector) -> Kafka:
    """Where transport writes."""
    kafka = connector.kafka
    return Kafka(
        brokers=",".join(kafka.brokers),
        topic_prefix=kafka.topic_prefix,
        delivery=kafka.delivery,
        partitions=kafka.partitions,
        replication=kafka.replication,
        security=_security(kafka.security) if kafka.security else None,
    )


def registry_of(connector: Connector) -> Registry:
    """Where schemas are kept."""
    registry = connector.registry
    if registry == "embedded":
        return Registry()
    return Registry(
        url=registry.url,
        username=registry.username,
        password=registry.password,
        token=registry.token,
        ca=registry.ca,
    )


def endpoint_of(registry: Registry) -> Endpoint | None:
    """Where an outside registry is asked; None for the embedded one."""
    if registry.url is None:
        return None
    return Endpoint(registry.url, registry.username, registry.password, registry.token, registry.ca)


def stores_of(connector: Connector) -> list[Store]:
    """What apply keeps up to date."""
    return [_store(name, store) for name, store in connector.stores.items()]


def _store(name: str, store: IcebergStore | OpenSearchStore | SqlStore) -> Store:
    match store:
        case IcebergStore():
            return Lake(name, str(store.warehouse), store.mode)
        case OpenSearchStore():
            return Search(name, store.url, store.username, store.password, store.ca)
        case SqlStore():
            return Warehouse(name, store.url, store.schema_name, store.prefix)
    assert_never(store)


def _security(security: KafkaSecurity) -> Security:
    return Security(
        protocol=security.protocol,
        mechanism=security.mechanism,
        username=security.username,
        password=security.password,
        ca=security.ca,
        certificate=security.certificate,
        key=security.key,
        key_password=security.key_password,
    )
