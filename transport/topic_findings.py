"""What the topics that a connector would write to have against it."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Final

from diagnosis.errors import Area
from diagnosis.findings import Finding, Severity, passed
from diagnosis.secrets import redact
from schema_registry.table_name import TableName
from transport.cluster import TRANSACTION_LOG, Cluster, Refusal, Topic, probe_topic
from transport.kafka_settings import Kafka
from transport.topics import clashes

CODES: Final = {
    "PEN-320": "Several tables would share one topic",
    "PEN-321": "A topic has another number of partitions than the connector wants",
    "PEN-322": "A topic forgets events soon",
    "PEN-323": "We may not create topics",
    "PEN-324": "Kafka would refuse to create a topic",
    "PEN-325": "We may not write to a topic",
    "PEN-326": "We may not look at a topic",
    "PEN-327": "A topic has a partition that nobody leads",
    "PEN-328": "A topic has fewer copies than a write must reach",
}

# A weekend: an applier that stops on Friday evening is mended on Monday.
SHORT_RETENTION: Final = timedelta(days=3)

_NAMED_AT_MOST: Final = 5


def shared(prefix: str, tables: Sequence[TableName]) -> list[Finding]:
    """Name the tables whose events would mingle."""
    return [
        Finding(
            "PEN-320",
            Severity.ERROR,
            Area.KAFKA,
            f"topic {clash.topic}",
            f"would hold the events of {_listed([str(table) for table in clash.tables])}",
            fix="capture one of them here and the others in a connector with another name",
        )
        for clash in clashes(prefix, tables)
    ]


def judge(kafka: Kafka, cluster: Cluster, *, copies_judged: bool) -> Iterator[Finding]:
    """Say what existing topics, and making the missing ones, mean for a connector."""
    ours = [topic for name, topic in cluster.topics.items() if name != TRANSACTION_LOG]
    for topic in ours:
        yield from _existing(kafka, topic)
    for name, refusal in cluster.hidden.items():
        if name != TRANSACTION_LOG:
            yield _hidden(name, refusal)
    yield from _creation(kafka, cluster.refused, copies_judged=copies_judged)
    if not cluster.refused:
        there = f"{len(ours)} of the tables' topics exist already, " if ours else ""
        yield passed(Area.KAFKA, "topics", f"{there}we may create topics")


def _existing(kafka: Kafka, topic: Topic) -> Iterator[Finding]:
    if topic.partitions != kafka.partitions:
        yield _finding(
            "PEN-321",
            Severity.WARNING,
            topic.name,
            f"has {topic.partitions} partitions, and kafka.partitions is {kafka.partitions}: "
            "keys would move, and with them the order of their changes",
            f"set kafka.partitions to {topic.partitions}, or delete the topic if it is not needed",
        )
    if topic.leaderless:
        yield _finding(
            "PEN-327",
            Severity.ERROR,
            topic.name,
            f"{topic.leaderless} of {topic.partitions} partitions have no leader",
            "bring the missing brokers back",
        )
    if not topic.may_write:
        yield _finding(
            "PEN-325",
            Severity.ERROR,
            topic.name,
            "our Kafka user may not write to it",
            f"grant Write and Describe on topics that begin with {kafka.topic_prefix}. "
            "to our Kafka user",
        )
    needed = topic.settings.get("min.insync.replicas", "1")
    if needed.isdecimal() and int(needed) > topic.copies:
        yield _finding(
            "PEN-328",
            Severity.ERROR,
            topic.name,
            f"has {topic.copies} copies, and its min.insync.replicas is {needed}: "
            "every write is refused",
            "reassign its partitions to more brokers, or lower its min.insync.replicas",
        )
    yield from _retention(topic)


def _retention(topic: Topic) -> Iterator[Finding]:
    policies = topic.settings.get("cleanup.policy", "").split(",")
    if "compact" in policies:
        yield _finding(
            "PEN-322",
            Severity.NOTE,
            topic.name,
            f"cleanup.policy is {','.join(policies)}: only the last change of each key "
            "is sure to stay, so history and changelog stores may miss some",
            "set cleanup.policy=delete unless only mirrors read it",
        )
    kept = topic.settings.get("retention.ms", "-1")
    if (
        "delete" in policies
        and kept.isdecimal()
        and timedelta(milliseconds=int(kept)) < (SHORT_RETENTION)
    ):
        yield _finding(
            "PEN-322",
            Severity.NOTE,
            topic.name,
            f"keeps events for {timedelta(milliseconds=int(kept))}: an applier that stands "
            "still for longer must be rebuilt",
            f"set retention.ms to {SHORT_RETENTION // timedelta(milliseconds=1)} or more",
        )


def _hidden(name: str, refusal: Refusal) -> Finding:
    return _finding(
        "PEN-326",
        Severity.ERROR,
        name,
        redact(refusal.text),
        "grant Describe, DescribeConfigs, Create and Write on it to our Kafka user",
    )


def _creation(
    kafka: Kafka, refused: Mapping[str, Refusal], *, copies_judged: bool
) -> Iterator[Finding]:
    """One finding per reason: a hundred tables are often refused for the same one."""
    names: defaultdict[Refusal, list[str]] = defaultdict(list)
    for name, refusal in refused.items():
        names[refusal].append(name)
    for refusal, topics in names.items():
        if refusal.code == "INVALID_REPLICATION_FACTOR" and copies_judged:
            continue
        yield _refused(kafka, refusal, topics)


def _refused(kafka: Kafka, refusal: Refusal, topics: Sequence[str]) -> Finding:
    shown = [
        "the connector's own" if name == probe_topic(kafka.topic_prefix) else name
        for name in topics
    ]
    if refusal.code.endswith("AUTHORIZATION_FAILED"):
        code = "PEN-323"
        fix = (
            f"grant Create, Write and Describe on topics that begin with {kafka.topic_prefix}. "
            "to our Kafka user"
        )
    else:
        code = "PEN-324"
        fix = "change kafka.partitions or kafka.replication, or the cluster's policy"
    fact = f"creating {_listed(shown)} would fail: {redact(refusal.text)}"
    return Finding(code, Severity.ERROR, Area.KAFKA, "topics", fact, fix=fix)


def _finding(code: str, severity: Severity, topic: str, fact: str, fix: str) -> Finding:
    return Finding(code, severity, Area.KAFKA, f"topic {topic}", fact, fix=fix)


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _NAMED_AT_MOST
    shown = ", ".join(names[:_NAMED_AT_MOST])
    return f"{shown} and {more} more" if more > 0 else shown
