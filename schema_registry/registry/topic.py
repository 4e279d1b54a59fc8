"""The topic that the registry lives in: made if it is missing, refused if it is unsafe."""

import time
from collections.abc import Mapping
from typing import Any, Final

from confluent_kafka import KafkaError, KafkaException, TopicCollection
from confluent_kafka.admin import AdminClient, ConfigResource, NewTopic, ResourceType

from diagnosis.errors import Area, PenstockError
from schema_registry.registry.errors import ForeignTopic, UnsafeTopic, explained

CODES: Final = {"PEN-420": "There is no topic with schemas at these brokers"}

DEFAULT_TOPIC: Final = "_penstock_schemas"

# A schema may be 2 MiB long, and its quotes are escaped in a record.
LONGEST_RECORD: Final = 8 * 1024 * 1024

# A broker takes about a second to lead a partition that was made just now.
_READY_WITHIN: Final = 10.0

_NOT_THERE: Final = frozenset(
    {KafkaError.UNKNOWN_TOPIC_OR_PART, KafkaError.TOPIC_EXCEPTION}  # or no legal name
)
_SETTINGS: Final = {
    "cleanup.policy": "compact",
    "max.message.bytes": str(LONGEST_RECORD),
}


class TopicMissing(PenstockError):
    """The topic is not there, and whoever asks only wants to read it."""

    code, area = "PEN-420", Area.KAFKA

    def __init__(self, topic: str) -> None:
        super().__init__(
            f"there is no topic {topic!r} with schemas at these brokers",
            fix="name the right brokers, or the right topic with --topic; a registry makes its "
            "topic when it starts for the first time",
        )
        self.topic = topic


def ensure_topic(
    settings: Mapping[str, Any], topic: str, replication: int | None, *, create: bool = True
) -> None:
    """Make the topic, or look whether the one that is there keeps what it is given.

    Without ``create``, a topic that is missing is an error.
    """
    if topic == "_schemas":
        raise ForeignTopic(topic, "by this name Confluent's registry keeps its own schemas")
    if topic.startswith("__"):
        raise ForeignTopic(topic, "Kafka keeps such names for itself")
    try:
        # A client of its own: closing it ends its threads.
        with AdminClient(dict(settings)) as admin:
            try:
                _prepare(admin, topic, replication, create=create)
            finally:
                # Why there is no connection is told only to those who listen.
                admin.poll(0)
    except KafkaException as error:
        raise explained(error, topic, "preparing") from None


def _prepare(admin: AdminClient, topic: str, replication: int | None, *, create: bool) -> None:
    if create:
        try:
            _find(admin, topic)
        except TopicMissing:
            _create(admin, topic, replication)
        _await(admin, topic)
    else:
        _find(admin, topic)
    _check_partitions(admin, topic)
    _check_policy(admin, topic)


def _create(admin: AdminClient, topic: str, replication: int | None) -> None:
    # One partition, because one order of all records is what makes the registry.
    wanted = NewTopic(topic, 1, replication or -1, config=dict(_SETTINGS))
    made = admin.create_topics([wanted], operation_timeout=_READY_WITHIN)
    try:
        made[topic].result(_READY_WITHIN)
    except KafkaException as error:
        if error.args[0].code() != KafkaError.TOPIC_ALREADY_EXISTS:
            raise
    except TimeoutError:
        raise KafkaException(KafkaError(KafkaError._TIMED_OUT)) from None


def topic_id(admin: AdminClient, topic: str) -> str:
    """Ask which topic has this name: one that is made anew has another id."""
    # To ask for the metadata of one topic would make it, where brokers make topics.
    asked = admin.describe_topics(TopicCollection([topic]), request_timeout=_READY_WITHIN)
    try:
        return str(asked[topic].result(_READY_WITHIN).topic_id)
    except TimeoutError:
        raise KafkaException(KafkaError(KafkaError._TIMED_OUT)) from None


def _find(admin: AdminClient, topic: str) -> None:
    try:
        topic_id(admin, topic)
    except KafkaException as error:
        if error.args[0].code() in _NOT_THERE:
            raise TopicMissing(topic) from None
        admin.poll(0)  # hands over what librdkafka has to complain of
        raise


def _await(admin: AdminClient, topic: str) -> None:
    """Wait until the brokers have all heard of a topic that was made just now."""
    deadline = time.monotonic() + _READY_WITHIN
    while True:
        try:
            topic_id(admin, topic)
            if _leads(admin, topic):
                return
        except KafkaException as error:
            if error.args[0].code() not in _NOT_THERE:
                raise
        if time.monotonic() > deadline:
            raise KafkaException(KafkaError(KafkaError._TIMED_OUT))
        time.sleep(0.05)


def _leads(admin: AdminClient, topic: str) -> bool:
    found = admin.list_topics(topic, timeout=_READY_WITHIN).topics[topic]
    return found.error is None and all(each.leader >= 0 for each in found.partitions.values())


def _check_partitions(admin: AdminClient, topic: str) -> None:
    found = admin.list_topics(topic, timeout=_READY_WITHIN).topics[topic]
    if found.error is not None:
        raise KafkaException(found.error)
    if len(found.partitions) != 1:
        raise UnsafeTopic(
            topic,
            f"has {len(found.partitions)} partitions, and schemas need one order of all records",
            "if nothing is kept in it, delete it: it will be made with one partition",
        )


def _check_policy(admin: AdminClient, topic: str) -> None:
    resource = ConfigResource(ResourceType.TOPIC, topic)
    try:
        entries = admin.describe_configs([resource])[resource].result(_READY_WITHIN)
    except TimeoutError:
        raise KafkaException(KafkaError(KafkaError._TIMED_OUT)) from None
    policy = entries["cleanup.policy"].value
    if policy != "compact":
        raise UnsafeTopic(
            topic,
            f"has cleanup.policy {policy}, by which Kafka would throw schemas away",
            "set its cleanup.policy to compact",
        )
