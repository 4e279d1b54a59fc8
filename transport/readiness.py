"""Does a broker answer? Asked while one is being started."""

from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient

from transport.complaints import Complaints
from transport.kafka_settings import plain_settings


def broker_answers(brokers: str, timeout: float = 1.0) -> bool:
    """Tell whether a broker gives its metadata in time. Prints nothing."""
    with AdminClient(plain_settings(brokers, Complaints())) as admin:
        try:
            return bool(admin.list_topics(timeout=timeout).brokers)
        except KafkaException:
            return False
