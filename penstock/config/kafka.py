"""The brokers: how they are reached, and how events are written to them."""

from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from penstock.config import values
from penstock.config.fields import NUMBER, LocalPath, Matching, SecretText, Section, Text


class KafkaSecurity(Section):
    """How the brokers know us, and we them."""

    protocol: Literal["plaintext", "ssl", "sasl_plaintext", "sasl_ssl"] = Field(
        description="What the listener of the brokers speaks."
    )
    mechanism: Literal["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"] | None = Field(
        default=None, description="How the password is proven, with sasl_*."
    )
    username: Text | None = Field(default=None, description="The user, with sasl_*.")
    password: SecretText | None = Field(
        default=None,
        description="The password, with sasl_*: a secret, so give a reference.",
        examples=["${KAFKA_PASSWORD}"],
    )
    ca: LocalPath | None = Field(
        default=None,
        description="A PEM file with the authorities to trust; by default, those of the system.",
        examples=["./ca.pem"],
    )
    certificate: LocalPath | None = Field(
        default=None, description="Our own certificate (PEM), with key.", examples=["./client.pem"]
    )
    key: LocalPath | None = Field(
        default=None, description="Its private key (PEM).", examples=["./client.key"]
    )
    key_password: SecretText | None = Field(
        default=None,
        description="The password of the key: a secret, so give a reference.",
        examples=["${file:secrets/key_password}"],
    )

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        given = self.model_fields_set
        sasl = ("mechanism", "username", "password")
        tls = ("ca", "certificate", "key", "key_password")
        if self.protocol.startswith("sasl") and (
            absent := [key for key in sasl if key not in given]
        ):
            raise ValueError(f"protocol {self.protocol} needs {_listed(absent)} as well")
        if not self.protocol.startswith("sasl") and (idle := [key for key in sasl if key in given]):
            raise ValueError(f"{_listed(idle)} would not be used with protocol {self.protocol}")
        if not self.protocol.endswith("ssl") and (idle := [key for key in tls if key in given]):
            raise ValueError(f"{_listed(idle)} would not be used with protocol {self.protocol}")
        if (self.certificate is None) != (self.key is None):
            raise ValueError("certificate and key belong together; one is missing")
        if self.key_password is not None and self.key is None:
            raise ValueError("key_password would not be used without key")
        return self


class Kafka(Section):
    """The brokers, and how events are written to them."""

    brokers: Annotated[
        tuple[str, ...],
        BeforeValidator(values.brokers),
        Field(strict=False),
        WithJsonSchema(
            {
                "anyOf": [
                    {"type": "string", "pattern": r":[0-9]{1,5}\s*$"},
                    {
                        "type": "array",
                        "minItems": 1,
                        "items": {"type": "string", "pattern": r":[0-9]{1,5}\s*$"},
                    },
                ]
            }
        ),
    ] = Field(
        description="The brokers to ask first: host:port,host:port or a list.",
        examples=["127.0.0.1:9092", ["kafka-1:9092", "kafka-2:9092"]],
    )
    format: Literal["avro", "json"] = Field(
        default="avro", description="avro in the wire format of Confluent, or json."
    )
    delivery: Literal["exactly_once", "at_least_once"] = Field(
        default="exactly_once",
        description="exactly_once writes with Kafka transactions, at_least_once without: quicker "
        "by milliseconds, and a reader may see an event twice.",
    )
    topic_prefix: Annotated[
        str,
        Matching(values.TOPIC_PREFIX, "must hold 1 to 120 letters, digits, ., _ and - only"),
    ] = Field(
        description="What the topics begin with: <prefix>.<schema>.<table>; by default, the "
        "connector's name.",
        examples=["shop"],
    )
    partitions: Annotated[int, Field(ge=1, le=10_000), NUMBER] = Field(
        default=1, description="How many partitions a new topic gets.", examples=[6]
    )
    replication: Annotated[int, Field(ge=1, le=32_767), NUMBER] | None = Field(
        default=None,
        description="How many brokers hold each partition of a new topic; by default, what the "
        "brokers say.",
        examples=[3],
    )
    security: KafkaSecurity | None = Field(
        default=None, description="TLS and passwords; by default, neither."
    )


def _listed(keys: list[str]) -> str:
    return " and ".join([", ".join(keys[:-1]), keys[-1]] if len(keys) > 1 else keys)
