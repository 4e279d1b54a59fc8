"""Asking the API as any HTTP client does: a method, a path, perhaps a body."""

import json
import socket
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import httpx

V1_JSON = "application/vnd.schemaregistry.v1+json"


def user(*fields: str) -> str:
    """A record of strings. A field that ends in ``?`` has a default."""
    return json.dumps(
        {
            "type": "record",
            "name": "User",
            "fields": [
                {"name": name.removesuffix("?"), "type": "string"}
                | ({"default": ""} if name.endswith("?") else {})
                for name in fields
            ],
        }
    )


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    body: Any
    headers: httpx.Headers

    @property
    def code(self) -> int:
        """Confluent's code of an error, after a look at its form."""
        assert set(self.body) == {"error_code", "message"}, self.body
        assert str(self.body["error_code"]).startswith(str(self.status))
        code = self.body["error_code"]
        assert isinstance(code, int)
        return code

    @property
    def message(self) -> str:
        return str(self.body["message"])


@dataclass(frozen=True, slots=True)
class Api:
    """One registry, and how to ask it."""

    client: httpx.Client
    host: str
    port: int

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"

    def ask(self, method: str, path: str, body: object = None, **more: Any) -> Answer:
        """Ask; the path is taken as it is, the body becomes JSON."""
        if body is not None:
            more["content"] = body if isinstance(body, bytes) else json.dumps(body)
        answer = self.client.request(method, f"{self.url}{path}", **more)
        is_json = answer.headers.get("content-type") == V1_JSON
        return Answer(answer.status_code, answer.json() if is_json else answer.text, answer.headers)

    def get(self, path: str) -> Any:
        """Give what is there."""
        answer = self.ask("GET", path)
        assert answer.status == 200, answer
        return answer.body

    def put(self, path: str, **body: object) -> Any:
        answer = self.ask("PUT", path, body)
        assert answer.status == 200, answer
        return answer.body

    def delete(self, path: str) -> Any:
        answer = self.ask("DELETE", path)
        assert answer.status == 200, answer
        return answer.body

    def register(self, subject: str, schema: str, **more: object) -> tuple[int, int]:
        """Register a schema; give its id and its version."""
        path = f"/subjects/{quote(subject, safe='')}/versions"
        answer = self.ask("POST", path, {"schema": schema, **more})
        assert answer.status == 200, answer
        return answer.body["id"], answer.body["version"]

    def compatible(self, path: str, schema: str, **more: object) -> Any:
        answer = self.ask("POST", f"/compatibility{path}", {"schema": schema, **more})
        assert answer.status == 200, answer
        return answer.body

    def refusal(self, method: str, path: str, body: object = None) -> tuple[int, str]:
        """Ask for what is refused; give the code and the message."""
        answer = self.ask(method, path, body)
        return answer.code, answer.message

    def connection(self) -> socket.socket:
        """Open a connection for bytes that no HTTP client would send."""
        return socket.create_connection((self.host, self.port), timeout=30)

    def check_alive(self) -> None:
        """Write and read as if nothing had happened."""
        id, version = self.register("still-alive", '"string"')
        found = self.get(f"/subjects/still-alive/versions/{version}")
        assert (found["id"], found["schema"]) == (id, '"string"')
