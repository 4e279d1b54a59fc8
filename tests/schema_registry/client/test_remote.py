"""Registries of others, with answers that ours does not give."""

import base64
import json
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from diagnosis.errors import PenstockError
from diagnosis.secrets import Secret
from schema_registry import http
from schema_registry.client import errors
from schema_registry.client.protocol import Compatibility
from schema_registry.client.remote import RemoteSchemas
from schema_registry.http import Endpoint
from schema_registry.registry.records import Content, Level, Reference, SchemaType
from schema_registry.registry.refusals import IncompatibleSchema, Problem, Refusal
from tests.schema_registry.client.schemas import record
from tests.schema_registry.foreign_server import Answer, as_json, serving, write_certificate
from tests.transport.listeners import babbling_listener, closed_port, silent_listener

Ask = Callable[[RemoteSchemas], object]

ASKS: Mapping[str, Ask] = {
    "/subjects": lambda schemas: schemas.subjects(),
    "/subjects/s/versions": lambda schemas: schemas.versions("s"),
    "/subjects/s/versions/1": lambda schemas: schemas.version("s", 1),
    "/schemas/ids/7": lambda schemas: schemas.by_id(7),
    "/config": lambda schemas: schemas.compatibility(),
    "POST /subjects/s/versions": lambda schemas: schemas.register("s", record("id")),
    "POST /compatibility/subjects/s/versions/1": lambda schemas: schemas.check(
        "s", record("id"), version=1
    ),
}
VERSION = {"subject": "s", "version": 1, "id": 7, "schema": '"int"'}
NOT_FOUND = as_json({"error_code": 404, "message": "HTTP 404 Not Found"}, 404)


def ask(answers: Mapping[str, Answer], question: Ask, path: str = "") -> object:
    with serving(answers) as server, RemoteSchemas(Endpoint(server.url + path)) as schemas:
        return question(schemas)


def check(answers: Mapping[str, Answer], version: int | None = None) -> tuple[Problem, ...]:
    with serving(answers) as server, RemoteSchemas(Endpoint(server.url)) as schemas:
        return schemas.check("s", '"int"', version=version)


def failure(answers: Mapping[str, Answer], question: Ask) -> PenstockError:
    with pytest.raises(PenstockError) as raised:
        ask(answers, question)
    return raised.value


def test_an_old_registry_that_leaves_the_type_out_means_avro() -> None:
    found = ask({"/schemas/ids/7": as_json({"schema": '"int"'})}, ASKS["/schemas/ids/7"])
    assert found == Content('"int"', SchemaType.AVRO)


def test_type_and_references_are_read() -> None:
    reference = {"name": "a.proto", "subject": "a", "version": 3, "more": None}
    answer = {"schema": "syntax", "schemaType": "PROTOBUF", "references": [reference]}
    found = ask({"/schemas/ids/7": as_json(answer)}, ASKS["/schemas/ids/7"])
    assert found == Content("syntax", SchemaType.PROTOBUF, (Reference("a.proto", "a", 3),))


def test_a_registry_below_a_path_is_asked_there() -> None:
    below = {"/apis/ccompat/v7/subjects": as_json(["s"])}
    assert ask(below, ASKS["/subjects"], "/apis/ccompat/v7") == ["s"]
    assert ask(below, ASKS["/subjects"], "/apis/ccompat/v7/") == ["s"]


def test_a_registry_that_knows_no_prefixes_is_helped_out() -> None:
    answers = {"/subjects": as_json(["b", "ab", "a"])}
    assert ask(answers, lambda schemas: schemas.subjects("a")) == ["a", "ab"]


@pytest.mark.parametrize(
    ("subject", "path"), [(".", "%2E"), ("..", "%2E%2E"), ("../x", "..%2Fx"), ("a b", "a%20b")]
)
def test_a_subject_is_one_segment_of_a_path_whatever_its_name(subject: str, path: str) -> None:
    with serving({}) as server, RemoteSchemas(Endpoint(server.url)) as schemas:
        with pytest.raises(errors.ForeignAnswer):
            schemas.versions(subject)
        assert server.asked == [f"GET /subjects/{path}/versions"]


@pytest.mark.parametrize("path", ASKS)
@pytest.mark.parametrize(
    "answer",
    [
        Answer(b"<html>hello</html>", 200, "text/html"),
        Answer(b"", 204),
        Answer(b"", 302, headers={"Location": "https://login.example/"}),
        Answer(b"[" * 100_000),
        Answer(b"\xff\xfe"),
        as_json(7),
        as_json(None),
        as_json([None]),
        as_json([["s"]]),
        as_json([-1]),
        as_json([True]),
        as_json(["\ud800"] * 2 + [0]),
        as_json({}),
        as_json({**VERSION, "schema": None, "id": "7", "compatibilityLevel": "WILD"}),
        as_json({**VERSION, "schema": '"\ud800"', "id": True, "compatibility": 3}),
        as_json({**VERSION, "schemaType": "COBOL", "id": 2**31, "compatibility": []}),
        as_json({**VERSION, "references": {}, "id": 7.0, "compatibility": {"level": "FULL"}}),
        as_json({**VERSION, "references": [{"name": "x"}], "id": 0, "compatibility": "NO\x1bNE"}),
        as_json({**VERSION, "schemaType": ["AVRO"], "id": None, "compatibility": True}),
    ],
)
def test_what_no_registry_would_answer_is_refused(path: str, answer: Answer) -> None:
    error = failure({path: answer}, ASKS[path])
    assert (error.code, error.retryable) == ("PEN-404", False)


