"""A small HTTP server that plays a registry or a search server of somebody else."""

import json
import ssl
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from tests.schema_registry.certificate import CERTIFICATE, KEY


@dataclass(frozen=True, slots=True)
class Answer:
    body: bytes = b""
    status: int = 200
    kind: str = "application/vnd.schemaregistry.v1+json"
    headers: Mapping[str, str] = field(default_factory=dict)


def as_json(value: object, status: int = 200) -> Answer:
    return Answer(json.dumps(value).encode(), status)


@dataclass(slots=True)
class ForeignServer:
    """Answers by path, or by method and path; keeps what was asked, and as whom."""

    answers: Mapping[str, Answer]
    authorizations: list[str | None] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    connections: set[object] = field(default_factory=set)
    port: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@contextmanager
def serving(
    answers: Mapping[str, Answer], *, tls_folder: Path | None = None
) -> Iterator[ForeignServer]:
    """Serve until the block ends; with a folder for its certificate, by TLS."""
    foreign = ForeignServer(answers)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"  # keeps connections open

        def do_GET(self) -> None:
            foreign.authorizations.append(self.headers["Authorization"])
            foreign.asked.append(f"{self.command} {self.path}")
            foreign.connections.add(self.client_address)
            path = self.path.partition("?")[0]
            nothing = Answer(b"not here", 404, "text/html")
            answer = foreign.answers.get(
                f"{self.command} {path}", foreign.answers.get(path, nothing)
            )
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.kind)
            self.send_header("Content-Length", str(len(answer.body)))
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answer.body)

        def do_POST(self) -> None:
            foreign.bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.do_GET()

        def log_message(self, *args: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        def handle_error(self, *args: object) -> None:
            """A client that breaks off, as after a failed handshake, is part of the game."""

    with Server(("127.0.0.1", 0), Handler) as server:
        if tls_folder is not None:
            server.socket = _context(tls_folder).wrap_socket(server.socket, server_side=True)
        foreign.port = server.server_port
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield foreign
        finally:
            server.shutdown()
            thread.join()


def write_certificate(folder: Path) -> Path:
    """Put the certificate into a file, for those who trust it."""
    path = folder / "ca.pem"
    path.write_text(CERTIFICATE)
    return path


def _context(folder: Path) -> ssl.SSLContext:
    key = folder / "key.pem"
    key.write_text(KEY)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(write_certificate(folder), key)
    return context
