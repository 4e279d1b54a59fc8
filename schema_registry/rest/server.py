"""The socket and uvicorn: from an address to a registry that answers there."""

import asyncio
import ipaddress
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import uvicorn
from starlette.types import ASGIApp

from diagnosis.errors import Area, PenstockError

CODES: Final = {
    "PEN-430": "The schema registry's address cannot be used",
    "PEN-431": "The schema registry would be open to a network",
}

DEFAULT_HOST: Final = "127.0.0.1"
DEFAULT_PORT: Final = 8081

# Connections that wait, or send slowly, cost little; beyond this new ones are
# answered with 503.
_MOST_CONNECTIONS: Final = 512
_LAST_ANSWERS_WITHIN: Final = 10


class AddressUnusable(PenstockError):
    """Nothing can listen there."""

    code, area = "PEN-430", Area.HOST

    def __init__(self, host: str, port: int, reason: str) -> None:
        super().__init__(
            f"cannot listen on {host} port {port}: {reason}",
            fix="choose another with --port or --host; --port 0 takes any that is free",
        )


class OpenToNetwork(PenstockError):
    """An address that others reach, and no token."""

    code, area = "PEN-431", Area.USAGE

    def __init__(self, host: str) -> None:
        super().__init__(
            f"{host} can be reached from other machines, and there is no token",
            fix="put a long random text into a file and name it with --token-file, "
            "or serve on 127.0.0.1",
        )


@dataclass(frozen=True, slots=True)
class Address:
    """Where we listen: a socket that is bound already."""

    socket: socket.socket
    host: str
    port: int

    @property
    def url(self) -> str:
        """How a client on this machine names it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"


@contextmanager
def listening(host: str, port: int, *, with_token: bool) -> Iterator[Address]:
    """Bind an address; one that others reach only with a token."""
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (OSError, UnicodeError) as error:
        raise AddressUnusable(host, port, _reason(error)) from None
    if not with_token and not ipaddress.ip_address(place[0]).is_loopback:
        raise OpenToNetwork(host)
    # asyncio sends at once, without 40 ms for an answer's second packet, where it is
    # told in so many words that this is TCP.
    with socket.socket(family, kind, protocol) as bound:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            bound.bind(place)
            # From here on a client's connection waits instead of being refused.
            bound.listen(128)
        except (OSError, OverflowError) as error:
            raise AddressUnusable(host, port, _reason(error)) from None
        yield Address(bound, host, bound.getsockname()[1])


def serve(app: ASGIApp, address: Address, announce: Callable[[], None]) -> None:
    """Answer until SIGTERM or SIGINT; then finish what was begun."""
    server = _server(app)

    def stop(*_: object) -> None:
        server.should_exit = True

    # For a signal that comes before uvicorn listens for one; at its end it raises
    # the signal again, to whoever handled it before.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    announce()
    server.run(sockets=[address.socket])


@contextmanager
def served(app: ASGIApp, address: Address) -> Iterator[None]:
    """Answer in a thread beside whatever else the process does."""
    server = _server(app)
    thread = threading.Thread(
        target=lambda: asyncio.run(server.serve(sockets=[address.socket])),
        name="penstock-registry",
        daemon=True,
    )
    thread.start()
    try:
        yield
    finally:
        server.should_exit = True
        thread.join(_LAST_ANSWERS_WITHIN + 5)


def _server(app: ASGIApp) -> uvicorn.Server:
    return uvicorn.Server(
        uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            server_header=False,
            lifespan="off",
            ws="none",
            limit_concurrency=_MOST_CONNECTIONS,
            timeout_graceful_shutdown=_LAST_ANSWERS_WITHIN,
        )
    )


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
