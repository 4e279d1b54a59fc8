"""Input that was made to hurt, in bodies, names and schemas: a code for each, and life goes on."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.schema_registry.rest.api import Answer, Api, user

BODY_ROUTES = [
    ("POST", "/subjects/hostile/versions"),
    ("POST", "/subjects/hostile"),
    ("POST", "/compatibility/subjects/hostile/versions"),
    ("POST", "/compatibility/subjects/hostile/versions/latest?verbose=true"),
    ("PUT", "/config/hostile"),
    ("PUT", "/mode/hostile"),
]

any_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
# What is read further than to its first brace: known names, unknown values.
near_json = st.fixed_dictionaries(
    {},
    optional={
        "schema": any_json | st.builds(json.dumps, any_json) | st.just(user("a")),
        "schemaType": any_json | st.sampled_from(["AVRO", "JSON", "PROTOBUF"]),
        "references": st.lists(
            st.fixed_dictionaries(
                {}, optional=dict.fromkeys(("name", "subject", "version"), any_json)
            )
        ),
        "id": any_json,
        "version": any_json,
        "compatibility": any_json,
        "normalize": any_json,
    },
)


def check_answer(answer: Answer) -> None:
    """Either it was understood, or it was refused in Confluent's form."""
    if answer.status != 200:
        assert 400 <= answer.status < 500, answer
        assert answer.code
        assert len(answer.message) < 5_000
    assert "Traceback" not in str(answer.body)
    assert ".py" not in str(answer.body)


@settings(max_examples=80, deadline=None)
@given(body=st.binary(max_size=300), route=st.sampled_from(BODY_ROUTES))
def test_random_bytes_are_refused(common_api: Api, body: bytes, route: tuple[str, str]) -> None:
    check_answer(common_api.ask(*route, body))


@settings(max_examples=150, deadline=None)
@given(body=any_json | near_json, route=st.sampled_from(BODY_ROUTES[:-1]))
def test_random_json_is_understood_or_refused(
    common_api: Api, body: Any, route: tuple[str, str]
) -> None:
    check_answer(common_api.ask(*route, json.dumps(body).encode()))


@settings(max_examples=80, deadline=None)
@given(text=st.text(min_size=1), method=st.sampled_from(["GET", "DELETE"]))
def test_random_paths_are_understood_or_refused(common_api: Api, text: str, method: str) -> None:
    path = "/" + "".join(f"%{byte:02x}" for byte in text.encode(errors="replace"))
    for before in ("", "/subjects", "/schemas/ids", "/config", "/schemas/guids"):
        check_answer(common_api.ask(method, f"{before}{path}"))


def nested(depth: int) -> dict[str, str]:
    return {
        "arrays": '{"type":"array","items":' * depth + '"int"' + "}" * depth,
        "unions": "[" * depth + '"int"' + "]" * depth,
        "records": "".join(
            f'{{"type":"record","name":"R{number}","fields":[{{"name":"f","type":'
            for number in range(depth)
        )
        + '"int"'
        + "}]}" * depth,
        "attributes": '{"type":"int","x":' + '{"a":' * depth + "1" + "}" * depth + "}",
        "defaults": '{"type":"record","name":"R","fields":[{"name":"f","type":"int","default":'
        + "[" * depth
        + "]" * depth
        + "}]}",
        "open": "[" * depth,
        "quoted": json.dumps("[" * depth),
    }


@pytest.mark.parametrize("depth", [1_000, 100_000])
def test_schemas_nested_deeply_are_refused(common_api: Api, prefix: str, depth: int) -> None:
    for kind, text in nested(depth).items():
        for language in ("AVRO", "JSON"):
            if kind == "quoted" and language == "JSON":
                continue  # a mere string, and JSON
            body = {"schema": text, "schemaType": language}
            answer = common_api.ask("POST", f"/subjects/{prefix}/versions", body)
            # A hundred thousand of the longer ones are too many bytes as well.
            expected = 42201 if len(text) < 2_000_000 else 42209 if len(text) < 3_000_000 else 413
            assert answer.code == expected, (kind, language)
    common_api.check_alive()


