"""Asking an HTTP server that may not be what it should be.

Every way to fail becomes one ``NoReplyError`` with a cause, so that a caller decides
only what it means. Credentials never stay in a URL: httpx logs URLs.
"""

import json
import ssl
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, Final

import httpx

from diagnosis.secrets import Secret, conceal, redact

CONNECT_WITHIN: Final = 5.0
ANSWER_WITHIN: Final = 10.0

# The names of some hundred thousand subjects or indexes; a server that sends
# more than that to a simple question is not one of ours.
LONGEST_BODY: Final = 16 * 1024 * 1024

_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})


class Cause(Enum):
    """Why there was no answer."""

    ADDRESS = "not an address"
    CONNECT = "no connection"
    TLS = "TLS"
    PROTOCOL = "no HTTP"


class NoReplyError(Exception):
    """The server gave no HTTP answer; the text holds no secret.

    ``cut_off`` says that a connection ended before its time: the server went away,
    or it hung up on a connection that was kept open.
    """

    def __init__(self, cause: Cause, text: str, *, cut_off: bool = False) -> None:
        super().__init__(text)
        self.cause, self.text, self.cut_off = cause, text, cut_off


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A server's address and how it knows us."""

    url: str
    username: str | None = None
    password: Secret | None = None
    token: Secret | None = None
    ca: Path | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back."""

    status: int
    kind: str
    body: bytes
    location: str | None

    def json(self) -> Any:
        """Read the body as JSON; None if it is not."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            return None

    @property
    def failing(self) -> bool:
        """Whether the server has trouble of its own, or too much to do."""
        return self.status >= 500 or self.status == 429

    def summary(self) -> str:
        """Describe the answer in a few words that show nothing of its body."""
        if self.location is not None:
            return f"status {self.status}, which leads to {redact(self.location)}"
        return f"status {self.status} with {self.kind or 'no content type'}"


@dataclass(frozen=True, slots=True)
class Asker:
    """Asks one server; made by ``opened``. Many threads may use it at once."""

    _client: httpx.Client

    def get(self, path: str, **query: str) -> Reply:
        """Fetch a path below the endpoint's URL, within bounds of time and size."""
        return self._ask("GET", path, query)

    def post(self, path: str, value: Any, kind: str = "application/json", **query: str) -> Reply:
        """Send a value as JSON to a path below the endpoint's URL."""
        # In ASCII, so that even a text that is no Unicode is for the server to judge.
        body = json.dumps(value).encode()
        return self._ask("POST", path, query, content=body, headers={"Content-Type": kind})

    def close(self) -> None:
        """Hang up."""
        self._client.close()

    def _ask(self, method: str, path: str, query: Mapping[str, str], **sent: Any) -> Reply:
        with (
            translated(),
            self._client.stream(method, path, params=query, **sent) as response,
        ):
            return Reply(
                response.status_code,
                response.headers.get("content-type", "").partition(";")[0].strip(),
                _body(response),
                response.headers.get("location"),
            )


def opened(endpoint: Endpoint) -> Asker:
    """Make a client that checks certificates, follows no redirects and keeps connections open."""
    url = _parsed(endpoint.url)
    return Asker(
        httpx.Client(
            base_url=_bare(url),
            auth=_login(endpoint, url),
            headers=_headers(endpoint),
            verify=_trust(endpoint.ca),
            timeout=httpx.Timeout(ANSWER_WITHIN, connect=CONNECT_WITHIN),
            # A proxy of the environment cannot reach this machine's loopback.
            trust_env=url.host not in _LOOPBACK,
        )
    )


@contextmanager
def asking(endpoint: Endpoint) -> Iterator[Asker]:
    """Ask a server while the block lasts."""
    with closing(opened(endpoint)) as asker:
        yield asker


def shown(url: str) -> str:
    """Give a URL as a person may see it: without user, password and query."""
    try:
        parsed = _parsed(url)
    except NoReplyError:
        # Where its password begins and ends is anyone's guess.
        return "the given URL"
    return redact(str(_bare(parsed)))