@pytest.mark.parametrize("version", [{"version": 2}, {"version": 0}, {"version": "1"}])
def test_another_version_than_the_one_asked_for_is_refused(version: dict[str, object]) -> None:
    path = "/subjects/s/versions/1"
    assert failure({path: as_json({**VERSION, **version})}, ASKS[path]).code == "PEN-404"


@pytest.mark.parametrize("path", ASKS)
@pytest.mark.parametrize(
    ("status", "code", "retryable"),
    [
        (401, "PEN-403", False),
        (403, "PEN-403", False),
        (418, "PEN-417", False),
        (429, "PEN-407", True),
        (500, "PEN-407", True),
        (503, "PEN-407", True),
    ],
)
def test_an_error_says_whether_asking_again_may_help(
    path: str, status: int, code: str, retryable: bool
) -> None:
    answer = as_json({"error_code": status, "message": "no"}, status)
    error = failure({path: answer}, ASKS[path])
    assert (error.code, error.retryable) == (code, retryable)


@pytest.mark.parametrize(
    ("sent", "code"), [(40401, 40401), (42, 404), ("40401", 404), (None, 404), (50001, 404)]
)
def test_a_refusal_keeps_its_code_if_it_fits_the_status(sent: object, code: int) -> None:
    answer = as_json({"error_code": sent, "message": "x\x1b[31m password=hunter2" * 50}, 404)
    error = failure({"/subjects/s/versions": answer}, ASKS["/subjects/s/versions"])
    assert isinstance(error, Refusal)
    assert error.error_code == code
    assert "\x1b" not in error.message
    assert "hunter2" not in error.message
    assert len(error.message) < 300


def test_nobody_there_is_worth_another_try() -> None:
    with (
        RemoteSchemas(Endpoint(f"http://{closed_port()}")) as schemas,
        pytest.raises(errors.RegistryAway) as raised,
    ):
        schemas.by_id(7)
    assert raised.value.retryable


def test_a_registry_that_hangs_up_is_away() -> None:
    with (
        babbling_listener(b"") as address,
        RemoteSchemas(Endpoint(f"http://{address}")) as schemas,
        pytest.raises(errors.RegistryAway),
    ):
        schemas.by_id(7)


def test_an_answer_that_breaks_off_is_one_of_a_registry_that_went_away() -> None:
    half = b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"
    with (
        babbling_listener(half) as address,
        RemoteSchemas(Endpoint(f"http://{address}")) as schemas,
        pytest.raises(errors.RegistryAway),
    ):
        schemas.by_id(7)


def test_a_registry_that_says_nothing_is_given_up_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "ANSWER_WITHIN", 0.3)
    with (
        silent_listener() as address,
        RemoteSchemas(Endpoint(f"http://{address}")) as schemas,
        pytest.raises(errors.RegistryAway),
    ):
        schemas.by_id(7)


def test_what_speaks_no_http_is_no_registry() -> None:
    with (
        babbling_listener(b"SSH-2.0-OpenSSH_9.2\r\n\r\n") as address,
        RemoteSchemas(Endpoint(f"http://{address}")) as schemas,
        pytest.raises(errors.ForeignAnswer),
    ):
        schemas.by_id(7)


@pytest.mark.parametrize("url", ["registry:8081", "ftp://host", "http://host:port"])
def test_a_malformed_address_is_told_before_anything_is_asked(url: str) -> None:
    with pytest.raises(errors.MalformedAddress):
        RemoteSchemas(Endpoint(url))


def test_one_connection_serves_all_questions_and_all_threads_one_after_another() -> None:
    answers = {"/schemas/ids/7": as_json({"schema": '"int"'})}
    with serving(answers) as server, RemoteSchemas(Endpoint(server.url)) as schemas:
        for _ in range(3):
            schemas.by_id(7)
        thread = threading.Thread(target=lambda: schemas.by_id(7))
        thread.start()
        thread.join()
        assert len(server.asked) == 4
        assert len(server.connections) == 1


def test_credentials_go_with_every_question() -> None:
    user = Endpoint("", username="us", password=Secret("pass-word"))
    token = Endpoint("", token=Secret("some-long-token"))
    expected = {
        user: "Basic " + base64.b64encode(b"us:pass-word").decode(),
        token: "Bearer some-long-token",
    }
    for who, header in expected.items():
        with serving({"/subjects": as_json([])}) as server:
            endpoint = Endpoint(server.url, who.username, who.password, who.token)
            with RemoteSchemas(endpoint) as schemas:
                schemas.subjects()
                with pytest.raises(errors.ForeignAnswer):
                    schemas.register("s", record("id"))
            assert server.authorizations == [header, header]


