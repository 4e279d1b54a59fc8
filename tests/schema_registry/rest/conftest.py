import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest

from schema_registry.registry.log import SchemaLog
from schema_registry.registry.service import SchemaRegistry
from schema_registry.rest.app import build
from schema_registry.rest.server import listening, served
from tests.fixtures.servers import Kafka
from tests.schema_registry.rest.api import Api
from transport.complaints import Complaints
from transport.kafka_settings import plain_settings


@pytest.fixture
def registry(kafka: Kafka, prefix: str) -> Iterator[SchemaRegistry]:
    """A registry on a topic of its own."""
    with opened(kafka, prefix) as made:
        yield made


@pytest.fixture
def api(registry: SchemaRegistry) -> Iterator[Api]:
    """The registry, served on a free port of this machine."""
    with asked(registry) as api:
        yield api


@pytest.fixture(scope="session")
def common_api(kafka: Kafka) -> Iterator[Api]:
    """One registry for all tests that keep to subjects of their own and change nothing global."""
    with opened(kafka, f"t{uuid.uuid4().hex[:10]}") as made, asked(made) as api:
        yield api


@contextmanager
def opened(kafka: Kafka, prefix: str) -> Iterator[SchemaRegistry]:
    settings = plain_settings(kafka.brokers, Complaints())
    with SchemaLog(settings, f"{prefix}_schemas") as log:
        yield SchemaRegistry(log)


@contextmanager
def asked(registry: SchemaRegistry) -> Iterator[Api]:
    with (
        listening("127.0.0.1", 0, with_token=False) as address,
        served(build(registry), address),
        httpx.Client(timeout=30) as client,
    ):
        yield Api(client, address.host, address.port)
