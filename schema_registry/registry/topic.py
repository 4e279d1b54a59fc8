"""The topic that the registry lives in: made if it is missing, refused if it is unsafe."""

from collections.abc import Mapping
from typing import Any, Final

from confluent_kafka import KafkaError, KafkaException
from confluent_kafka.admin import AdminClient, ConfigResource, NewTopic, ResourceType

from schema_registry.registry.errors import UnsafeTopic, explained

DEFAULT_TOPIC: Final = "_penstock_schemas"

# A schema may be 2 MiB long, and its quotes are escaped in a record.
LONGEST_RECORD: Final = 8 * 1024 * 1024

# A broker takes about a second to lead a partition that was made just now.
_READY_WITHIN: Final = 20.0

_SETTINGS: Final = {
    "cleanup.policy": "compact",
    "max.message.bytes": str(LONGEST_RECORD),
}


def ensure_topic(settings: Mapping[str, Any], topic: str, replication: int | None) -> None:
    """Make the topic, or look whether the one that is there keeps what it is given."""
    # A client of its own: closing it ends its threads.
    with AdminClient(dict(settings)) as admin:
        try:
            _create(admin, topic, replication)
            _check_partitions(admin, topic)
            _check_policy(admin, topic)
        except KafkaException as error:
            raise explained(error, topic, "preparing") from None


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


def _check_partitions(admin: AdminClient, topic: str) -> None:
    found = admin.list_topics(topic, timeout=_READY_WITHIN).topics[topic]
    if found.error is not None:
        raise KafkaException(found.error)
    if len(found.partitions) != 1:
        raise UnsafeTopic(topic, "a number of partitions of", str(len(found.partitions)), "1")


def _check_policy(admin: AdminClient, topic: str) -> None:
    resource = ConfigResource(ResourceType.TOPIC, topic)
    try:
        entries = admin.describe_configs([resource])[resource].result(_READY_WITHIN)
    except TimeoutError:
        raise KafkaException(KafkaError(KafkaError._TIMED_OUT)) from None
    policy = entries["cleanup.policy"].value
    if policy != "compact":
        raise UnsafeTopic(topic, "cleanup.policy", policy, "compact")
