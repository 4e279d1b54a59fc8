from pathlib import Path

import pytest
from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient, NewTopic

from diagnosis.findings import Finding, Severity
from diagnosis.secrets import Secret
from schema_registry.table_name import TableName
from tests.fixtures.servers import Kafka as Broker
from tests.schema_registry.codes import spoken_of
from tests.transport.listeners import babbling_listener, closed_port, silent_listener
from transport import connection_findings, preflight, topic_findings
from transport.cluster import Cluster
from transport.complaints import Complaints
from transport.kafka_settings import Kafka, Security, plain_settings
from transport.preflight import CODES, inspect

ORDERS = TableName("public", "orders")


def codes(findings: list[Finding], least: Severity = Severity.NOTE) -> list[str]:
    return [finding.code for finding in findings if finding.severity >= least]


def only(findings: list[Finding], code: str) -> Finding:
    found = [finding for finding in findings if finding.code == code]
    assert len(found) == 1, findings
    return found[0]


def topics_of(broker: Broker) -> set[str]:
    with AdminClient(plain_settings(broker.brokers, Complaints())) as admin:
        return set(admin.list_topics(timeout=10).topics)


def make_topic(broker: Broker, name: str, partitions: int, **settings: str) -> None:
    config = {key.replace("_", "."): value for key, value in settings.items()}
    with AdminClient(plain_settings(broker.brokers, Complaints())) as admin:
        made = admin.create_topics([NewTopic(name, partitions, 1, config=config)])
        made[name].result(timeout=20)


def test_a_fit_cluster_passes_and_nothing_is_made_there(kafka: Broker, prefix: str) -> None:
    before = topics_of(kafka)
    findings = inspect(Kafka(kafka.brokers, prefix), [ORDERS])
    assert codes(findings) == ["PEN-315"]
    assert only(findings, "PEN-315").severity is Severity.NOTE
    facts = " | ".join(finding.fact for finding in findings if finding.code == "PEN-000")
    assert "answers with 1 broker" in facts
    assert "message.max.bytes" in facts
    assert "can keep Kafka transactions" in facts
    assert "we may create topics" in facts
    assert topics_of(kafka) == before


def test_a_port_where_nothing_listens_is_named_with_the_reason() -> None:
    address = closed_port()
    finding = only(inspect(Kafka(address, "t"), []), "PEN-301")
    assert finding.subject == f"broker {address}"
    assert "Connection refused" in finding.fact
    assert finding.severity is Severity.ERROR


def test_each_address_has_its_own_reason() -> None:
    findings = inspect(Kafka(f"{closed_port()}, nowhere.invalid", "t"), [])
    assert [finding.code for finding in findings] == ["PEN-301", "PEN-301"]
    assert "refused" in findings[0].fact
    assert findings[1].subject == "broker nowhere.invalid:9092"
    assert "resolve" in findings[1].fact


def test_one_good_address_among_bad_ones_is_enough(kafka: Broker, prefix: str) -> None:
    findings = inspect(Kafka(f"{closed_port()},{kafka.brokers}", prefix), [])
    assert codes(findings, Severity.WARNING) == []


def test_a_listener_that_says_nothing_is_no_broker() -> None:
    with silent_listener() as address:
        finding = only(inspect(Kafka(address, "t"), []), "PEN-304")
    assert "says nothing" in finding.fact


def test_a_web_server_is_no_broker() -> None:
    with babbling_listener(b"HTTP/1.1 400 Bad Request\r\n\r\n") as address:
        finding = only(inspect(Kafka(address, "t"), []), "PEN-304")
    assert finding.subject == f"broker {address}"
    assert "receive.message.max.bytes" not in finding.fact


def test_an_empty_broker_list_is_an_error() -> None:
    assert codes(inspect(Kafka(" , ", "t"), [])) == ["PEN-301"]


def test_tls_against_a_listener_without_it_is_told_as_such(kafka: Broker) -> None:
    finding = only(inspect(Kafka(kafka.brokers, "t", security=Security("ssl")), []), "PEN-302")
    assert "SSL" in finding.fact
    assert finding.fix is not None
    assert "we speak ssl" in finding.fix


def test_a_login_where_none_is_asked_for_is_told_without_the_password(kafka: Broker) -> None:
    login = Security("sasl_plaintext", "PLAIN", "app", Secret("correct-horse"))
    findings = inspect(Kafka(kafka.brokers, "t", security=login), [])
    assert codes(findings) == ["PEN-303"]
    assert "correct-horse" not in repr(findings)


def test_a_missing_ca_file_is_named(kafka: Broker, tmp_path: Path) -> None:
    security = Security("ssl", ca=tmp_path / "no-ca.pem")
    finding = only(inspect(Kafka(kafka.brokers, "t", security=security), []), "PEN-305")
    assert "no-ca.pem" in finding.fact


def test_a_key_file_that_is_none_is_refused_before_connecting(tmp_path: Path) -> None:
    key = tmp_path / "key.pem"
    key.write_text("this is no key")
    security = Security("ssl", key=key, key_password=Secret("battery-staple"))
    findings = inspect(Kafka("127.0.0.1:1", "t", security=security), [])
    assert codes(findings) == ["PEN-305"]
    assert "battery-staple" not in repr(findings)


