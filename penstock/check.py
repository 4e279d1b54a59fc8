"""One look at everything that a connector needs, before it runs."""

from collections.abc import Callable, Iterator
from typing import assert_never

import apply.lake
import apply.search
import apply.warehouse
import apply.warehouse_source
import capture.preflight.inspection
import schema_registry.preflight
import snapshot.preflight
import transport.preflight
from apply.lake import Lake
from apply.search import Search
from apply.warehouse import Warehouse
from capture.source import Source, connect
from capture.source_errors import SourceError
from capture.tables import resolution
from diagnosis.errors import Area
from diagnosis.findings import Finding, Severity, passed, verdict
from penstock.config.load import LoadedConnector
from penstock.config.origin import Origin
from penstock.embedded import java
from penstock.embedded.errors import JavaNotFound
from penstock.wiring import Store, kafka_of, registry_of, source_of, stores_of
from schema_registry.table_name import TableName
from transport.complaints import Complaints
from transport.kafka_settings import client_settings

Step = Callable[[str], None]


def look(loaded: LoadedConnector, step: Step = lambda _: None) -> Iterator[Finding]:
    """Look at the file, the source, Kafka, the registry and each store, in this order."""
    connector = loaded.connector
    source = source_of(connector)
    kafka = kafka_of(connector)

    yield from _file(loaded.origin)

    step("the source")
    seen = capture.preflight.inspection.inspect(source)
    yield from seen
    tables: list[TableName] = []
    # One single finding says why no more could be seen; asking again would too.
    if len(seen) > 1:
        tables = _tables(source)
        if connector.source.snapshot.mode == "initial":
            yield from snapshot.preflight.inspect(source, connector.source.snapshot.workers)

    step(f"Kafka at {kafka.brokers}")
    brokers = list(transport.preflight.inspect(kafka, tables))
    yield from brokers

    step("the registry")
    yield from schema_registry.preflight.inspect(registry_of(connector))
    # Brokers that did not answer have been asked long enough.
    if connector.registry == "embedded" and verdict(brokers) is None:
        settings = client_settings(kafka, Complaints())
        yield from schema_registry.preflight.inspect_topic(settings)

    for store in stores_of(connector):
        step(f"store {store.name}")
        yield from _store(store, source, tables)


def _file(origin: Origin) -> Iterator[Finding]:
    for secret in origin.literal_secrets:
        yield Finding(
            "PEN-105",
            Severity.WARNING,
            Area.CONFIG,
            f"{origin.file.name}:{secret.line}",
            f"{secret.key} holds a secret for everyone who can read the file",
            fix="write a reference instead: ${VARIABLE} or ${file:path}",
        )
    if not origin.literal_secrets:
        yield passed(Area.CONFIG, origin.file.name, "is valid and holds no secret")


def _tables(source: Source) -> list[TableName]:
    try:
        with connect(source) as connection:
            return [relation.name for relation in resolution(connection, source).tables]
    except SourceError:  # the look at the source has said so already
        return []


def _store(store: Store, source: Source, tables: list[TableName]) -> Iterator[Finding]:
    match store:
        case Lake():
            yield from apply.lake.inspect(store)
            yield _spark(store.name)
        case Search():
            yield from apply.search.inspect(store)
        case Warehouse():
            inside_source = apply.warehouse_source.inspect_target(store, source.dsn, tables)
            yield from inside_source
            if not inside_source:  # nothing is tried in the source, not even to be undone
                yield from apply.warehouse.inspect(store)
        case _:
            assert_never(store)


def _spark(store: str) -> Finding:
    subject = f"store {store}"
    try:
        found = java.find_java(java.SPARK)
    except JavaNotFound as missing:
        fact = f"{missing.message}; {missing.cause}"
        return Finding(missing.code, Severity.ERROR, Area.HOST, subject, fact, fix=missing.fix)
    return passed(Area.HOST, subject, f"Spark will run on Java {found.major} ({found.home})")
