"""The topic of the embedded registry, looked at before anything runs."""

from confluent_kafka.admin import AdminClient, NewTopic

from diagnosis.findings import Severity
from schema_registry.preflight import inspect_topic
from schema_registry.registry.log import SchemaLog
from tests.fixtures.servers import Kafka
from transport.complaints import Complaints
from transport.kafka_settings import plain_settings


def test_a_topic_that_is_missing_will_be_made_and_is_not_made_by_looking(
    kafka: Kafka, prefix: str
) -> None:
    settings = plain_settings(kafka.brokers, Complaints())
    for _ in range(2):
        (finding,) = inspect_topic(settings, prefix)
        assert (finding.severity, finding.fact) == (
            Severity.OK,
            "will be made for the embedded registry",
        )


def test_the_topic_of_a_registry_is_fine(kafka: Kafka, prefix: str) -> None:
    settings = plain_settings(kafka.brokers, Complaints())
    with SchemaLog(settings, prefix):
        (finding,) = inspect_topic(settings, prefix)
    assert finding.fact == "keeps the embedded registry's schemas"


def test_a_topic_that_forgets_is_an_error_with_what_mends_it(kafka: Kafka, prefix: str) -> None:
    settings = plain_settings(kafka.brokers, Complaints())
    with AdminClient({"bootstrap.servers": kafka.brokers}) as admin:
        wanted = NewTopic(prefix, 1, 1, config={"cleanup.policy": "delete"})
        admin.create_topics([wanted])[prefix].result(20)
    (finding,) = inspect_topic(settings, prefix)
    assert (finding.code, finding.severity) == ("PEN-412", Severity.ERROR)
    assert "cleanup.policy" in (finding.fix or "")
