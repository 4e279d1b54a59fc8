"""One registry, asked in process and over HTTP. Each test has subjects of its own."""

import uuid
from collections.abc import Iterator

import pytest

from schema_registry.client.embedded import EmbeddedSchemas
from schema_registry.client.protocol import Catalogue
from schema_registry.client.remote import RemoteSchemas
from schema_registry.http import Endpoint
from schema_registry.registry.log import SchemaLog
from schema_registry.registry.service import SchemaRegistry
from schema_registry.rest.app import build
from schema_registry.rest.server import listening, served
from tests.fixtures.servers import Kafka
from transport.complaints import Complaints
from transport.kafka_settings import plain_settings


@pytest.fixture(scope="module")
def registry(kafka: Kafka) -> Iterator[SchemaRegistry]:
    settings = plain_settings(kafka.brokers, Complaints())
    with SchemaLog(settings, f"t{uuid.uuid4().hex[:10]}_schemas") as log:
        yield SchemaRegistry(log)


@pytest.fixture(scope="module")
def url(registry: SchemaRegistry) -> Iterator[str]:
    with (
        listening("127.0.0.1", 0, with_token=False) as address,
        served(build(registry), address),
    ):
        yield address.url


@pytest.fixture(params=["in process", "over HTTP"])
def catalogue(
    request: pytest.FixtureRequest, registry: SchemaRegistry, url: str
) -> Iterator[Catalogue]:
    """The registry by either way: a test sees no difference."""
    if request.param == "in process":
        yield EmbeddedSchemas(registry)
    else:
        with RemoteSchemas(Endpoint(url)) as remote:
            yield remote
