"""What is refused, with the codes and the words that clients of Confluent's registry know."""

import json
from typing import Any

import pytest

from tests.schema_registry.rest.api import Api, user

SENT = {"schema": user("a")}
NOT_FOUND = (404, "HTTP 404 Not Found")
NO_VERSION = (
    "The specified version '{}' is not a valid version id. Allowed values are between "
    '[1, 2^31-1] and the string "latest"'
)


@pytest.fixture
def subject(prefix: str) -> str:
    return prefix


UNKNOWN: list[tuple[str, str, object, int, str]] = [
    ("GET", "/subjects/S/versions", None, 40401, "Subject 'S' not found."),
    ("GET", "/subjects/S/versions/1", None, 40401, "Subject 'S' not found."),
    ("GET", "/subjects/S/versions/latest", None, 40401, "Subject 'S' not found."),
    ("GET", "/subjects/S/versions/1/schema", None, 40401, "Subject 'S' not found."),
    ("GET", "/subjects/S/versions/1/referencedby", None, 40401, "Subject 'S' not found."),
    ("POST", "/subjects/S", SENT, 40401, "Subject 'S' not found."),
    ("DELETE", "/subjects/S", None, 40401, "Subject 'S' not found."),
    ("DELETE", "/subjects/S?permanent=true", None, 40401, "Subject 'S' not found."),
    ("DELETE", "/subjects/S/versions/1", None, 40401, "Subject 'S' not found."),
    ("DELETE", "/config/S", None, 40401, "Subject 'S' not found."),
    ("DELETE", "/mode/S", None, 40401, "Subject 'S' not found."),
    (
        "GET",
        "/config/S",
        None,
        40408,
        "Subject 'S' does not have subject-level compatibility configured",
    ),
    ("GET", "/mode/S", None, 40409, "Subject 'S' does not have subject-level mode configured"),
    ("POST", "/compatibility/subjects/S/versions/1", SENT, 40402, "Version 1 not found."),
    ("GET", "/schemas/ids/999999", None, 40403, "Schema 999999 not found"),
    ("GET", "/schemas/ids/999999/schema", None, 40403, "Schema 999999 not found"),
    ("GET", "/schemas/ids/999999/subjects", None, 40403, "Schema not found"),
    ("GET", "/schemas/ids/999999/versions", None, 40403, "Schema not found"),
    ("GET", "/schemas/ids/0", None, 40403, "Schema 0 not found"),
    ("GET", "/schemas/ids/-1", None, 40403, "Schema -1 not found"),
    ("GET", "/schemas/ids/1000000000", None, 40403, "Schema 1000000000 not found"),
    ("GET", "/schemas/ids/1099511627776", None, *NOT_FOUND),
    ("GET", "/schemas/ids/1e9", None, *NOT_FOUND),
    ("GET", "/schemas/ids/x", None, *NOT_FOUND),
    ("GET", "/schemas/ids/%D9%A1", None, *NOT_FOUND),
    ("GET", "/schemas/guids/abc", None, 40403, "Schema abc not found"),
    ("GET", "/subjects?offset=x", None, *NOT_FOUND),
    ("GET", "/schemas?limit=1e3", None, *NOT_FOUND),
    ("GET", "/nothing/here", None, *NOT_FOUND),
    ("PATCH", "/subjects/S", None, 405, "HTTP 405 Method Not Allowed"),
]


def test_what_is_not_there_is_named(common_api: Api, subject: str) -> None:
    for method, path, body, code, message in UNKNOWN:
        found = common_api.refusal(method, path.replace("/S", f"/{subject}"), body)
        assert found == (code, message.replace("'S'", f"'{subject}'")), (method, path)


def test_what_is_not_associated_is_an_empty_list(common_api: Api, subject: str) -> None:
    assert common_api.get(f"/associations/resources/-/{subject}?resourceType=topic") == []
    assert common_api.get(f"/associations/subjects/{subject}") == []
    assert common_api.get(f"/schemas/guids/{subject}/ids") == []


def test_a_method_that_is_not_there_is_told_which_are(common_api: Api) -> None:
    answer = common_api.ask("PATCH", "/config/s")
    assert answer.status == 405
    allowed = {each.strip() for each in answer.headers["allow"].split(",")}
    assert allowed == {"GET", "HEAD", "PUT", "DELETE"}


@pytest.mark.parametrize(
    "word", ["0", "-2", "x", "2147483648", "1.0", "99999999999", "%20", "%C2%B2"]
)
def test_a_version_that_is_no_number_is_refused(common_api: Api, subject: str, word: str) -> None:
    shown = {"%20": "", "%C2%B2": "²"}.get(word, word)
    for method, path, body in (
        ("GET", f"/subjects/{subject}/versions/{word}", None),
        ("DELETE", f"/subjects/{subject}/versions/{word}", None),
        ("POST", f"/compatibility/subjects/{subject}/versions/{word}", SENT),
    ):
        found = common_api.refusal(method, path, body)
        assert found == (42202, NO_VERSION.format(shown)), (method, path)


