"""A process that registers schemas and says what it was answered, for tests that kill it.

python -m tests.schema_registry.registry.writer BROKERS TOPIC NAME FIRST LAST
"""

import sys

from schema_registry.registry.drafts import Draft
from schema_registry.registry.log import SchemaLog
from schema_registry.registry.service import SchemaRegistry
from transport.complaints import Complaints
from transport.kafka_settings import plain_settings


def text_of(name: str, number: int) -> str:
    return f'{{"type":"enum","name":"{name}{number}","symbols":["A"]}}'


def main(brokers: str, topic: str, name: str, first: str, last: str) -> None:
    with SchemaLog(plain_settings(brokers, Complaints()), topic) as log:
        registry = SchemaRegistry(log)
        for number in range(int(first), int(last)):
            # Half of the schemas are everybody's, half are this process's own.
            text = text_of(name if number % 2 else "shared", number)
            added = registry.register(f"{name}-{number}", Draft(text))
            print(f"{added.id}\t{text}", flush=True)  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
