"""What can be wrong with the topic that the registry lives in."""

from typing import Final

from confluent_kafka import KafkaError, KafkaException

from diagnosis.errors import Area, PenstockError
from diagnosis.secrets import redact

CODES: Final = {
    "PEN-411": "Kafka did not answer the schema registry in time",
    "PEN-412": "The schema registry's topic could lose schemas",
    "PEN-413": "The schema registry's topic is not what it was",
    "PEN-414": "The schema registry's topic contradicts itself",
    "PEN-415": "Other writers keep the schema registry from writing",
    "PEN-416": "Kafka refuses the schema registry",
    "PEN-434": "The schema registry's topic belongs to something else",
}


class LogUnavailable(PenstockError):
    """Kafka did not answer; nothing was written, or it will be found when Kafka is back."""

    code, area, retryable = "PEN-411", Area.KAFKA, True

    def __init__(self, topic: str, doing: str, reason: str) -> None:
        super().__init__(
            f"Kafka did not answer while {doing} the schemas in topic {topic!r}",
            cause=redact(reason),
            fix="see that the brokers run and can be reached, then ask again",
        )


class UnsafeTopic(PenstockError):
    """A topic whose settings would let Kafka throw schemas away."""

    code, area = "PEN-412", Area.KAFKA

    def __init__(self, topic: str, fact: str, fix: str) -> None:
        super().__init__(f"topic {topic!r} {fact}", fix=fix)


class ForeignTopic(PenstockError):
    """A topic that others keep their records in."""

    code, area = "PEN-434", Area.KAFKA

    def __init__(self, topic: str, fact: str) -> None:
        super().__init__(
            f"topic {topic!r} is not ours: {fact}",
            fix="name a topic of its own for the schemas, which need not exist yet",
        )


class LogLost(PenstockError):
    """Another topic has the name of the one that was read before, or it has lost its end."""

    code, area = "PEN-413", Area.KAFKA

    def __init__(self, topic: str, fact: str) -> None:
        super().__init__(
            f"topic {topic!r} was deleted and made anew, or cut off: {fact}",
            fix="restore the topic from a copy before anything is registered; a registry that "
            "starts on an empty one would give old ids to other schemas",
        )


class LogVanished(PenstockError):
    """Kafka knows no topic of this name, or not yet after a restart."""

    code, area, retryable = "PEN-413", Area.KAFKA, True

    def __init__(self, topic: str) -> None:
        super().__init__(
            f"Kafka does not know topic {topic!r} any more",
            fix="if somebody deleted it, restore it from a copy; do not let it be made anew",
        )


class LogContradicts(PenstockError):
    """A record says the opposite of one before it. Nothing of ours writes such a record."""

    code, area = "PEN-414", Area.KAFKA

    def __init__(self, topic: str, offset: int, reason: str) -> None:
        super().__init__(
            f"offset {offset} of topic {topic!r} contradicts what stands before it: {reason}",
            fix="find out who else writes to this topic, and restore it from a copy",
        )
        self.offset = offset


class LogTooNew(LogContradicts):
    """A newer Penstock has written what this one cannot read."""

    def __init__(self, topic: str, offset: int, reason: str) -> None:
        super().__init__(topic, offset, reason)
        self.message = f"offset {offset} of topic {topic!r} cannot be read: {reason}"
        self.fix = "bring this Penstock to the version of the newest one that uses the topic"


class PenTaken(PenstockError):
    """Another registry took the pen each time that we tried to write."""

    code, area, retryable = "PEN-415", Area.REGISTRY, True

    def __init__(self, topic: str, tries: int) -> None:
        super().__init__(
            f"other registries wrote to topic {topic!r} in between, {tries} times in a row",
            fix="ask again",
        )


class KafkaRefuses(PenstockError):
    """Kafka answered, and the answer was no."""

    code, area = "PEN-416", Area.KAFKA

    def __init__(self, topic: str, doing: str, reason: str) -> None:
        super().__init__(
            f"Kafka refused while {doing} the schemas in topic {topic!r}",
            cause=redact(reason),
            fix="let our user create, describe (with its configs), read and write this topic, "
            f"and use the transactional id {transactional_id(topic)!r}",
        )


class IllegalTopic(PenstockError):
    """A name that Kafka gives to no topic."""

    code, area = "PEN-416", Area.KAFKA

    def __init__(self, topic: str, reason: str) -> None:
        super().__init__(
            f"Kafka takes no topic with the name {topic!r}",
            cause=redact(reason),
            fix="name the topic with letters, digits, dots, underscores and hyphens only",
        )


class TooLargeForTopic(PenstockError):
    """The topic takes no record of this size."""

    code, area = "PEN-416", Area.KAFKA

    def __init__(self, topic: str, size: int) -> None:
        super().__init__(
            f"topic {topic!r} takes no record of {size:,} bytes",
            fix=f"raise max.message.bytes of {topic!r}",
        )


def transactional_id(topic: str) -> str:
    """Name the pen: Kafka lets one producer of this name write at a time."""
    return f"penstock-registry-{topic}"


_REFUSALS: Final = frozenset(
    {
        KafkaError.TOPIC_AUTHORIZATION_FAILED,
        KafkaError.TRANSACTIONAL_ID_AUTHORIZATION_FAILED,
        KafkaError.CLUSTER_AUTHORIZATION_FAILED,
        KafkaError.GROUP_AUTHORIZATION_FAILED,
        KafkaError.POLICY_VIOLATION,
        KafkaError.INVALID_REPLICATION_FACTOR,
        KafkaError._AUTHENTICATION,
        KafkaError.INVALID_TRANSACTION_TIMEOUT,
    }
)


def explained(error: KafkaException | KafkaError, topic: str, doing: str) -> PenstockError:
    """Say what an error of Kafka's means to a registry."""
    reason = error.args[0] if isinstance(error, KafkaException) else error
    if not isinstance(reason, KafkaError):
        return LogUnavailable(topic, doing, str(reason))
    text = reason.str() or reason.name()
    if reason.code() == KafkaError.UNKNOWN_TOPIC_OR_PART:
        return LogVanished(topic)
    if reason.code() == KafkaError.TOPIC_EXCEPTION:
        return IllegalTopic(topic, text)
    if reason.code() in _REFUSALS:
        return KafkaRefuses(topic, doing, text)
    return LogUnavailable(topic, doing, text)
