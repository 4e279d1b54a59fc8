"""A Maven repository of one tiny artifact, on loopback."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

POM = """\
<project><modelVersion>4.0.0</modelVersion>
<groupId>org.example</groupId><artifactId>thing</artifactId><version>1.0</version></project>
"""


class Repository:
    def __init__(self, folder: Path) -> None:
        self.place = folder / "org" / "example" / "thing" / "1.0"
        self.asked: list[str] = []
        self.url = ""

    def publish(self, content: bytes, suffix: str = "jar") -> str:
        """Put the artifact there; give its SHA-256."""
        self.place.mkdir(parents=True, exist_ok=True)
        for name, body in (("thing-1.0.pom", POM.encode()), (f"thing-1.0.{suffix}", content)):
            (self.place / name).write_bytes(body)
            digest = hashlib.sha1(body, usedforsecurity=False).hexdigest()
            (self.place / f"{name}.sha1").write_text(digest)
        return hashlib.sha256(content).hexdigest()

    def downloads(self) -> int:
        """Tell how often the artifact itself was fetched."""
        return self.asked.count("/org/example/thing/1.0/thing-1.0.jar")


@contextmanager
def served(folder: Path) -> Iterator[Repository]:
    repository = Repository(folder)

    class Handler(SimpleHTTPRequestHandler):
        def do_GET(self) -> None:
            repository.asked.append(self.path)
            super().do_GET()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder)))
    thread = Thread(target=server.serve_forever)
    thread.start()
    repository.url = f"http://127.0.0.1:{server.server_port}/"
    try:
        yield repository
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
