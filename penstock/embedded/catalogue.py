"""The servers that ``penstock dev`` knows by name."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from penstock.embedded import bundles
from penstock.embedded.bundles import Bundle
from penstock.embedded.kafka import KafkaServer
from penstock.embedded.opensearch import OpenSearchServer
from penstock.embedded.postgres import PostgresServer
from penstock.embedded.server import Server


@dataclass(frozen=True, slots=True)
class Entry:
    """A server: its variable in ``penstock dev env``, its download, how to make it."""

    variable: str
    make: Callable[[Path, int | None], Server]
    bundle: Bundle | None = None


CATALOGUE: Final = {
    "postgres": Entry(
        "PENSTOCK_POSTGRES_DSN", lambda folder, port: PostgresServer(folder, 18, port)
    ),
    "postgres16": Entry(
        "PENSTOCK_POSTGRES16_DSN", lambda folder, port: PostgresServer(folder, 16, port)
    ),
    "kafka": Entry("PENSTOCK_KAFKA_BROKERS", KafkaServer, bundles.KAFKA),
    "opensearch": Entry("PENSTOCK_OPENSEARCH_URL", OpenSearchServer, bundles.OPENSEARCH),
}
DEFAULT: Final = ("postgres", "kafka", "opensearch")
