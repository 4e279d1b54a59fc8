"""Reading the registry's topic to its end, before anything is answered from it."""

import time
from collections.abc import Callable, Mapping
from typing import Any, Final

from confluent_kafka import Consumer, IsolationLevel, KafkaError, KafkaException, TopicPartition
from confluent_kafka.admin import AdminClient, OffsetSpec

from schema_registry.registry.errors import LogLost, LogTooNew, LogUnavailable, explained
from schema_registry.registry.records import ForeignRecord, NewerRecord, Record, decoded
from schema_registry.registry.topic import topic_id

Fold = Callable[[int, Record], None]

_ASK_WITHIN: Final = 5.0
_SETTINGS: Final = {
    # Never joined, nothing is committed there: librdkafka wants a name.
    "group.id": "penstock-registry",
    "enable.auto.commit": False,
    "auto.offset.reset": "error",
    "isolation.level": "read_committed",
    "enable.partition.eof": True,
    # The broker counts a transaction's end as no news, and would keep a fetch
    # waiting half a second although there is something to read.
    "fetch.wait.max.ms": 20,
    # A topic of schemas is small, and read once.
    "queued.max.messages.kbytes": 32 * 1024,
}


_LEADER_MOVED: Final = frozenset(
    {
        KafkaError.FENCED_LEADER_EPOCH,
        KafkaError.UNKNOWN_LEADER_EPOCH,
        KafkaError.NOT_LEADER_FOR_PARTITION,
        KafkaError.LEADER_NOT_AVAILABLE,
    }
)


class _Moved(Exception):
    """The partition has another leader, or none for the moment."""


class Reader:
    """Folds every record of one topic, in order, as far as asked. For one thread at a time."""

    def __init__(self, settings: Mapping[str, Any], topic: str, fold: Fold) -> None:
        self._topic, self._fold = topic, fold
        self._position = 0
        self.foreign = 0
        self._consumer = Consumer({**settings, **_SETTINGS})
        self._partition = TopicPartition(topic, 0, 0)
        self._consumer.assign([self._partition])
        # A connection of its own: on the consumer's, a question waits behind a fetch.
        self._settings = dict(settings)
        self._admin = AdminClient(self._settings)
        self._topic_id = self._identity()
        self._in_doubt = False

    def catch_up(self, deadline: float, *, undecided: bool = False) -> None:
        """Read what was committed before this call; give up at the deadline.

        With ``undecided``, wait also for the end of transactions that are open. A
        commit of our own may be one of them: Kafka answers before it carries it out.
        """
        end = self._settled_end(deadline, undecided)
        if end < self._position:
            fact = f"it was read up to offset {self._position} and ends at {end}"
            raise LogLost(self._topic, fact)
        if self._in_doubt or self._position < end:
            # News are rare, and may come from another topic of the same name.
            self.check_identity()
        while self._position < end:
            left = deadline - time.monotonic()
            if left <= 0:
                reason = f"read up to offset {self._position} of {end}"
                raise LogUnavailable(self._topic, "reading", reason)
            self._take(left)

    def check_identity(self) -> None:
        """Make sure that this is still the topic that we began with."""
        if self._identity() != self._topic_id:
            raise LogLost(self._topic, "Kafka knows another topic by this name")
        self._in_doubt = False

    def close(self) -> None:
        """Hang up."""
        self._consumer.close()
        self._admin.__exit__(None, None, None)

    def _identity(self) -> str:
        try:
            return topic_id(self._admin, self._topic)
        except KafkaException as error:
            raise explained(error, self._topic, "reading") from None

    def _settled_end(self, deadline: float, undecided: bool) -> int:
        """Ask again while the partition moves from one leader to another."""
        while True:
            try:
                return self._end(deadline, undecided)
            except _Moved as moved:
                if time.monotonic() > deadline - 1:
                    raise LogUnavailable(self._topic, "reading", str(moved)) from None
                time.sleep(0.1)

    def _end(self, deadline: float, undecided: bool) -> int:
        """Ask for the first offset that is not decided yet, or not written yet."""
        level = IsolationLevel.READ_UNCOMMITTED if undecided else IsolationLevel.READ_COMMITTED
        left = max(0.1, min(_ASK_WITHIN, deadline - time.monotonic()))
        latest = {TopicPartition(self._topic, 0): OffsetSpec.latest()}
        try:
            asked = self._admin.list_offsets(latest, isolation_level=level, request_timeout=left)
            (answer,) = asked.values()
            end = int(answer.result(left).offset)
        except KafkaException as error:
            self._start_over()
            if error.args[0].code() in _LEADER_MOVED:
                raise _Moved(error.args[0].str()) from None
            raise explained(error, self._topic, "reading") from None
        except TimeoutError:
            self._start_over()
            raise LogUnavailable(self._topic, "reading", "no answer in time") from None
        if end < 0:
            # Without an answer in time the client makes one up.
            self._start_over()
            raise LogUnavailable(self._topic, "reading", "no answer in time")
        return end

    def _start_over(self) -> None:
        """Take a new client: the old one goes on asking a broker that leads no more."""
        self._in_doubt = True
        self._admin.__exit__(None, None, None)
        self._admin = AdminClient(self._settings)

    def _take(self, within: float) -> None:
        message = self._consumer.poll(within)
        if message is None:
            return
        if (error := message.error()) is not None:
            self._note(error, message.offset())
            return
        offset = message.offset()
        assert offset is not None
        try:
            self._fold(offset, decoded(message.key(), message.value()))
        except ForeignRecord:
            # Ours are written through ``encoded``, so nothing of ours is passed over.
            self.foreign += 1
        except NewerRecord as reason:
            raise LogTooNew(self._topic, offset, str(reason)) from None
        self._position = offset + 1

    def _note(self, error: KafkaError, offset: int | None) -> None:
        if error.code() == KafkaError._PARTITION_EOF and offset is not None:
            # The markers that end transactions have offsets and no messages.
            self._position = max(self._position, offset)
        elif not error.retriable():
            self._in_doubt = True
            raise explained(error, self._topic, "reading")
