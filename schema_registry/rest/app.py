"""From a request to an endpoint and back, with Confluent's errors for whatever fails."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import nullcontext
from typing import Any, Final
from urllib.parse import unquote_to_bytes

import anyio
import anyio.to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route as StarletteRoute
from starlette.types import ASGIApp

from diagnosis.errors import PenstockError
from diagnosis.secrets import Secret, redact
from schema_registry.registry.errors import LogUnavailable, TooLargeForTopic
from schema_registry.registry.refusals import Refusal
from schema_registry.registry.service import SchemaRegistry
from schema_registry.rest.calls import LONGEST_BODY, Call
from schema_registry.rest.guard import Guard
from schema_registry.rest.openapi import MEDIA_TYPE, description
from schema_registry.rest.routes import ROUTES, Endpoint

_log: Final = logging.getLogger("penstock.registry")

# Large bodies in memory at one time, and how long one may take to arrive. Small ones
# are not counted: a handful of slow senders would keep everybody else waiting.
_MOST_BODIES: Final = 16
_SMALL_BODY: Final = 64 * 1024
_MOST_WAITING: Final = 32
_SEND_WITHIN: Final = 20.0

Handler = Callable[[Request], Awaitable[Response]]

_TOO_LARGE: Final = 42209
_STORE_ERROR: Final = 50001
_STORE_TIMEOUT: Final = 50002


def build(registry: SchemaRegistry, token: Secret | None = None) -> ASGIApp:
    """Make the application that a server runs."""
    bodies = asyncio.Semaphore(_MOST_BODIES)
    # What waits for Kafka leaves threads for what is known without it.
    patient = anyio.CapacityLimiter(_MOST_WAITING)
    handlers: dict[str, dict[str, Handler]] = {"/openapi.json": {"GET": _openapi}}
    for route in ROUTES:
        handler = _handler(
            registry,
            route.endpoint,
            bodies if route.body else None,
            None if route.by_id else patient,
        )
        handlers.setdefault(route.path, {})[route.method] = handler
    # One route for all methods of a path: a refused method is told of all the others.
    routes = [
        StarletteRoute(path, _by_method(methods), methods=list(methods))
        for path, methods in handlers.items()
    ]
    app = Starlette(routes=routes, exception_handlers={HTTPException: _http_error})
    app.router.redirect_slashes = False
    return Guard(app, token)


def _by_method(methods: Mapping[str, Handler]) -> Handler:
    async def handle(request: Request) -> Response:
        # HEAD is GET, of which the server keeps the body back.
        return await methods["GET" if request.method == "HEAD" else request.method](request)

    return handle


def _handler(
    registry: SchemaRegistry,
    endpoint: Endpoint,
    bodies: asyncio.Semaphore | None,
    threads: anyio.CapacityLimiter | None,
) -> Handler:
    async def handle(request: Request) -> Response:
        try:
            path = {name: _decoded(value) for name, value in request.path_params.items()}
            query = dict(request.query_params)
            if bodies is None:
                call = Call(registry, path, query)
                return await anyio.to_thread.run_sync(_answer, endpoint, call, limiter=threads)
            async with bodies if _declared(request) > _SMALL_BODY else nullcontext():
                raw = await _body(request)
                call = Call(registry, path, query, raw)
                return await anyio.to_thread.run_sync(_answer, endpoint, call, limiter=threads)
        except Refusal as refusal:
            return _error(refusal.status, refusal.error_code, refusal.message)

    return handle


def _answer(endpoint: Endpoint, call: Call) -> Response:
    """Call an endpoint, in a thread of its own.

    No error leaves the thread: one that is awaited holds its frames, and with them
    the body, until the garbage collector happens to come by.
    """
    try:
        answer = endpoint(call)
    except Refusal as refusal:
        return _error(refusal.status, refusal.error_code, refusal.message)
    except TooLargeForTopic as error:
        return _error(422, _TOO_LARGE, error.message)
    except LogUnavailable as error:
        return _error(500, _STORE_TIMEOUT, f"{error}: {error.cause}")
    except PenstockError as error:
        _log.error("%s", redact(str(error)))
        return _error(500, _STORE_ERROR, str(error))
    except Exception as error:
        _log.error("a bug: %s", redact(f"{type(error).__name__}: {error}"), exc_info=True)
        return _error(500, 500, "Internal Server Error")
    if isinstance(answer, str):
        return Response(answer, media_type=MEDIA_TYPE)
    return JSONResponse(answer, media_type=MEDIA_TYPE)


async def _body(request: Request) -> bytes:
    """Read a body as far as we take one. Whoever sends more is not listened to."""
    if "content-length" in request.headers and _declared(request) > LONGEST_BODY:
        raise _too_long()
    body = bytearray()
    try:
        async with asyncio.timeout(_SEND_WITHIN):
            async for chunk in request.stream():
                body += chunk
                if len(body) > LONGEST_BODY:
                    raise _too_long()
    except TimeoutError:
        raise Refusal(408, "the body did not arrive in time") from None
    except ClientDisconnect:
        raise Refusal(400, "the body ended too early") from None
    return bytes(body)


def _declared(request: Request) -> int:
    """Read how long the body says that it is; one that does not say so may be the longest."""
    length = request.headers.get("content-length", "")
    return int(length) if length.isdecimal() and len(length) <= 12 else LONGEST_BODY + 1


def _too_long() -> Refusal:
    return Refusal(413, f"the body is longer than {LONGEST_BODY:,} bytes")


def _decoded(segment: str) -> str:
    try:
        return unquote_to_bytes(segment.encode("latin-1")).decode()
    except UnicodeDecodeError:
        raise Refusal(400, "a name in the path is not UTF-8") from None


def _error(status: int, code: int, message: str) -> JSONResponse:
    headers = {"Connection": "close"} if status in (408, 413) else None
    body = {"error_code": code, "message": redact(message)}
    return JSONResponse(body, status, headers, media_type=MEDIA_TYPE)


async def _openapi(_: Request) -> Response:
    return JSONResponse(description())


async def _http_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    message = f"HTTP {error.status_code} {error.detail}"
    headers: Any = error.headers
    answer = _error(error.status_code, error.status_code, message)
    answer.headers.update(headers or {})
    return answer
