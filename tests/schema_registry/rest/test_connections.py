"""Connections that misbehave: too much, too slow, too many, not HTTP at all."""

import json
import socket
import statistics
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest

from schema_registry.rest import app
from tests.fixtures.servers import Kafka
from tests.schema_registry.rest.api import Api
from tests.schema_registry.rest.process import RegistryProcess, registry_process

MIB = 1024 * 1024
POST = "POST /subjects/hostile/versions HTTP/1.1\r\nHost: 127.0.0.1\r\n"

# As a body it is just taken, as a schema it is not.
TOO_LARGE = json.dumps({"schema": "[" * (4 * MIB)}).encode()


@pytest.fixture
def process(kafka: Kafka, prefix: str) -> Iterator[RegistryProcess]:
    """A new one for each test: behind another's peak nothing would be seen to grow."""
    with registry_process(kafka.brokers, f"{prefix}_schemas") as started:
        started.api.check_alive()
        yield started


def answered(api: Api, first: bytes, more: Iterable[bytes] = (), within: float = 5) -> bytes:
    """Send bytes until the registry hangs up or all are sent; give what it says."""
    with api.connection() as line:
        try:
            line.sendall(first)
            for part in more:
                line.sendall(part)
        except (BrokenPipeError, ConnectionResetError):
            pass  # it has heard enough; what it said is there to be read
        return heard(line, within)


def heard(line: socket.socket, within: float = 5) -> bytes:
    """Read to the end, or as long as anything comes."""
    line.settimeout(within)
    said = b""
    try:
        while part := line.recv(65536):
            said += part
    except (TimeoutError, ConnectionResetError):
        pass  # kept open for the next request, or closed with bytes of ours unread
    return said


def error_code(said: bytes) -> int:
    head, _, body = said.partition(b"\r\n\r\n")
    code = json.loads(body)["error_code"]
    assert head.split()[1].decode() == str(code)
    assert isinstance(code, int)
    return code


def test_a_hundred_megabytes_are_refused_before_they_are_read(process: RegistryProcess) -> None:
    before = process.peak()
    head = f"{POST}Content-Length: {100 * MIB}\r\n\r\n".encode()
    said = answered(process.api, head, (bytes(MIB) for _ in range(100)))
    assert error_code(said) == 413
    assert process.peak() - before < 60 * MIB
    process.api.check_alive()


def test_a_hundred_megabytes_in_chunks_are_refused(process: RegistryProcess) -> None:
    before = process.peak()
    head = f"{POST}Transfer-Encoding: chunked\r\n\r\n".encode()
    chunk = b"%x\r\n" % MIB + bytes(MIB) + b"\r\n"
    said = answered(process.api, head, (chunk for _ in range(100)))
    assert error_code(said) == 413
    assert process.peak() - before < 60 * MIB
    process.api.check_alive()


def test_a_hundred_megabytes_where_no_body_belongs_are_not_kept(process: RegistryProcess) -> None:
    before = process.peak()
    head = f"GET /subjects HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {100 * MIB}\r\n\r\n"
    said = answered(process.api, head.encode(), (bytes(MIB) for _ in range(100)), within=1)
    assert said.startswith(b"HTTP/1.1 200 ")
    assert process.peak() - before < 60 * MIB
    process.api.check_alive()


def test_many_large_bodies_at_once_stay_within_bounds(process: RegistryProcess) -> None:
    before = process.peak()

    def ask(number: int) -> int:
        return process.api.ask("POST", f"/subjects/s{number}/versions", TOO_LARGE).code

    with ThreadPoolExecutor(64) as pool:
        assert set(pool.map(ask, range(64))) == {42209}
    # Sixteen at a time, each of which takes sixteen megabytes while it is read.
    assert process.peak() - before < 16 * 16 * MIB
    process.api.check_alive()


def test_a_body_that_was_refused_is_let_go_of(process: RegistryProcess) -> None:
    before = process.peak()
    for _ in range(40):
        assert process.api.refusal("POST", "/subjects/s/versions", TOO_LARGE)[0] == 42209
    assert process.peak() - before < 60 * MIB


def test_a_length_that_is_a_lie_is_refused(common_api: Api) -> None:
    for length in ("-1", "x", "1e9", "99999999999999999999", "5, 6"):
        said = answered(common_api, f"{POST}Content-Length: {length}\r\n\r\n".encode())
        assert said.split()[1] in (b"400", b"413"), length
    both = f"{POST}Connection: close\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"
    assert answered(common_api, f"{both}0\r\n\r\n".encode()).split()[1] in (b"400", b"422")
    common_api.check_alive()


