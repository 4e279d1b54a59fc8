"""The right to write: a transactional producer under a name that only one can hold.

Whoever takes the pen fences whoever held it, and Kafka aborts what that one had
not committed. So a decision that was taken with the pen in hand, on a topic read
to its end, is still right when its commit succeeds.
"""

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Final

from confluent_kafka import KafkaError, KafkaException, Producer

from diagnosis.errors import PenstockError
from diagnosis.failpoints import failpoint
from schema_registry.registry.errors import (
    LogUnavailable,
    TooLargeForTopic,
    explained,
    transactional_id,
)
from schema_registry.registry.records import Record, encoded
from schema_registry.registry.topic import LONGEST_RECORD

TAKE_WITHIN: Final = 15.0
COMMIT_WITHIN: Final = 10.0

_FENCED: Final = frozenset(
    {KafkaError._FENCED, KafkaError.PRODUCER_FENCED, KafkaError.INVALID_PRODUCER_EPOCH}
)


class Written(Enum):
    """How a write ended."""

    YES = "Kafka has decided to commit it"
    FENCED = "another has the pen; nothing of this was written"
    UNKNOWN = "no answer: it may be committed or not"


class Pen:
    """A producer while we hold the pen, and none while we do not. For one thread at a time."""

    def __init__(self, settings: Mapping[str, Any], topic: str) -> None:
        self._topic = topic
        self._settings = {
            **settings,
            "transactional.id": transactional_id(topic),
            "transaction.timeout.ms": int(COMMIT_WITHIN * 1000),
            "message.max.bytes": LONGEST_RECORD,
            "compression.type": "zstd",
            "linger.ms": 0,
        }
        self._producer: Producer | None = None
        self.trouble: PenstockError | None = None

    @property
    def held(self) -> bool:
        """Whether we took the pen, and have not heard that another did since."""
        return self._producer is not None

    def take(self) -> None:
        """Fence whoever held it. What they had not committed is aborted."""
        self.drop()
        producer = Producer(self._settings)
        try:
            producer.init_transactions(TAKE_WITHIN)
        except KafkaException as error:
            raise explained(error, self._topic, "asking for the right to write") from None
        self._producer = producer

    def drop(self) -> None:
        """Forget the producer; an open transaction is aborted by whoever takes the pen next."""
        if self._producer is not None:
            self._producer.purge(blocking=False)
            self._producer = None

    def write(self, records: Sequence[Record]) -> Written:
        """Write all of the records, or none of them.

        Kafka answers a commit as soon as it is decided. The records can be read a
        moment later, and until then nobody may decide anything else.
        """
        assert self._producer is not None
        try:
            self._producer.begin_transaction()
            for record in records:
                self._produce(self._producer, record)
                failpoint("registry.between-records")
            self._producer.flush(COMMIT_WITHIN)
            failpoint("registry.before-commit")
            self._producer.commit_transaction(COMMIT_WITHIN)
            failpoint("registry.after-commit")
        except KafkaException as error:
            self.drop()
            reason = error.args[0].code()
            if reason == KafkaError.MSG_SIZE_TOO_LARGE:
                raise TooLargeForTopic(self._topic, max(map(_size, records))) from None
            self.trouble = explained(error, self._topic, "writing")
            return Written.FENCED if reason in _FENCED else Written.UNKNOWN
        return Written.YES

    def _produce(self, producer: Producer, record: Record) -> None:
        key, value = encoded(record)
        try:
            producer.produce(self._topic, value=value, key=key, partition=0)
        except BufferError:
            self.drop()
            raise LogUnavailable(self._topic, "writing", "the queue is full") from None


def _size(record: Record) -> int:
    return len(encoded(record)[1] or b"")