def test_the_order_of_deletes_is_kept(common_api: Api, subject: str) -> None:
    path = f"/subjects/{subject}"
    common_api.register(subject, user("a"))
    common_api.register(subject, user("a", "b?"))
    assert common_api.refusal("GET", f"{path}/versions/3") == (40402, "Version 3 not found.")
    assert common_api.refusal("DELETE", f"{path}/versions/3") == (40402, "Version 3 not found.")
    assert common_api.refusal("DELETE", f"{path}?permanent=true") == (
        40405,
        f"Subject '{subject}' was not deleted first before being permanently deleted",
    )
    for number in ("2", "latest", "-1"):
        assert common_api.refusal("DELETE", f"{path}/versions/{number}?permanent=true") == (
            40407,
            f"Subject '{subject}' Version 2 was not deleted first before being permanently deleted",
        )
    common_api.delete(f"{path}/versions/1")
    assert common_api.refusal("DELETE", f"{path}/versions/1") == (
        40406,
        f"Subject '{subject}' Version 1 was soft deleted.Set permanent=true to delete permanently",
    )
    assert common_api.delete(path) == [2]
    assert common_api.refusal("DELETE", path) == (
        40404,
        f"Subject '{subject}' was soft deleted.Set permanent=true to delete permanently",
    )


def test_the_latest_of_a_deleted_subject_is_not_there(common_api: Api, subject: str) -> None:
    common_api.register(subject, user("a"))
    common_api.delete(f"/subjects/{subject}")
    latest = f"/subjects/{subject}/versions/latest"
    assert common_api.refusal("GET", latest) == (40401, f"Subject '{subject}' not found.")
    missing = (40402, "Version -1 not found.")
    assert common_api.refusal("GET", f"{latest}?deleted=true") == missing
    assert common_api.refusal("DELETE", latest) == missing
    assert common_api.refusal("DELETE", f"{latest}?permanent=true") == missing
    assert common_api.refusal("GET", f"{latest}/referencedby") == missing
    assert common_api.get(f"/subjects/{subject}/versions/1/referencedby") == []


NO_SCHEMAS: list[dict[str, Any]] = [
    {"schema": "{"},
    {"schema": '{"type": "nonsense"}'},
    {"schema": '"Unknown"'},
    {"schema": ""},
    {"schema": None},
    {},
    {"schema": "\x00"},
    {"schema": '"string"', "schemaType": "XML"},
    {"schema": '"string"', "references": [{}]},
    {"schema": '"string"', "references": [{"name": "n", "subject": "nowhere", "version": 1}]},
    {"schema": '"string"', "references": [{"name": "n", "subject": "nowhere", "version": 2**40}]},
    {"schema": "not JSON", "schemaType": "JSON"},
    {"schema": " ", "schemaType": "PROTOBUF"},
]


@pytest.mark.parametrize("body", NO_SCHEMAS, ids=lambda body: json.dumps(body)[:60])
def test_a_text_that_is_no_schema_is_refused(
    common_api: Api, subject: str, body: dict[str, Any]
) -> None:
    comparing = f"/compatibility/subjects/{subject}/versions"
    for path in (f"/subjects/{subject}/versions", comparing, f"{comparing}/latest"):
        assert common_api.refusal("POST", path, body)[0] == 42201, path
    # Whoever asks for reasons gets this one as a reason.
    answer = common_api.ask("POST", f"{comparing}?verbose=true", body).body
    assert answer["is_compatible"] is False
    assert len(answer["messages"]) == 1


WRONG_TYPES: list[tuple[object, int]] = [
    ({"schema": 7}, 400),
    ({"schema": ["x"]}, 400),
    ({"schema": '"int"', "references": {}}, 400),
    ({"schema": '"int"', "references": [7]}, 400),
    ({"schema": '"int"', "id": "7"}, 400),
    ({"schema": '"int"', "version": True}, 400),
    ({"schema": '"int"', "metadata": {"properties": {}}}, 422),
    ({"schema": '"int"', "ruleSet": {}}, 422),
    ([], 400),
    ("text", 400),
    (b"{", 400),
    (b'{"schema": "\xff"}', 400),
    (b'{"schema": "\\ud800"}', 400),
    (b'{"schema": "x", "schema": "y"}', 400),
    (b'{"schema": NaN}', 400),
    (b"", 422),
    (b" ", 422),
]


@pytest.mark.parametrize(("body", "code"), WRONG_TYPES, ids=lambda each: repr(each)[:40])
def test_a_body_of_another_shape_is_refused(
    common_api: Api, subject: str, body: object, code: int
) -> None:
    assert common_api.refusal("POST", f"/subjects/{subject}/versions", body)[0] == code


@pytest.mark.parametrize(
    "name",
    ["a%00b", "%0A", "__GLOBAL", "__EMPTY", "..%2f..%2fetc", "%2e%2e", "..%5cx", "%E2%80%A8"],
)
def test_a_name_that_no_subject_may_have_is_refused(common_api: Api, name: str) -> None:
    for method, path, body in (
        ("POST", f"/subjects/{name}/versions", SENT),
        ("PUT", f"/config/{name}", {"compatibility": "FULL"}),
        ("PUT", f"/mode/{name}", {"mode": "READONLY"}),
    ):
        code, message = common_api.refusal(method, path, body)
        assert code == 42208, (method, path)
        assert message.isprintable()


def test_a_schema_that_is_too_large_is_refused(common_api: Api, subject: str) -> None:
    text = json.dumps("x" * (2 * 1024 * 1024))
    body = {"schema": text}
    assert common_api.refusal("POST", f"/subjects/{subject}/versions", body)[0] == 42209


def test_unknown_fields_and_flags_are_passed_over(common_api: Api, subject: str) -> None:
    body = {**SENT, "propagateSchemaTags": False, "metadata": None, "more": [1]}
    answer = common_api.ask("POST", f"/subjects/{subject}/versions?format=&x=y", body)
    assert answer.status == 200
    assert common_api.get(f"/subjects/{subject}/versions?deleted=maybe") == [1]