def test_a_body_that_does_not_arrive_is_not_waited_for(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "_SEND_WITHIN", 0.3)
    said = answered(api, f'{POST}Content-Length: 1000\r\n\r\n{{"schema"'.encode())
    assert error_code(said) == 408
    api.check_alive()


def test_slow_senders_keep_nobody_else_waiting(common_api: Api) -> None:
    with ExitStack() as lines:
        for _ in range(40):
            line = lines.enter_context(common_api.connection())
            line.sendall(f"{POST}Content-Length: 1000\r\n\r\n{{".encode())
        started = time.monotonic()
        common_api.check_alive()
        assert time.monotonic() - started < 5


@pytest.mark.parametrize(
    "part",
    [
        "",
        "POST",
        "GET /subjects HTTP/1.1\r\nHost: 127.0",
        f"{POST}Content-Length: 1000\r\n\r\n",
        f'{POST}Content-Length: 1000\r\n\r\n{{"schema": "x',
        f"{POST}Transfer-Encoding: chunked\r\n\r\n5\r\nab",
    ],
    ids=["nothing", "a word", "half a head", "no body", "half a body", "half a chunk"],
)
def test_whoever_hangs_up_half_way_is_forgotten(common_api: Api, part: str) -> None:
    for _ in range(20):
        with common_api.connection() as line:
            line.sendall(part.encode())
    common_api.check_alive()


GARBAGE = {
    "random": bytes(range(256)) * 4,
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(500),
    "newlines": b"\r\n" * 40_000,
    "one long line": b"G" * 200_000,
    "long path": b"GET /" + b"x" * 200_000 + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "header flood": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"X-A: b\r\n" * 50_000 + b"\r\n",
    "long header": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"x" * 200_000 + b"\r\n\r\n",
    "two hosts": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\n\r\n",
    "no host": b"GET / HTTP/1.1\r\n\r\n",
    "raw bytes in a path": b"GET /subjects/\xff\xfe HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "bad chunk": POST.encode() + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
}


@pytest.mark.parametrize("kind", GARBAGE)
def test_what_is_not_http_is_refused(common_api: Api, kind: str) -> None:
    said = answered(common_api, GARBAGE[kind] + b"\r\n\r\n")
    assert said.split()[1] in (b"400", b"413", b"431"), said
    assert b"Traceback" not in said
    common_api.check_alive()


def test_garbage_behind_a_request_does_not_spoil_its_answer(common_api: Api) -> None:
    request = b"GET /schemas/types HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    said = answered(common_api, request + bytes(range(256)) + b"\r\n\r\n")
    assert said.startswith(b"HTTP/1.1 200 ")
    assert b'["AVRO","JSON","PROTOBUF"]' in said
    common_api.check_alive()


def test_a_request_to_become_a_websocket_stays_a_request(common_api: Api) -> None:
    request = (
        b"GET /schemas/types HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade, close\r\n"
        b"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x\r\n\r\n"
    )
    assert answered(common_api, request).startswith(b"HTTP/1.1 200 ")


def test_requests_in_one_go_are_answered_in_order(common_api: Api) -> None:
    one = b"GET /schemas/types HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    last = b"GET /contexts HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
    said = answered(common_api, one * 50 + last)
    assert said.count(b"HTTP/1.1 200 ") == 51
    assert said.endswith(b'["."]')


def test_too_many_connections_are_turned_away_and_the_next_is_welcome(
    process: RegistryProcess,
) -> None:
    with ExitStack() as lines:
        for _ in range(600):
            lines.enter_context(process.api.connection())
        with process.api.connection() as line:
            line.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
            assert heard(line).split()[1] == b"503"
    # It learns of six hundred hang-ups one after the other.
    deadline = time.monotonic() + 10
    while process.api.ask("GET", "/").status == 503 and time.monotonic() < deadline:
        time.sleep(0.05)
    process.api.check_alive()


def test_many_at_once_are_all_answered(common_api: Api, prefix: str) -> None:
    def ask(number: int) -> int:
        return common_api.register(f"{prefix}-{number % 10}", '"string"')[0]

    with ThreadPoolExecutor(32) as pool:
        assert len(set(pool.map(ask, range(200)))) == 1


def test_an_answer_comes_at_once(common_api: Api) -> None:
    def seconds() -> float:
        started = time.perf_counter()
        common_api.get("/schemas/types")
        return time.perf_counter() - started

    # With Nagle's algorithm on our side it would be 40 milliseconds.
    assert statistics.median(seconds() for _ in range(15)) < 0.02
