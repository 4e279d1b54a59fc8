"""Where the registry is that a command asks, and the way there."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import typer

from diagnosis.errors import Area, PenstockError
from diagnosis.secrets import Secret, conceal
from penstock.cli.output import screen
from penstock.cli.registry.topic import opened_topic
from penstock.config.load import load
from penstock.wiring import endpoint_of, kafka_of, registry_of
from schema_registry.client.embedded import EmbeddedSchemas
from schema_registry.client.protocol import Catalogue
from schema_registry.client.remote import RemoteSchemas
from schema_registry.http import Endpoint, NoReplyError, open_credentials
from schema_registry.registry.service import SchemaRegistry
from schema_registry.registry.topic import DEFAULT_TOPIC
from transport.kafka_settings import Kafka

CODES: Final = {
    "PEN-421": "The options of a registry command do not fit together",
    "PEN-425": "The address of the registry holds a password",
}

URL_VARIABLE: Final = "PENSTOCK_REGISTRY_URL"
USER_VARIABLE: Final = "PENSTOCK_REGISTRY_USER"
PASSWORD_VARIABLE: Final = "PENSTOCK_REGISTRY_PASSWORD"  # noqa: S105
TOKEN_VARIABLE: Final = "PENSTOCK_REGISTRY_TOKEN"  # noqa: S105
DEFAULT_URL: Final = "http://127.0.0.1:8081"

Url = Annotated[
    str | None,
    typer.Option(
        "--url",
        metavar="URL",
        help=f"A registry's REST API; by default ${URL_VARIABLE}, else {DEFAULT_URL}. "
        f"Credentials come from ${USER_VARIABLE} and ${PASSWORD_VARIABLE}, or ${TOKEN_VARIABLE}.",
        show_default=False,
    ),
]
Ca = Annotated[
    Path | None,
    typer.Option("--ca", metavar="FILE", help="The authorities to trust, with --url."),
]
Brokers = Annotated[
    str | None,
    typer.Option(
        "--brokers", metavar="HOST:PORT,…", help="Read the topic with the schemas itself."
    ),
]
Topic = Annotated[
    str | None,
    typer.Option(
        "--topic",
        help="The topic that keeps the schemas, where a topic is read.",
        show_default=DEFAULT_TOPIC,
    ),
]
ConnectorOption = Annotated[
    Path | None,
    typer.Option(
        "--connector",
        metavar="FILE",
        help="The registry of a connector, with its credentials.",
        readable=False,
    ),
]


class UnfittingOptions(PenstockError):
    """Options that say two things, or too little."""

    code, area = "PEN-421", Area.USAGE

    def __init__(self, message: str, fix: str) -> None:
        super().__init__(message, fix=fix)


class PasswordInUrl(PenstockError):
    """An address with credentials, where every user of the machine can read it."""

    code, area = "PEN-425", Area.USAGE

    def __init__(self) -> None:
        super().__init__(
            "the address given with --url holds a user or a password",
            cause="every user of this machine can read it there",
            fix=f"leave it out of the address, and set {USER_VARIABLE} and {PASSWORD_VARIABLE}",
        )


@dataclass(frozen=True, slots=True)
class Place:
    """What the options say; one of url, brokers and connector, or none of them."""

    url: str | None = None
    brokers: str | None = None
    connector: Path | None = None
    topic: str | None = None
    ca: Path | None = None


@contextmanager
def opened(place: Place, environ: Mapping[str, str] = os.environ) -> Iterator[Catalogue]:
    """Open the registry that the options name, for reading."""
    _check(place)
    if place.brokers is not None:
        with _topic(place.brokers, place) as found:
            yield found
    elif place.connector is not None:
        with _of_connector(place.connector, place) as found:
            yield found
    else:
        with _remote(_endpoint(place, environ)) as found:
            yield found


def _check(place: Place) -> None:
    given = {
        "--url": place.url,
        "--brokers": place.brokers,
        "--connector": place.connector,
    }
    named = [option for option, value in given.items() if value is not None]
    if len(named) > 1:
        raise UnfittingOptions(
            f"{' and '.join(named)} each say where the registry is", "give one of them"
        )
    if place.topic is not None and named not in (["--brokers"], ["--connector"]):
        raise UnfittingOptions(
            "--topic names a topic, and a registry is asked by its address",
            "add --brokers HOST:PORT, or leave --topic out",
        )
    if place.ca is not None and named not in (["--url"], []):
        raise UnfittingOptions(
            f"--ca does not go with {named[0]}", "name the CA file in the connector file"
        )


def _endpoint(place: Place, environ: Mapping[str, str]) -> Endpoint:
    user, password, token = (
        environ.get(name) or None for name in (USER_VARIABLE, PASSWORD_VARIABLE, TOKEN_VARIABLE)
    )
    for secret in (password, token):
        conceal(secret or "")
    if place.url is not None and "@" in place.url:
        conceal(place.url.partition("://")[2].rpartition("@")[0].partition(":")[2])
        raise PasswordInUrl
    if (user is None) != (password is None):
        raise UnfittingOptions(
            f"of {USER_VARIABLE} and {PASSWORD_VARIABLE} only one is set",
            "set both of them, or none",
        )
    if token is not None and user is not None:
        raise UnfittingOptions(
            f"{TOKEN_VARIABLE} and {USER_VARIABLE} are both set", "unset the one that is not meant"
        )
    return Endpoint(
        place.url or environ.get(URL_VARIABLE) or DEFAULT_URL,
        user,
        Secret(password) if password else None,
        Secret(token) if token else None,
        place.ca,
    )


@contextmanager
def _remote(endpoint: Endpoint) -> Iterator[Catalogue]:
    with RemoteSchemas(endpoint) as found:
        if _open_to_others(endpoint):
            screen.talk("the credentials travel without encryption; use https://", "yellow")
        yield found


def _open_to_others(endpoint: Endpoint) -> bool:
    try:
        return open_credentials(endpoint)
    except NoReplyError:  # the client has refused the address already
        return False


@contextmanager
def _of_connector(file: Path, place: Place) -> Iterator[Catalogue]:
    connector = load(file)
    endpoint = endpoint_of(registry_of(connector))
    if endpoint is None:
        with _topic(kafka_of(connector), place) as found:
            yield found
    elif place.topic is not None:
        raise UnfittingOptions(
            f"the registry of {file} is not kept in a topic of ours", "leave --topic out"
        )
    else:
        with _remote(endpoint) as found:
            yield found


@contextmanager
def _topic(brokers: Kafka | str, place: Place) -> Iterator[Catalogue]:
    with opened_topic(brokers, place.topic or DEFAULT_TOPIC, create=False) as log:
        yield EmbeddedSchemas(SchemaRegistry(log))
