"""Registries on the run's Kafka, each test with a topic of its own."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from schema_registry.registry.log import SchemaLog
from schema_registry.registry.service import SchemaRegistry
from tests.fixtures.servers import Kafka
from transport.complaints import Complaints
from transport.kafka_settings import plain_settings

OpenRegistry = Callable[[], SchemaRegistry]


@pytest.fixture
def topic(prefix: str) -> str:
    return f"{prefix}_schemas"


@pytest.fixture
def open_registry(kafka: Kafka, topic: str) -> Iterator[OpenRegistry]:
    """Open one more registry on the test's topic, as another process would."""
    with ExitStack() as opened:

        def open_one() -> SchemaRegistry:
            settings = plain_settings(kafka.brokers, Complaints())
            return SchemaRegistry(opened.enter_context(SchemaLog(settings, topic)))

        yield open_one


@pytest.fixture
def registry(open_registry: OpenRegistry) -> SchemaRegistry:
    return open_registry()
