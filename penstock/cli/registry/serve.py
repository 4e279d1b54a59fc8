"""penstock registry serve: the registry's REST API, until it is told to stop."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Final

import typer

from diagnosis.errors import Area, PenstockError
from diagnosis.secrets import Secret, conceal
from penstock.cli.output import screen
from penstock.cli.registry.topic import opened_topic
from penstock.config.load import load
from penstock.wiring import kafka_of
from schema_registry.registry.log import SchemaLog
from schema_registry.registry.service import SchemaRegistry
from schema_registry.registry.topic import DEFAULT_TOPIC
from schema_registry.rest.app import build
from schema_registry.rest.server import DEFAULT_HOST, DEFAULT_PORT, listening
from schema_registry.rest.server import serve as answer

TOKEN_VARIABLE: Final = "PENSTOCK_REGISTRY_TOKEN"  # noqa: S105
# A guess takes a request; of texts this long there are too many.
SHORTEST_TOKEN: Final = 16

CODES: Final = {
    "PEN-432": "The schema registry's token cannot be used",
    "PEN-433": "It is not clear where the schemas are kept",
}


class UnusableToken(PenstockError):
    """A token that is missing in its file, or could be guessed."""

    code, area = "PEN-432", Area.USAGE

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(
            f"the token in {where} cannot be used: {reason}",
            fix="make one with: python3 -c 'import secrets; print(secrets.token_urlsafe(32))'",
        )


class UnclearPlace(PenstockError):
    """Brokers or a connector file: one of them, and not both."""

    code, area = "PEN-433", Area.USAGE

    def __init__(self, fact: str) -> None:
        super().__init__(
            fact,
            fix="give --brokers HOST:PORT, or --connector FILE for brokers that want a login",
        )


def serve(
    brokers: Annotated[
        str | None,
        typer.Option(metavar="HOST:PORT,…", help="The Kafka that keeps the schemas."),
    ] = None,
    connector: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Take the brokers, with TLS and login, from a connector file."
        ),
    ] = None,
    topic: Annotated[str, typer.Option(help="The topic that keeps the schemas.")] = DEFAULT_TOPIC,
    host: Annotated[
        str, typer.Option(help="Where to listen; other than loopback only with a token.")
    ] = DEFAULT_HOST,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Where to listen; 0 takes any that is free.")
    ] = DEFAULT_PORT,
    token_file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help=f"A file with the token that clients must send; or set {TOKEN_VARIABLE}.",
            readable=False,
        ),
    ] = None,
) -> None:
    """Serve Confluent's REST API; schemas are kept in a compacted Kafka topic.

    Several may run at once on the same topic: each can read and write.
    """
    token = _token(token_file)
    with (
        listening(host, port, with_token=token is not None) as address,
        _opened(brokers, connector, topic) as log,
    ):
        answer(
            build(SchemaRegistry(log), token), address, lambda: _announce(address.url, log, token)
        )
    screen.talk("stopped")


def _notice(text: str) -> None:
    screen.talk(f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} {text}", "yellow")


def _announce(url: str, log: SchemaLog, token: Secret | None) -> None:
    screen.talk(f"schema registry on {url}, kept in topic {log.topic!r}")
    if token is not None:
        screen.talk("clients send the token as a bearer, or as the password of any user")
    if log.foreign:
        screen.talk(f"{log.foreign} records of {log.topic!r} are not ours and are left alone")


@contextmanager
def _opened(brokers: str | None, connector: Path | None, topic: str) -> Iterator[SchemaLog]:
    if brokers is not None and connector is None:
        with opened_topic(brokers, topic, create=True, notice=_notice) as log:
            yield log
    elif connector is not None and brokers is None:
        loaded = load(connector)
        if loaded.registry != "embedded":
            screen.talk(f"{connector} names another registry; this one is apart from it", "yellow")
        with opened_topic(kafka_of(loaded), topic, create=True, notice=_notice) as log:
            yield log
    else:
        raise UnclearPlace(
            "--brokers and --connector both say where the schemas are kept"
            if brokers
            else "nothing says where the schemas are kept"
        )


def _token(file: Path | None) -> Secret | None:
    where = f"{TOKEN_VARIABLE}" if file is None else str(file)
    if file is None:
        text = os.environ.get(TOKEN_VARIABLE)
        if text is None:
            return None
    else:
        try:
            text = file.read_text()
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "it is not text"
            raise UnusableToken(where, reason) from None
    text = text.strip()
    if len(text) < SHORTEST_TOKEN or not (text.isascii() and text.isprintable()) or " " in text:
        raise UnusableToken(
            where, f"it needs at least {SHORTEST_TOKEN} printable ASCII characters, without spaces"
        )
    conceal(text)
    return Secret(text)
