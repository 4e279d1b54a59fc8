from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.transport.guarded_kafka import GuardedKafka


@pytest.fixture(scope="session")
def guarded_kafka(server_folder: Path) -> Iterator[GuardedKafka]:
    with GuardedKafka(server_folder / "guarded-kafka") as server:
        yield server