@pytest.mark.parametrize("depth", [1_000, 100_000])
def test_bodies_nested_deeply_are_refused(common_api: Api, depth: int) -> None:
    for text in ("[" * depth, '{"schema":' * depth, '{"a":' * depth + "1" + "}" * depth):
        for method, path in BODY_ROUTES:
            assert common_api.refusal(method, path, text.encode())[0] == 400
    common_api.check_alive()


def test_numbers_that_take_long_to_read_are_refused(common_api: Api, prefix: str) -> None:
    path = f"/subjects/{prefix}/versions"
    digits = "9" * 1_000_000
    assert common_api.refusal("POST", path, f'{{"id":{digits}}}'.encode())[0] == 400
    schema = f'{{"type":"fixed","name":"F","size":{digits}}}'
    assert common_api.refusal("POST", path, {"schema": schema})[0] == 42201
    for id in (digits[:20], digits[:10_000]):
        assert common_api.refusal("GET", f"/schemas/ids/{id}")[0] == 404
        assert common_api.refusal("GET", f"/subjects/{prefix}/versions/{id}")[0] == 42202
        assert common_api.refusal("GET", f"/subjects?offset={id}")[0] == 404


def test_references_in_a_ring_cannot_be_made(common_api: Api, prefix: str) -> None:
    reference = [{"name": "R", "subject": prefix, "version": 1}]
    body = {"schema": '{"type":"array","items":"R"}', "references": reference}
    assert common_api.refusal("POST", f"/subjects/{prefix}/versions", body)[0] == 42201
    flood = {"schema": '"int"', "references": reference * 2_000}
    assert common_api.refusal("POST", f"/subjects/{prefix}/versions", flood)[0] == 42201


NAMES = {
    "..%2f..%2fetc%2fpasswd": 42208,
    "%2e%2e%2f": 42208,
    "..%5c..%5cwindows": 42208,
    "a%00": 42208,
    "%00": 42208,
    "a%0d%0aX-Evil:%201": 42208,
    "a%1b[31m": 42208,
    "%ff": 400,
    "a%c0%af..": 400,
    "%ed%a0%80": 400,
    "x" * 10_000: 42208,
    "%F0%9F%98%80" * 1_025: 42208,
    ":.context:name": 42208,
}


@pytest.mark.parametrize("name", NAMES, ids=lambda name: name[:24])
def test_hostile_names_are_refused_everywhere(common_api: Api, name: str) -> None:
    schema = {"schema": '"string"'}
    for method, path, body in (
        ("POST", f"/subjects/{name}/versions", schema),
        ("POST", f"/subjects/{name}", schema),
        ("GET", f"/subjects/{name}/versions", None),
        ("GET", f"/subjects/{name}/versions/1", None),
        ("DELETE", f"/subjects/{name}", None),
        ("DELETE", f"/subjects/{name}/versions/1", None),
        ("POST", f"/compatibility/subjects/{name}/versions", schema),
        ("PUT", f"/config/{name}", {"compatibility": "NONE"}),
        ("PUT", f"/mode/{name}", {"mode": "READONLY"}),
    ):
        code, message = common_api.refusal(method, path, body)
        assert code == NAMES[name], (method, path[:50])
        assert message.isprintable()
        assert len(message) < 400
    for path in (f"/config/{name}", f"/mode/{name}", f"/schemas/guids/{name}"):
        answer = common_api.ask("GET", path)
        assert answer.code in (400, 40403, 40408, 40409, 42208)
        assert len(answer.message) < 400
    common_api.check_alive()


def test_a_name_inside_a_body_is_looked_at_too(common_api: Api, prefix: str) -> None:
    for subject in ("../../x", "a\x00b", "x" * 10_000):
        reference = {"name": "n", "subject": subject, "version": 1}
        body = {"schema": '"int"', "references": [reference]}
        code, message = common_api.refusal("POST", f"/subjects/{prefix}/versions", body)
        assert code in (42201, 42208)
        assert message.isprintable()
        assert len(message) < 400
