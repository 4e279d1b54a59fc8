"""A Kafka cluster and how to log in there, and the same in librdkafka's words."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, Literal

from diagnosis.secrets import Secret, conceal
from transport.complaints import Complaints

Delivery = Literal["exactly_once", "at_least_once"]
Protocol = Literal["plaintext", "ssl", "sasl_plaintext", "sasl_ssl"]
Mechanism = Literal["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "GSSAPI"]

DEFAULT_PORT: Final = 9092

# How long a Kafka transaction of ours may stay open before the broker ends it.
# The broker refuses a producer that asks for more than its own limit.
TRANSACTION_TIMEOUT: Final = timedelta(seconds=60)

# Long enough for a handshake across continents; librdkafka would take 30 s,
# and then its reason comes after the person has stopped waiting.
_CONNECT_WITHIN: Final = timedelta(seconds=6)


@dataclass(frozen=True, slots=True)
class Security:
    """How the brokers know us, and how we know them."""

    protocol: Protocol
    mechanism: Mechanism | None = None
    username: str | None = None
    password: Secret | None = None
    ca: Path | None = None
    certificate: Path | None = None
    key: Path | None = None
    key_password: Secret | None = None


@dataclass(frozen=True, slots=True)
class Kafka:
    """The cluster that a connector writes to, and how it does.

    ``replication`` None leaves the number of copies to the brokers' default.
    """

    brokers: str
    topic_prefix: str
    delivery: Delivery = "exactly_once"
    partitions: int = 1
    replication: int | None = None
    security: Security | None = None


def client_settings(kafka: Kafka, complaints: Complaints) -> dict[str, Any]:
    """Turn a cluster into the settings that every client of ours starts from."""
    return {**plain_settings(kafka.brokers, complaints), **_security_settings(kafka.security)}


def plain_settings(brokers: str, complaints: Complaints) -> dict[str, Any]:
    """Give the settings for brokers that want neither TLS nor a login."""
    return {
        "bootstrap.servers": brokers,
        "client.id": "penstock",
        "logger": complaints.logger(),
        "error_cb": complaints,
        "socket.connection.setup.timeout.ms": _CONNECT_WITHIN // timedelta(milliseconds=1),
    }


def addresses(brokers: str) -> tuple[str, ...]:
    """Split a broker list as librdkafka does, with its default port filled in."""
    parts = (part.strip().rpartition("://")[2] for part in brokers.split(","))
    return tuple(_with_port(part) for part in parts if part)


def _with_port(address: str) -> str:
    has_port = ":" in address.rpartition("]")[2]
    return address if has_port else f"{address}:{DEFAULT_PORT}"


def _security_settings(security: Security | None) -> Mapping[str, Any]:
    if security is None:
        return {}
    for secret in (security.password, security.key_password):
        if secret is not None:
            conceal(secret.reveal())
    wanted = {
        "security.protocol": security.protocol,
        "sasl.mechanism": security.mechanism,
        "sasl.username": security.username,
        "sasl.password": security.password and security.password.reveal(),
        "ssl.ca.location": security.ca and str(security.ca),
        "ssl.certificate.location": security.certificate and str(security.certificate),
        "ssl.key.location": security.key and str(security.key),
        "ssl.key.password": security.key_password and security.key_password.reveal(),
    }
    return {name: value for name, value in wanted.items() if value is not None}
