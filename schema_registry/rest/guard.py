"""Who may ask, before anything of a request is read.

On loopback everybody on this machine may. That must not open the door to web pages
in a browser on this machine: they reach loopback too, by another origin or by a
name that they let point there. Neither passes.
"""

import base64
import binascii
import hmac
import ipaddress
from dataclasses import dataclass
from typing import Any

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from diagnosis.secrets import Secret
from schema_registry.rest.openapi import MEDIA_TYPE


@dataclass(frozen=True, slots=True)
class Guard:
    """Lets a request through to the app, or answers it with 401 or 403.

    Without a token, only requests that name this machine as their host pass.
    """

    app: ASGIApp
    token: Secret | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Look at a request's headers."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        refusal = _ambiguous(headers) or self._foreign(headers) or self._unknown(headers)
        if refusal is None:
            await self.app(as_sent(scope), receive, send)
        else:
            await refusal(scope, receive, send)

    def _foreign(self, headers: dict[bytes, str]) -> JSONResponse | None:
        host = headers.get(b"host", "")
        origin = headers.get(b"origin")
        if origin is not None and origin.partition("://")[2] != host:
            return _refused(403, "a page of another origin may not ask")
        if self.token is None and not _is_loopback(_host_name(host)):
            return _refused(403, "without a token, only this machine by its own name may ask")
        return None

    def _unknown(self, headers: dict[bytes, str]) -> JSONResponse | None:
        if self.token is None:
            return None
        given = _credential(headers.get(b"authorization", ""))
        if hmac.compare_digest(given.encode(), self.token.reveal().encode()):
            return None
        return _refused(401, "a token is needed", {"WWW-Authenticate": "Bearer"})


def _ambiguous(headers: dict[bytes, str]) -> JSONResponse | None:
    if b"content-length" in headers and b"transfer-encoding" in headers:
        # A proxy may see one request's end where we see another's.
        return _refused(400, "the body's length is told twice", {"Connection": "close"})
    return None


def as_sent(scope: Scope) -> dict[str, Any]:
    """Keep the path as it was sent: an escaped slash belongs to a name, not to the path."""
    path = scope.get("raw_path", b"").decode("latin-1") or scope["path"]
    return {**scope, "path": path.rstrip("/") or "/"}


def _credential(authorization: str) -> str:
    """Read a bearer token, or the password of whoever logs in with one."""
    scheme, _, value = authorization.partition(" ")
    value = value.strip()
    if scheme.lower() != "basic":
        return value if scheme.lower() == "bearer" else ""
    try:
        return base64.b64decode(value, validate=True).decode().partition(":")[2]
    except (binascii.Error, UnicodeDecodeError):
        return ""


def _host_name(host: str) -> str:
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower()


def _is_loopback(name: str) -> bool:
    try:
        return name == "localhost" or ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def _refused(status: int, reason: str, headers: dict[str, str] | None = None) -> JSONResponse:
    body = {"error_code": status, "message": reason}
    return JSONResponse(body, status, headers, media_type=MEDIA_TYPE)
