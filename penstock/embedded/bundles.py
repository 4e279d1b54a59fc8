"""Which files make up a server: coordinates, and a checksum for each file.

``pins/<name>.txt`` lists size, SHA-256 and name of every file, made by
``make pins``. The names of hosts are no part of it: where files come from is
Ivy's default, or the mirror that the user has set.
"""

import hashlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final, Literal

_PINS: Final = Path(__file__).parent / "pins"


@dataclass(frozen=True)
class Artifact:
    """A thing in a Maven repository."""

    organisation: str
    name: str
    revision: str


@dataclass(frozen=True)
class Pin:
    """A file as it must be."""

    size: int
    sha256: str
    name: str


@dataclass(frozen=True)
class Bundle:
    """A server's files: jars with all they need, or one archive."""

    name: str
    title: str
    version: str
    artifacts: tuple[Artifact, ...]
    kind: Literal["jars", "zip"]

    @property
    def pin_file(self) -> Path:
        """Where its checksums are written down."""
        return _PINS / f"{self.name}.txt"

    @cached_property
    def pins(self) -> tuple[Pin, ...]:
        """Every file of it."""
        rows = (line.split() for line in self.pin_file.read_text().splitlines())
        return tuple(Pin(int(size), sha256, name) for size, sha256, name in rows)

    @property
    def size(self) -> int:
        """Bytes to download."""
        return sum(pin.size for pin in self.pins)

    @cached_property
    def folder_name(self) -> str:
        """Its folder in the cache: other pins, another folder."""
        digest = hashlib.sha256(self.pin_file.read_bytes()).hexdigest()
        return f"{self.name}-{self.version}-{digest[:8]}"


KAFKA: Final = Bundle(
    "kafka",
    "Kafka 4.3.1",
    "4.3.1",
    (
        Artifact("org.apache.kafka", "kafka_2.13", "4.3.1"),
        # Kafka logs through SLF4J, and without a binding it logs nothing.
        Artifact("org.apache.logging.log4j", "log4j-slf4j-impl", "2.25.4"),
    ),
    "jars",
)
OPENSEARCH: Final = Bundle(
    "opensearch",
    "OpenSearch 3.6.0",
    "3.6.0",
    (Artifact("org.opensearch.distribution.integ-test-zip", "opensearch", "3.6.0"),),
    "zip",
)
BUNDLES: Final = (KAFKA, OPENSEARCH)
