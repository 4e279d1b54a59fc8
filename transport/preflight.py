"""Can this cluster carry the connector's events? Asked before anything is written.

``cluster`` collects the facts, this module judges them.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient

from diagnosis.errors import Area
from diagnosis.findings import Finding, Severity, passed
from diagnosis.secrets import redact
from schema_registry.table_name import TableName
from transport import connection_findings, topic_findings
from transport.cluster import TRANSACTION_LOG, Cluster, NoAnswerError, Refusal, look
from transport.complaints import Complaints
from transport.kafka_settings import TRANSACTION_TIMEOUT, Kafka, addresses, client_settings
from transport.topics import topic_for

CODES: Final = {
    **connection_findings.CODES,
    "PEN-307": "The brokers' settings cannot be read",
    "PEN-310": "More copies are wanted than there are brokers",
    "PEN-311": "A topic would have fewer copies than a write must reach",
    "PEN-312": "Kafka's transaction log cannot work",
    "PEN-313": "The brokers' limit for transactions is shorter than ours",
    "PEN-314": "The brokers make topics by themselves",
    "PEN-315": "Every record would have one copy only",
    **topic_findings.CODES,
}

_SUBJECT: Final = "cluster"


def inspect(kafka: Kafka, tables: Sequence[TableName]) -> list[Finding]:
    """Look at the cluster and at the topics these tables would have there."""
    findings = topic_findings.shared(kafka.topic_prefix, tables)
    if unusable := list(connection_findings.unusable_files(kafka.security)):
        return [*findings, *unusable]
    if not addresses(kafka.brokers):
        return [*findings, connection_findings.no_address()]
    complaints = Complaints()
    try:
        admin = AdminClient(client_settings(kafka, complaints))
    except (KafkaException, ValueError, TypeError) as error:
        return [*findings, connection_findings.refused_settings(error)]
    with admin:
        try:
            names = {topic_for(kafka.topic_prefix, table) for table in tables}
            cluster = look(kafka, names, admin, complaints)
        except NoAnswerError:
            return [*findings, *connection_findings.unreachable(kafka, complaints)]
        except KafkaException as error:
            return [*findings, _asking_failed(error)]
    return [*findings, *judge(kafka, cluster)]


def judge(kafka: Kafka, cluster: Cluster) -> list[Finding]:
    """Say what the facts mean for this connector."""
    found = [
        passed(
            Area.KAFKA,
            _SUBJECT,
            f"cluster {cluster.id} answers with {_counted(len(cluster.brokers), 'broker')}",
        ),
        *connection_findings.silent_brokers(cluster.silent),
    ]
    if len(cluster.silent) == len(cluster.brokers):
        return found
    if isinstance(cluster.settings, Refusal):
        found.append(_unread_settings(cluster.settings))
        settings: Mapping[str, str] = {}
    else:
        settings = cluster.settings
        found.extend(_copies(kafka, len(cluster.brokers), settings))
        found.extend(_habits(settings))
    if kafka.delivery == "exactly_once":
        found.extend(_transactions(cluster, settings))
    too_many_copies = any(finding.code == "PEN-310" for finding in found)
    return [*found, *topic_findings.judge(kafka, cluster, copies_judged=too_many_copies)]


def _asking_failed(error: KafkaException) -> Finding:
    return Finding(
        "PEN-301",
        Severity.ERROR,
        Area.KAFKA,
        _SUBJECT,
        f"the cluster answered at first and then failed: {redact(error.args[0].str())}",
        fix="look at the brokers' logs, and run the check again",
    )


def _unread_settings(refusal: Refusal) -> Finding:
    return Finding(
        "PEN-307",
        Severity.NOTE,
        Area.KAFKA,
        _SUBJECT,
        f"the brokers' settings are not compared with ours: {redact(refusal.text)}",
        fix="grant DescribeConfigs on the cluster to our Kafka user, to have them compared",
    )


def _copies(kafka: Kafka, brokers: int, settings: Mapping[str, str]) -> Iterator[Finding]:
    asked = kafka.replication
    copies = asked if asked is not None else _number(settings, "default.replication.factor", 1)
    source = "kafka.replication" if asked is not None else "the broker's default.replication.factor"
    if copies > brokers:
        yield _copies_finding(
            "PEN-310",
            Severity.ERROR,
            f"{source} is {copies}, and the cluster has {_counted(brokers, 'broker')}",
            f"set kafka.replication to {brokers}, or add brokers",
        )
        return
    needed = _number(settings, "min.insync.replicas", 1)
    if needed > copies:
        yield _copies_finding(
            "PEN-311",
            Severity.ERROR,
            f"{source} is {copies}, and min.insync.replicas {needed}: every write is refused",
            f"set kafka.replication to {needed} or more",
        )
    elif copies == 1:
        yield _copies_finding(
            "PEN-315",
            Severity.WARNING if brokers > 1 else Severity.NOTE,
            f"{source} is 1: a lost disk loses events that Postgres no longer has",
            "set kafka.replication to 3, on a cluster of three brokers or more",
        )
    else:
        yield passed(Area.KAFKA, _SUBJECT, f"each record has {copies} copies")


def _copies_finding(code: str, severity: Severity, fact: str, fix: str) -> Finding:
    return Finding(code, severity, Area.KAFKA, "replication", fact, fix=fix)


def _habits(settings: Mapping[str, str]) -> Iterator[Finding]:
    largest = _number(settings, "message.max.bytes", 0)
    if largest:
        yield passed(
            Area.KAFKA, _SUBJECT, f"takes batches of up to {largest:,} bytes (message.max.bytes)"
        )
    if settings.get("auto.create.topics.enable") == "true":
        yield Finding(
            "PEN-314",
            Severity.NOTE,
            Area.KAFKA,
            _SUBJECT,
            "auto.create.topics.enable is on: a consumer that names a topic too early "
            "makes it, with settings that nobody chose",
            fix="set auto.create.topics.enable=false on the brokers",
        )


def _transactions(cluster: Cluster, settings: Mapping[str, str]) -> Iterator[Finding]:
    trouble = list(_transaction_log(cluster, settings))
    yield from trouble
    ours = TRANSACTION_TIMEOUT.total_seconds() * 1000
    limit = _number(settings, "transaction.max.timeout.ms", 900_000)
    if limit < ours:
        yield Finding(
            "PEN-313",
            Severity.ERROR,
            Area.KAFKA,
            "transactions",
            f"transaction.max.timeout.ms is {limit}, and we need {ours:.0f}",
            fix=f"set transaction.max.timeout.ms to {ours:.0f} or more on the brokers, "
            "or use delivery: at_least_once",
        )
    elif settings and not trouble:
        yield passed(Area.KAFKA, "transactions", "the cluster can keep Kafka transactions")


def _transaction_log(cluster: Cluster, settings: Mapping[str, str]) -> Iterator[Finding]:
    log = cluster.topics.get(TRANSACTION_LOG)
    brokers = len(cluster.brokers)
    if log is not None:
        # It was made already; how many copies a new one would have is moot.
        needed = _number(log.settings, "min.insync.replicas", 1)
        if log.in_sync < needed:
            yield _transaction_finding(
                f"a partition of {TRANSACTION_LOG} has {log.in_sync} copies in step, "
                f"and its min.insync.replicas is {needed}",
                "bring the missing brokers back",
            )
        return
    copies, in_step = "transaction.state.log.replication.factor", "transaction.state.log.min.isr"
    if _number(settings, copies, 1) < _number(settings, in_step, 1):
        yield _transaction_finding(
            f"{in_step} is larger than {copies}: no transaction can begin",
            f"set {in_step} on the brokers to {_number(settings, copies, 1)} or less",
        )
    for name in (copies, in_step):
        wanted = _number(settings, name, 1)
        if wanted > brokers:
            yield _transaction_finding(
                f"{name} is {wanted}, and the cluster has {_counted(brokers, 'broker')}: "
                "no transaction can begin",
                f"set {name}={brokers} on the brokers, or use delivery: at_least_once",
            )


def _transaction_finding(fact: str, fix: str) -> Finding:
    return Finding("PEN-312", Severity.ERROR, Area.KAFKA, "transactions", fact, fix=fix)


def _number(settings: Mapping[str, str], name: str, default: int) -> int:
    value = settings.get(name, "")
    return int(value) if value.isdecimal() else default


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
