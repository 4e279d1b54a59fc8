"""Why no broker could be spoken to, address by address."""

import os
from collections.abc import Iterator, Mapping
from typing import Final, assert_never

from confluent_kafka import KafkaException

from diagnosis.errors import Area
from diagnosis.findings import Finding, Severity
from diagnosis.secrets import redact
from transport.complaints import Cause, Complaint, Complaints
from transport.kafka_settings import Kafka, Security, addresses

CODES: Final = {
    "PEN-301": "No broker answers at this address",
    "PEN-302": "TLS with a broker fails",
    "PEN-303": "Kafka refuses the login",
    "PEN-304": "What answers at a broker's address is not Kafka",
    "PEN-305": "The Kafka client refuses its settings",
    "PEN-306": "A broker gives an address for itself that cannot be reached",
}

_CODE_OF: Final = {
    Cause.CONNECT: "PEN-301",
    Cause.TLS: "PEN-302",
    Cause.LOGIN: "PEN-303",
    Cause.PROTOCOL: "PEN-304",
}


def unreachable(kafka: Kafka, complaints: Complaints) -> Iterator[Finding]:
    """Say of each address why it gave no answer."""
    advertised = {
        complaint.address: complaint.text
        for complaint in complaints.by_address.values()
        if complaint.advertised
    }
    yield from silent_brokers(advertised)
    for address in addresses(kafka.brokers):
        # A broker that sent us on to another address has answered.
        if advertised and (address in advertised or complaints.about(address) is None):
            continue
        silent = Complaint(address, Cause.CONNECT, "no answer in time")
        heard = complaints.about(address) or silent
        yield Finding(
            _CODE_OF[heard.cause],
            Severity.ERROR,
            Area.KAFKA,
            f"broker {redact(address)}",
            heard.text,
            fix=_advice(heard.cause, kafka),
        )


def silent_brokers(silent: Mapping[str, str]) -> Iterator[Finding]:
    """Name the addresses that the cluster gives for its brokers, and that fail."""
    for address, reason in sorted(silent.items()):
        yield Finding(
            "PEN-306",
            Severity.ERROR,
            Area.KAFKA,
            f"broker {address}",
            f"the cluster gives this address for one of its brokers: {reason}",
            fix="set advertised.listeners of that broker to an address that works from here",
        )


def _advice(cause: Cause, kafka: Kafka) -> str:
    protocol = kafka.security.protocol if kafka.security else "plaintext"
    match cause:
        case Cause.CONNECT:
            return "check kafka.brokers, that the broker runs, and the network between"
        case Cause.TLS:
            return (
                f"compare kafka.security with the broker's listener: we speak {protocol}; "
                "check the CA file, and that the certificate is for this host name"
            )
        case Cause.LOGIN:
            return (
                "check mechanism, username and password in kafka.security, "
                f"and that this listener speaks {protocol}"
            )
        case Cause.PROTOCOL:
            return (
                "check the port in kafka.brokers: another service listens there, "
                f"or a listener that does not speak {protocol}"
            )
    assert_never(cause)


def no_address() -> Finding:
    """Say that the list of brokers is empty."""
    return Finding(
        "PEN-301",
        Severity.ERROR,
        Area.KAFKA,
        "kafka.brokers",
        "names no broker",
        fix="write kafka.brokers as host:port, several of them with commas between",
    )


def unusable_files(security: Security | None) -> Iterator[Finding]:
    """Name the files that cannot be read; librdkafka names only its setting."""
    if security is None:
        return
    for path in (security.ca, security.certificate, security.key):
        if path is not None and not (path.is_file() and os.access(path, os.R_OK)):
            yield Finding(
                "PEN-305",
                Severity.ERROR,
                Area.KAFKA,
                "kafka.security",
                f"{path} is no file that we can read",
                fix="correct the path, or let our user read the file",
            )


def refused_settings(error: Exception) -> Finding:
    """Say why librdkafka would not even start."""
    reason = error.args[0].str() if isinstance(error, KafkaException) else str(error)
    return Finding(
        "PEN-305",
        Severity.ERROR,
        Area.KAFKA,
        "kafka.security",
        redact(reason.removeprefix("Failed to create admin client: ")),
        fix="check the files and the mechanism named in kafka.security",
    )
