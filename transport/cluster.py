"""What a Kafka cluster says of itself, asked without writing anything to it."""

import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from confluent_kafka import KafkaError, KafkaException, TopicCollection

# These are its public names, but its type hints do not say so.
from confluent_kafka.admin import (
    AclOperation,
    AdminClient,
    ClusterMetadata,
    ConfigResource,
    NewTopic,
    ResourceType,
)

from transport.complaints import Complaints
from transport.kafka_settings import Kafka
from transport.topics import legal

ANSWER_WITHIN: Final = 10.0

# When every address has failed there is little to wait for; but a name such as
# localhost may stand for two addresses, and librdkafka tries one at a time.
_PATIENCE_WHEN_ALL_FAILED: Final = 2.0

TRANSACTION_LOG: Final = "__transaction_state"


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic that exists. ``settings`` is empty if we may not read them."""

    name: str
    partitions: int
    copies: int  # of the partition with the fewest
    in_sync: int  # of the partition with the fewest
    leaderless: int
    settings: Mapping[str, str]
    may_write: bool


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why Kafka would not do something, in its words."""

    code: str
    text: str


@dataclass(frozen=True, slots=True)
class Cluster:
    """The facts that ``transport.preflight`` judges.

    ``settings`` are those of one broker, or why they cannot be had. ``silent``
    maps the addresses that brokers gave for themselves, and that do not answer,
    to the reason. ``refused`` maps topics that could not be made, ``hidden``
    those that may not even be looked at.
    """

    id: str
    brokers: Mapping[int, str]
    settings: Mapping[str, str] | Refusal
    silent: Mapping[str, str]
    topics: Mapping[str, Topic]
    hidden: Mapping[str, Refusal]
    refused: Mapping[str, Refusal]


class NoAnswerError(Exception):
    """No broker gave its metadata in time; the complaints say why."""


def metadata(admin: AdminClient, complaints: Complaints) -> ClusterMetadata:
    """Ask who is there, and give up early once every address has failed."""
    started = time.monotonic()
    while (elapsed := time.monotonic() - started) < ANSWER_WITHIN:
        with suppress(KafkaException):
            return admin.list_topics(timeout=min(1.0, ANSWER_WITHIN - elapsed))
        admin.poll(0)
        if complaints.all_down and elapsed > _PATIENCE_WHEN_ALL_FAILED:
            break
    raise NoAnswerError


def look(kafka: Kafka, names: Iterable[str], admin: AdminClient, complaints: Complaints) -> Cluster:
    """Collect everything that a connector with these topics depends on."""
    known = metadata(admin, complaints)
    brokers = {broker.id: f"{broker.host}:{broker.port}" for broker in known.brokers.values()}
    settings, silent = _broker_settings(admin, brokers, complaints)
    if len(silent) == len(brokers):
        # Every further question would only wait for its time-out.
        return Cluster(str(known.cluster_id), brokers, settings, silent, {}, {}, {})
    wanted = sorted(set(names))
    internal = [TRANSACTION_LOG] if TRANSACTION_LOG in known.topics else []
    topics, hidden = _topics(admin, [*wanted, *internal])
    missing = [name for name in wanted if name not in topics and name not in hidden]
    refused = _creation(admin, kafka, [*missing, probe_topic(kafka.topic_prefix)])
    return Cluster(str(known.cluster_id), brokers, settings, silent, topics, hidden, refused)


def probe_topic(prefix: str) -> str:
    """Name a topic that stands for all of the connector's own ones."""
    return legal(f"{prefix}.penstock-probe")


def _broker_settings(
    admin: AdminClient, brokers: Mapping[int, str], complaints: Complaints
) -> tuple[Mapping[str, str] | Refusal, Mapping[str, str]]:
    """Ask each broker at the address it gave for itself: producers will do so too."""
    asked = admin.describe_configs(
        [ConfigResource(ResourceType.BROKER, str(broker)) for broker in brokers],
        request_timeout=ANSWER_WITHIN,
    )
    settings: Mapping[str, str] | Refusal = Refusal("_TIMED_OUT", "no broker answered in time")
    silent: dict[str, str] = {}
    for resource, future in asked.items():
        answer = _answer(future)
        if not isinstance(answer, KafkaError):
            settings = _values(answer)
        elif answer.code() in (KafkaError._TIMED_OUT, KafkaError._TRANSPORT):
            admin.poll(0)
            address = brokers[int(resource.name)]
            heard = complaints.about(address)
            silent[address] = heard.text if heard else "no answer in time"
        elif isinstance(settings, Refusal):
            settings = _refusal(answer)
    return settings, silent


def _topics(
    admin: AdminClient, names: Sequence[str]
) -> tuple[Mapping[str, Topic], Mapping[str, Refusal]]:
    topics: dict[str, Topic] = {}
    hidden: dict[str, Refusal] = {}
    if not names:
        return topics, hidden
    described = {
        name: _answer(future)
        for name, future in admin.describe_topics(
            TopicCollection(list(names)),
            include_authorized_operations=True,
            request_timeout=ANSWER_WITHIN,
        ).items()
    }
    present = [name for name, found in described.items() if not isinstance(found, KafkaError)]
    settings = _topic_settings(admin, present)
    for name, found in described.items():
        if not isinstance(found, KafkaError):
            topics[name] = _topic(found, settings[name])
        elif found.code() != KafkaError.UNKNOWN_TOPIC_OR_PART:
            hidden[name] = _refusal(found)
    return topics, hidden


def _topic(description: Any, settings: Mapping[str, str]) -> Topic:
    partitions = description.partitions
    return Topic(
        name=description.name,
        partitions=len(partitions),
        copies=min((len(partition.replicas) for partition in partitions), default=0),
        in_sync=min((len(partition.isr) for partition in partitions), default=0),
        leaderless=sum(partition.leader is None for partition in partitions),
        settings=settings,
        # No answer to this question (an old broker) is no refusal.
        may_write=not description.authorized_operations
        or AclOperation.WRITE in description.authorized_operations,
    )


def _topic_settings(admin: AdminClient, names: Sequence[str]) -> Mapping[str, Mapping[str, str]]:
    if not names:
        return {}
    asked = admin.describe_configs(
        [ConfigResource(ResourceType.TOPIC, name) for name in names],
        request_timeout=ANSWER_WITHIN,
    )
    answers = {str(resource.name): _answer(future) for resource, future in asked.items()}
    return {
        name: {} if isinstance(answer, KafkaError) else _values(answer)
        for name, answer in answers.items()
    }


def _creation(admin: AdminClient, kafka: Kafka, names: Sequence[str]) -> Mapping[str, Refusal]:
    """Let Kafka check rights, policies and copies; ``validate_only`` makes nothing."""
    copies = kafka.replication if kafka.replication is not None else -1
    asked = admin.create_topics(
        [NewTopic(name, kafka.partitions, copies) for name in names],
        validate_only=True,
        request_timeout=ANSWER_WITHIN,
    )
    answers = {name: _answer(future) for name, future in asked.items()}
    return {
        name: _refusal(answer)
        for name, answer in answers.items()
        if isinstance(answer, KafkaError) and answer.code() != KafkaError.TOPIC_ALREADY_EXISTS
    }


def _answer(future: "Future[Any]") -> Any:
    """Give the result, or Kafka's error as a value."""
    try:
        return future.result()
    except KafkaException as error:
        return error.args[0]


def _values(answer: Mapping[str, Any]) -> Mapping[str, str]:
    return {name: entry.value for name, entry in answer.items() if entry.value is not None}


def _refusal(error: KafkaError) -> Refusal:
    return Refusal(error.name(), error.str())