def test_librdkafka_prints_nothing_by_itself(capfd: pytest.CaptureFixture[str]) -> None:
    inspect(Kafka(closed_port(), "t"), [])
    inspect(Kafka("127.0.0.1:1", "t", security=Security("ssl")), [])
    assert capfd.readouterr() == ("", "")


def test_more_copies_than_brokers_are_an_error_told_once(kafka: Broker, prefix: str) -> None:
    findings = inspect(Kafka(kafka.brokers, prefix, replication=3), [ORDERS])
    assert codes(findings) == ["PEN-310"]
    assert only(findings, "PEN-310").fact == "kafka.replication is 3, and the cluster has 1 broker"


def test_more_partitions_than_kafka_makes_at_once_are_refused(kafka: Broker, prefix: str) -> None:
    findings = inspect(Kafka(kafka.brokers, prefix, partitions=100_000), [ORDERS])
    assert codes(findings, Severity.ERROR) == ["PEN-324"]


def test_an_existing_topic_with_other_partitions_is_a_warning(kafka: Broker, prefix: str) -> None:
    make_topic(kafka, f"{prefix}.public.orders", 3)
    findings = inspect(Kafka(kafka.brokers, prefix, partitions=2), [ORDERS])
    finding = only(findings, "PEN-321")
    assert finding.severity is Severity.WARNING
    assert "3 partitions" in finding.fact
    assert "kafka.partitions is 2" in finding.fact


def test_an_existing_topic_as_wanted_is_fine(kafka: Broker, prefix: str) -> None:
    make_topic(kafka, f"{prefix}.public.orders", 2)
    findings = inspect(Kafka(kafka.brokers, prefix, partitions=2), [ORDERS])
    assert codes(findings, Severity.WARNING) == []
    assert any("1 of the tables' topics exist" in finding.fact for finding in findings)


def test_a_topic_that_forgets_soon_is_noted(kafka: Broker, prefix: str) -> None:
    make_topic(kafka, f"{prefix}.public.orders", 1, retention_ms="3600000")
    finding = only(inspect(Kafka(kafka.brokers, prefix), [ORDERS]), "PEN-322")
    assert finding.severity is Severity.NOTE
    assert "1:00:00" in finding.fact


def test_a_compacted_topic_is_noted(kafka: Broker, prefix: str) -> None:
    make_topic(kafka, f"{prefix}.public.orders", 1, cleanup_policy="compact")
    assert "compact" in only(inspect(Kafka(kafka.brokers, prefix), [ORDERS]), "PEN-322").fact


def test_a_topic_that_takes_no_write_for_want_of_copies_is_an_error(
    kafka: Broker, prefix: str
) -> None:
    make_topic(kafka, f"{prefix}.public.orders", 1, min_insync_replicas="2")
    finding = only(inspect(Kafka(kafka.brokers, prefix), [ORDERS]), "PEN-328")
    assert finding.severity is Severity.ERROR


def test_tables_that_share_a_topic_are_named(kafka: Broker, prefix: str) -> None:
    tables = [TableName("public", "a b"), TableName("public", "a_b")]
    finding = only(inspect(Kafka(kafka.brokers, prefix), tables), "PEN-320")
    assert finding.subject == f"topic {prefix}.public.a_b"
    assert "public.a b, public.a_b" in finding.fact


def test_a_clash_is_told_even_if_no_broker_answers() -> None:
    tables = [TableName("public", "a b"), TableName("public", "a_b")]
    assert codes(inspect(Kafka(closed_port(), "t"), tables)) == ["PEN-320", "PEN-301"]


def test_strange_names_are_looked_at_under_their_topics(kafka: Broker, prefix: str) -> None:
    table = TableName('we"ird', "größe; DROP TABLE x")
    findings = inspect(Kafka(kafka.brokers, prefix), [table])
    assert codes(findings, Severity.WARNING) == []


def test_a_working_transaction_log_is_trusted(kafka: Broker, prefix: str) -> None:
    producer = Producer({**plain_settings(kafka.brokers, Complaints()), "transactional.id": prefix})
    with producer:
        producer.init_transactions(30)
    findings = inspect(Kafka(kafka.brokers, prefix), [ORDERS])
    assert any("can keep Kafka transactions" in finding.fact for finding in findings)


def test_every_code_has_a_title_and_a_use() -> None:
    mentions = spoken_of(connection_findings, preflight, topic_findings)
    assert set(mentions) == set(CODES)
    assert min(mentions.values()) > 1


def test_a_transaction_log_that_wants_more_copies_in_step_than_it_has_is_an_error() -> None:
    # Three brokers are not to be had on a test machine, so the facts are given.
    settings = {
        "transaction.state.log.replication.factor": "1",
        "transaction.state.log.min.isr": "2",
    }
    brokers = {number: f"broker-{number}:9092" for number in range(3)}
    cluster = Cluster("id", brokers, settings, {}, {}, {}, {})
    finding = only(preflight.judge(Kafka("broker-0:9092", "t"), cluster), "PEN-312")
    assert "min.isr is larger" in finding.fact