def test_a_certificate_is_checked_against_the_given_authorities(tmp_path: Path) -> None:
    with serving({"/subjects": as_json(["s"])}, tls_folder=tmp_path) as server:
        url = f"https://localhost:{server.port}"
        with RemoteSchemas(Endpoint(url, ca=write_certificate(tmp_path))) as schemas:
            assert schemas.subjects() == ["s"]
        with RemoteSchemas(Endpoint(url)) as schemas, pytest.raises(errors.RegistryUntrusted):
            schemas.subjects()


def test_a_schema_is_sent_as_every_registry_understands_it() -> None:
    answers = {"POST /subjects/s/versions": as_json({"id": 7})}
    with serving(answers) as server, RemoteSchemas(Endpoint(server.url)) as schemas:
        assert schemas.register("s", '"int"', [Reference("n", "t", 2)]) == 7
        assert json.loads(server.bodies[0]) == {
            "schema": '"int"',
            "schemaType": "AVRO",
            "references": [{"name": "n", "subject": "t", "version": 2}],
        }


CONFLUENT = (
    "{errorType:'READER_FIELD_MISSING_DEFAULT_VALUE', description:'The field 'x' at path "
    "'/fields/1' in the new schema has no default value and is missing in the old schema', "
    "additionalInfo:'x'}"
)


def test_confluents_words_against_a_schema_are_taken_apart() -> None:
    messages = [CONFLUENT, "{oldSchemaVersion: 3}", "{oldSchema: '…'}", "{compatibility: 'FULL'}"]
    answers = {
        "POST /compatibility/subjects/s/versions": as_json(
            {"is_compatible": False, "messages": messages}
        )
    }
    (problem,) = check(answers)
    assert problem.rule == "READER_FIELD_MISSING_DEFAULT_VALUE"
    assert (problem.path, problem.version) == ("/fields/1", 3)
    assert "The field 'x'" in problem.reason


def test_a_refused_registration_tells_the_same_as_ours_would() -> None:
    message = (
        'Schema being registered is incompatible with an earlier schema for subject "s", '
        f"details: [{CONFLUENT}, {{oldSchemaVersion: 3}}, {{compatibility: 'FULL'}}]"
    )
    answers = {"POST /subjects/s/versions": as_json({"error_code": 40901, "message": message}, 409)}
    error = failure(answers, ASKS["POST /subjects/s/versions"])
    assert isinstance(error, IncompatibleSchema)
    assert (error.level, error.problems[0].version) == (Level.FULL, 3)
    assert error.problems[0].path == "/fields/1"


def test_a_refusal_in_other_words_is_one_problem_with_the_latest_version() -> None:
    refused = {"error_code": 409, "message": "Incompatible schema, compatibility_mode=FULL"}
    answers = {
        "POST /subjects/s/versions": as_json(refused, 409),
        "/subjects/s/versions/latest": as_json({**VERSION, "version": 4}),
        "/config/s": as_json({"compatibilityLevel": "FORWARD"}),
    }
    error = failure(answers, ASKS["POST /subjects/s/versions"])
    assert isinstance(error, IncompatibleSchema)
    (problem,) = error.problems
    assert (error.level, problem.version) == (Level.FORWARD, 4)
    assert "compatibility_mode=FULL" in problem.reason


@pytest.mark.parametrize("unknown", [NOT_FOUND, Answer(b"", 405), Answer(b"no", 404, "text/plain")])
def test_a_registry_that_compares_with_one_version_at_a_time_is_asked_for_each(
    unknown: Answer,
) -> None:
    path = "/compatibility/subjects/s/versions"
    no = as_json({"is_compatible": False, "messages": ["reader and writer differ"]})
    answers = {
        f"POST {path}": unknown,
        "/subjects/s/versions": as_json([1, 2, 3]),
        "/config/s": as_json({"error_code": 40408, "message": "none"}, 404),
        "/config": as_json({"compatibilityLevel": "BACKWARD_TRANSITIVE"}),
        f"POST {path}/3": as_json({"is_compatible": True}),
        f"POST {path}/2": no,
        f"POST {path}/1": no,
    }
    assert [(each.version, each.reason) for each in check(answers)] == [
        (2, "reader and writer differ"),
        (1, "reader and writer differ"),
    ]


def test_a_no_without_a_reason_is_still_a_no() -> None:
    path = "POST /compatibility/subjects/s/versions/1"
    (problem,) = check({path: as_json({"is_compatible": False})}, 1)
    assert problem.version == 1
    assert "no reason" in problem.reason


def test_words_without_end_do_not_take_time_without_end() -> None:
    path = "POST /compatibility/subjects/s/versions/1"
    hostile = ["{errorType:'A', description:'" * 30_000] * 5
    answer = as_json({"is_compatible": False, "messages": hostile})
    assert len(check({path: answer}, 1)) == 5


def test_settings_that_leave_the_level_open_inherit_it() -> None:
    answers = {
        "/config/s": as_json({"normalize": True}),
        "/config": as_json({"compatibility": "full"}),
    }
    found = ask(answers, lambda schemas: schemas.compatibility("s"))
    assert found == Compatibility(Level.FULL, own=False)
