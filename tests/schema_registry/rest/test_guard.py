"""Who may ask: a token, the name of the host, the origin of a page."""

import base64
from collections.abc import Iterator

import httpx
import pytest
from confluent_kafka.schema_registry import Schema, SchemaRegistryClient, SchemaRegistryError

from diagnosis.secrets import Secret
from schema_registry.registry.service import SchemaRegistry
from schema_registry.rest.app import build
from schema_registry.rest.server import OpenToNetwork, listening, served
from tests.schema_registry.rest.api import V1_JSON, Api

TOKEN = "a-long-and-random-token-of-ours"


@pytest.fixture
def guarded(registry: SchemaRegistry) -> Iterator[Api]:
    """A registry that wants a token."""
    with (
        listening("127.0.0.1", 0, with_token=True) as address,
        served(build(registry, Secret(TOKEN)), address),
        httpx.Client(timeout=30) as client,
    ):
        yield Api(client, address.host, address.port)


def basic(user: str, password: str) -> str:
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()


def test_a_token_opens_the_door(guarded: Api) -> None:
    for given in (
        f"Bearer {TOKEN}",
        f"bearer  {TOKEN}",
        basic("anybody", TOKEN),
        basic("", TOKEN),
    ):
        answer = guarded.ask("GET", "/subjects", headers={"Authorization": given})
        assert (answer.status, answer.body) == (200, []), given


def test_without_the_token_nothing_is_answered(guarded: Api) -> None:
    wrong = [
        "",
        TOKEN,
        f"Bearer {TOKEN}x",
        f"Bearer {TOKEN[:-1]}",
        "Bearer",
        f"Digest {TOKEN}",
        basic(TOKEN, ""),
        basic("user", TOKEN.upper()),
        "Basic %%%",
        "Basic " + base64.b64encode(b"\xff\xfe").decode(),
        "Bearer \xff",
    ]
    for given in wrong:
        for path in ("/subjects", "/", "/openapi.json", "/health", "/nowhere"):
            headers = {"Authorization": given.encode("latin-1")} if given else {}
            answer = guarded.ask("GET", path, headers=headers)
            assert (answer.status, answer.code) == (401, 401), (given, path)
            assert answer.headers["www-authenticate"] == "Bearer"
            assert answer.headers["content-type"] == V1_JSON
            assert TOKEN not in str(answer)


def test_without_the_token_no_body_is_read(guarded: Api) -> None:
    with guarded.connection() as line:
        line.sendall(
            b"POST /subjects/s/versions HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            b"Content-Length: 4000000\r\n\r\n"
        )
        assert line.recv(1000).startswith(b"HTTP/1.1 401 ")


def test_the_token_is_in_no_answer(guarded: Api) -> None:
    headers = {"Authorization": f"Bearer {TOKEN}"}
    for path in ("/", "/health", "/config", "/v1/metadata/id", "/openapi.json", "/nowhere"):
        assert TOKEN not in str(guarded.ask("GET", path, headers=headers)), path


def test_confluents_client_sends_the_token_either_way(guarded: Api) -> None:
    ways: list[dict[str, object]] = [
        {"basic.auth.user.info": f"anybody:{TOKEN}"},
        {
            "bearer.auth.credentials.source": "STATIC_TOKEN",
            "bearer.auth.token": TOKEN,
            "bearer.auth.logical.cluster": "any",
        },
    ]
    for way in ways:
        with SchemaRegistryClient({"url": guarded.url, "max.retries": 0, **way}) as client:
            assert client.register_schema("s", Schema('"string"', "AVRO")) == 1
    with (
        SchemaRegistryClient({"url": guarded.url, "max.retries": 0}) as client,
        pytest.raises(SchemaRegistryError) as refused,
    ):
        client.get_subjects()
    assert (refused.value.http_status_code, refused.value.error_code) == (401, 401)


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:PORT", "127.0.0.1.evil.example", "", "localhost.", "[::2]:1"],
)
def test_another_name_for_this_machine_is_refused(common_api: Api, host: str) -> None:
    name = host.replace("PORT", str(common_api.port))
    answer = common_api.ask("GET", "/subjects", headers={"Host": name})
    assert (answer.status, answer.code) == (403, 403)


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1", "127.0.0.1", "[::1]:8081", "[::1]"])
def test_this_machine_by_its_own_names_is_let_in(common_api: Api, host: str) -> None:
    assert common_api.ask("GET", "/subjects", headers={"Host": host}).status == 200


def test_a_page_of_another_origin_is_refused(common_api: Api, prefix: str) -> None:
    own = common_api.url.removeprefix("http://")
    for origin in ("https://evil.example", "null", "", "http://127.0.0.1:1", f"http://{own}x"):
        for method, path in (("GET", "/subjects"), ("DELETE", f"/subjects/{prefix}")):
            answer = common_api.ask(method, path, headers={"Origin": origin})
            assert (answer.status, answer.code) == (403, 403), origin
            assert "access-control-allow-origin" not in answer.headers
    asking = {"Origin": "https://evil.example", "Access-Control-Request-Method": "PUT"}
    assert common_api.ask("OPTIONS", "/config", headers=asking).status == 403


def test_a_page_of_our_own_origin_may_ask(common_api: Api) -> None:
    answer = common_api.ask("GET", "/subjects", headers={"Origin": common_api.url})
    assert answer.status == 200


def test_with_a_token_another_name_may_be_used_but_no_foreign_page(guarded: Api) -> None:
    headers = {"Host": "registry.example", "Authorization": f"Bearer {TOKEN}"}
    assert guarded.ask("GET", "/subjects", headers=headers).status == 200
    headers["Origin"] = "https://evil.example"
    assert guarded.ask("GET", "/subjects", headers=headers).status == 403


def test_an_open_address_without_a_token_is_refused() -> None:
    for host in ("0.0.0.0", "::"):  # noqa: S104
        with pytest.raises(OpenToNetwork), listening(host, 0, with_token=False):
            pass