def open_credentials(endpoint: Endpoint) -> bool:
    """Tell whether a password or token would cross a network unencrypted."""
    url = _parsed(endpoint.url)
    secret = url.password or endpoint.password or endpoint.token
    return bool(secret) and url.scheme == "http" and url.host not in _LOOPBACK


@contextmanager
def translated() -> Iterator[None]:
    """Turn every way in which httpx fails into a ``NoReplyError``."""
    try:
        yield
    except httpx.TimeoutException as error:
        when = "connection" if isinstance(error, httpx.ConnectTimeout) else "answer"
        raise NoReplyError(Cause.CONNECT, f"no {when} in time") from None
    except httpx.ConnectError as error:
        cause = Cause.TLS if _tls_error(error) else Cause.CONNECT
        raise NoReplyError(cause, _text(error)) from None
    except httpx.RequestError as error:
        cause = Cause.TLS if _tls_error(error) else Cause.PROTOCOL
        raise NoReplyError(cause, _text(error), cut_off=_cut_off(error)) from None
    except (httpx.InvalidURL, UnicodeError):
        raise NoReplyError(Cause.ADDRESS, "the host has a name that cannot be looked up") from None


def _parsed(text: str) -> httpx.URL:
    """Read a URL. What is wrong with it is told without quoting it."""
    try:
        url = httpx.URL(text.strip())
    except (httpx.InvalidURL, ValueError):
        raise NoReplyError(Cause.ADDRESS, "this is no URL; its port may be no number") from None
    if url.scheme not in ("http", "https") or not url.host:
        raise NoReplyError(
            Cause.ADDRESS, "a URL here begins with http:// or https:// and names a host"
        )
    if url.port is not None and not 0 < url.port < 65536:
        raise NoReplyError(Cause.ADDRESS, "the port is not between 1 and 65535")
    if "@" in url.path:
        raise NoReplyError(
            Cause.ADDRESS,
            "an @ stands behind the host; in a password, write / as %2F, ? as %3F and # as %23",
        )
    conceal(url.password)
    return url


def _bare(url: httpx.URL) -> httpx.URL:
    return url.copy_with(username=None, password=None, query=None, fragment=None)


def _login(endpoint: Endpoint, url: httpx.URL) -> httpx.Auth | None:
    if endpoint.password is not None:
        conceal(endpoint.password.reveal())
    username = endpoint.username or url.username
    password = endpoint.password.reveal() if endpoint.password else url.password
    if endpoint.token is not None or not (username or password):
        return None
    return httpx.BasicAuth(username, password)


def _headers(endpoint: Endpoint) -> Mapping[str, str]:
    headers = {"User-Agent": "penstock", "Accept": "application/json"}
    if endpoint.token is not None:
        token = endpoint.token.reveal().strip()
        conceal(token)
        if not (token.isascii() and token.isprintable()):
            # The library would quote it in its own complaint.
            raise NoReplyError(
                Cause.ADDRESS, "the token holds characters that no HTTP header can carry"
            )
        headers["Authorization"] = f"Bearer {token}"
    return headers


def _trust(ca: Path | None) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=ca)
    except (OSError, ssl.SSLError) as error:
        reason = error.strerror or "no certificate in it"
        raise NoReplyError(Cause.TLS, f"the CA file {ca} cannot be used: {reason}") from None


def _body(response: httpx.Response) -> bytes:
    deadline = time.monotonic() + ANSWER_WITHIN
    body = bytearray()
    for chunk in response.iter_bytes():
        body += chunk
        if len(body) > LONGEST_BODY:
            raise NoReplyError(Cause.PROTOCOL, f"the answer is longer than {LONGEST_BODY:,} bytes")
        if time.monotonic() > deadline:
            raise NoReplyError(Cause.CONNECT, "the answer did not end in time")
    return bytes(body)


def _tls_error(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, ssl.SSLError):
            return True
        error = error.__cause__ or error.__context__
    return False


def _cut_off(error: httpx.RequestError) -> bool:
    if isinstance(error, httpx.RemoteProtocolError):
        # The library has one class for this and for what is no HTTP at all.
        return any(words in str(error) for words in ("disconnected", "peer closed connection"))
    return isinstance(error, httpx.NetworkError)


def _text(error: httpx.RequestError) -> str:
    return redact(str(error)) or type(error).__name__
