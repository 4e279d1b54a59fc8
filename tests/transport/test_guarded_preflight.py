"""What a cluster with logins, rights and unfit settings is told about."""

from collections.abc import Sequence

from confluent_kafka.admin import (
    AclBinding,
    AclOperation,
    AclPermissionType,
    AdminClient,
    NewTopic,
    ResourcePatternType,
    ResourceType,
)

from diagnosis.findings import Finding, Severity
from schema_registry.table_name import TableName
from tests.transport.guarded_kafka import PASSWORDS, UNREACHABLE, GuardedKafka
from transport.complaints import Complaints
from transport.kafka_settings import Kafka, client_settings
from transport.preflight import inspect

ORDERS = TableName("public", "orders")


def by_code(findings: list[Finding]) -> dict[str, Finding]:
    return {finding.code: finding for finding in findings if finding.severity > Severity.OK}


def as_admin(server: GuardedKafka) -> AdminClient:
    return AdminClient(client_settings(server.cluster("admin"), Complaints()))


def allow(server: GuardedKafka, prefix: str, operations: Sequence[AclOperation]) -> None:
    acls = [
        AclBinding(
            ResourceType.TOPIC,
            f"{prefix}.",
            ResourcePatternType.PREFIXED,
            "User:reader",
            "*",
            operation,
            AclPermissionType.ALLOW,
        )
        for operation in operations
    ]
    with as_admin(server) as admin:
        for future in admin.create_acls(acls).values():
            future.result(timeout=20)


def test_a_wrong_password_is_told_and_not_shown(guarded_kafka: GuardedKafka) -> None:
    findings = inspect(guarded_kafka.cluster("admin", password="guessed-wrong"), [ORDERS])
    assert list(by_code(findings)) == ["PEN-303"]
    assert "guessed-wrong" not in repr(findings)


def test_no_login_at_all_is_told(guarded_kafka: GuardedKafka) -> None:
    findings = inspect(Kafka(guarded_kafka.brokers, "t"), [ORDERS])
    assert findings
    assert {finding.severity for finding in findings} == {Severity.ERROR}
    assert findings[0].subject == f"broker {guarded_kafka.brokers}"


def test_settings_for_three_brokers_do_not_fit_one(
    guarded_kafka: GuardedKafka, prefix: str
) -> None:
    found = by_code(inspect(guarded_kafka.cluster("admin", prefix), [ORDERS]))
    assert set(found) == {"PEN-310", "PEN-312", "PEN-313", "PEN-314"}
    assert found["PEN-310"].fact.startswith("the broker's default.replication.factor is 3")
    assert found["PEN-313"].fact == "transaction.max.timeout.ms is 30000, and we need 60000"
    assert found["PEN-314"].severity is Severity.NOTE


def test_both_settings_of_the_transaction_log_are_named(
    guarded_kafka: GuardedKafka, prefix: str
) -> None:
    findings = inspect(guarded_kafka.cluster("admin", prefix), [ORDERS])
    facts = [finding.fact for finding in findings if finding.code == "PEN-312"]
    assert [fact.partition(" is ")[0] for fact in facts] == [
        "transaction.state.log.replication.factor",
        "transaction.state.log.min.isr",
    ]


def test_without_transactions_their_settings_do_not_matter(
    guarded_kafka: GuardedKafka, prefix: str
) -> None:
    login = guarded_kafka.login("admin")
    kafka = Kafka(guarded_kafka.brokers, prefix, delivery="at_least_once", security=login)
    assert set(by_code(inspect(kafka, [ORDERS]))) == {"PEN-310", "PEN-314"}


def test_fewer_copies_than_a_write_must_reach_are_an_error(
    guarded_kafka: GuardedKafka, prefix: str
) -> None:
    login = guarded_kafka.login("admin")
    kafka = Kafka(guarded_kafka.brokers, prefix, "at_least_once", replication=1, security=login)
    found = by_code(inspect(kafka, [ORDERS]))
    assert "min.insync.replicas 2" in found["PEN-311"].fact


def test_a_look_makes_no_topic_even_where_the_broker_would(
    guarded_kafka: GuardedKafka, prefix: str
) -> None:
    inspect(guarded_kafka.cluster("admin", prefix), [ORDERS])
    with as_admin(guarded_kafka) as admin:
        known = admin.list_topics(timeout=10).topics
    assert [name for name in known if name.startswith(prefix)] == []


def test_a_user_without_any_right_is_told_each_of_them(
    guarded_kafka: GuardedKafka, prefix: str
) -> None:
    found = by_code(inspect(guarded_kafka.cluster("nobody", prefix), [ORDERS]))
    assert set(found) == {"PEN-307", "PEN-323", "PEN-326"}
    assert found["PEN-307"].severity is Severity.NOTE
    assert found["PEN-323"].fix is not None
    assert f"{prefix}." in found["PEN-323"].fix
    assert found["PEN-326"].subject == f"topic {prefix}.public.orders"


def test_a_user_who_may_only_read_a_topic_is_told(guarded_kafka: GuardedKafka, prefix: str) -> None:
    topic = f"{prefix}.public.orders"
    allow(guarded_kafka, prefix, [AclOperation.DESCRIBE, AclOperation.READ])
    with as_admin(guarded_kafka) as admin:
        admin.create_topics([NewTopic(topic, 1, 1)])[topic].result(timeout=20)
    found = by_code(inspect(guarded_kafka.cluster("reader", prefix), [ORDERS]))
    assert found["PEN-325"].subject == f"topic {topic}"
    assert "the connector's own" in found["PEN-323"].fact


def test_an_advertised_address_where_nobody_is_is_named(
    guarded_kafka: GuardedKafka, prefix: str
) -> None:
    found = by_code(inspect(guarded_kafka.lost_cluster(prefix), [ORDERS]))
    assert set(found) == {"PEN-306"}
    assert found["PEN-306"].subject == f"broker {UNREACHABLE}"
    assert "refused" in found["PEN-306"].fact


def test_no_password_is_in_any_finding(guarded_kafka: GuardedKafka, prefix: str) -> None:
    for user, password in PASSWORDS.items():
        assert password not in repr(inspect(guarded_kafka.cluster(user, prefix), [ORDERS]))
