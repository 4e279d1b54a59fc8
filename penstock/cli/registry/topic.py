"""Opening the topic that keeps the schemas, and saying why it cannot be."""

from collections.abc import Iterator
from contextlib import contextmanager

from schema_registry.registry.errors import LogUnavailable
from schema_registry.registry.log import Notice, SchemaLog
from transport.complaints import Complaints
from transport.kafka_settings import Kafka, client_settings, plain_settings


@contextmanager
def opened_topic(
    brokers: Kafka | str, topic: str, *, create: bool, notice: Notice = lambda _: None
) -> Iterator[SchemaLog]:
    """Open the topic; brokers in a text want neither TLS nor a login."""
    complaints = Complaints()
    if isinstance(brokers, Kafka):
        settings, replication = client_settings(brokers, complaints), brokers.replication
    else:
        settings, replication = plain_settings(brokers, complaints), None
    try:
        log = SchemaLog(settings, topic, replication, create=create)
    except LogUnavailable as error:
        # The call itself says no more than that time ran out.
        reasons = [f"{each.address}: {each.text}" for each in complaints.by_address.values()]
        error.cause = "; ".join(reasons) or error.cause
        raise
    with log:
        # From here on nobody else tells of it.
        log.notice = notice
        yield log
