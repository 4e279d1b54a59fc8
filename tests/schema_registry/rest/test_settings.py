"""Compatibility and mode: of all, of a subject, and what they allow."""

from typing import Any

import pytest

from tests.schema_registry.rest.api import Api, user

FIRST, WIDER, NARROWER = user("a"), user("a", "b?"), user()
UNREADABLE = user("a", "b")


@pytest.fixture
def subject(prefix: str) -> str:
    return prefix


def test_config_of_a_subject_stands_above_that_of_all(api: Api) -> None:
    assert api.get("/config") == {"compatibilityLevel": "BACKWARD"}
    assert api.delete("/config") == {"compatibilityLevel": "BACKWARD"}
    assert api.put("/config", compatibility="full") == {"compatibility": "FULL"}
    assert api.get("/config/s?defaultToGlobal=true") == {"compatibilityLevel": "FULL"}
    assert api.refusal("GET", "/config/s")[0] == 40408
    assert api.put("/config/s", compatibility="NONE") == {"compatibility": "NONE"}
    assert api.get("/config/s") == {"compatibilityLevel": "NONE"}
    # What is not named stays.
    changed = api.put("/config/s", normalize=True)
    assert changed == {"compatibility": "NONE", "normalize": True}
    assert api.put("/config", normalize=False) == {"compatibility": "FULL", "normalize": False}
    assert api.delete("/config/s") == {"compatibilityLevel": "NONE", "normalize": True}
    inherited = {"compatibilityLevel": "FULL", "normalize": False}
    assert api.get("/config/s?defaultToGlobal=true") == inherited
    assert api.delete("/config") == inherited
    assert api.get("/config") == {"compatibilityLevel": "BACKWARD"}


def test_a_level_that_is_none_is_refused(common_api: Api, subject: str) -> None:
    for level in ("SIDEWAYS", "", "BACKWARD "):
        code, message = common_api.refusal("PUT", f"/config/{subject}", {"compatibility": level})
        assert code == 42203, level
        assert "Valid values are none, backward" in message
    assert common_api.refusal("PUT", f"/config/{subject}", {"compatibility": 7})[0] == 400
    assert common_api.refusal("PUT", f"/config/{subject}", {"alias": "other"})[0] == 422
    assert common_api.refusal("GET", f"/config/{subject}")[0] == 40408


def test_normalize_can_be_a_setting(common_api: Api, subject: str) -> None:
    one = '{"type":"fixed","name":"F","size":1,"aliases":["B","A"]}'
    other = '{"type":"fixed","name":"F","size":1,"aliases":["A","B"]}'
    common_api.put(f"/config/{subject}", normalize=True)
    assert common_api.register(subject, one) == common_api.register(subject, other)


def test_the_level_of_all_is_what_a_new_version_is_held_to(api: Api) -> None:
    api.register("s", WIDER)
    api.put("/config", compatibility="FORWARD")
    code, message = api.refusal("POST", "/subjects/s/versions", {"schema": user("b?")})
    assert code == 40901
    assert message.startswith(
        "Schema being registered is incompatible with an earlier schema for subject "
        '"s", details: [{errorType:'
    )
    assert "{oldSchemaVersion: 1}" in message
    assert message.endswith("{compatibility: 'FORWARD'}]")
    api.put("/config/s", compatibility="NONE")
    assert api.register("s", user("b?"))[1] == 2


def test_transitive_levels_look_at_all_versions(common_api: Api, subject: str) -> None:
    for schema in (user("a", "x"), user("a")):
        common_api.register(subject, schema)
    # It has no default for x: readable from version 2 it is not, from 1 it would be.
    again = '{"type":"record","name":"User","fields":[{"name":"x","type":"int","default":0}]}'
    path = f"/subjects/{subject}/versions"
    assert common_api.compatible(path, again) == {"is_compatible": True}
    common_api.put(f"/config/{subject}", compatibility="BACKWARD_TRANSITIVE")
    answer = common_api.compatible(f"{path}?verbose=true", again)
    assert answer["is_compatible"] is False
    assert "{oldSchemaVersion: 1}" in answer["messages"]
    assert common_api.compatible(f"{path}/2", again) == {"is_compatible": True}
    assert common_api.compatible(f"{path}/1", again) == {"is_compatible": False}


def test_compatibility_answers_instead_of_refusing(common_api: Api, subject: str) -> None:
    path = f"/subjects/{subject}/versions"
    for place in ("", "/latest", "/-1", "/%20Latest"):
        assert common_api.compatible(f"{path}{place}", UNREADABLE) == {"is_compatible": True}
    common_api.register(subject, FIRST)
    for place in ("", "/latest", "/-1", "/1"):
        assert common_api.compatible(f"{path}{place}", UNREADABLE) == {"is_compatible": False}
        verbose = common_api.compatible(f"{path}{place}?verbose=True", UNREADABLE)
        assert any('"b"' in line for line in verbose["messages"])
        verbose = common_api.compatible(f"{path}{place}?verbose=true", WIDER)
        assert verbose == {"is_compatible": True, "messages": []}
    # Deleted versions do not count.
    common_api.delete(f"{path}/1")
    assert common_api.compatible(path, UNREADABLE) == {"is_compatible": True}
    assert common_api.register(subject, UNREADABLE)[1] == 2


def test_another_language_is_incompatible(common_api: Api, subject: str) -> None:
    common_api.register(subject, FIRST)
    body = {"schema": '{"type": "object"}', "schemaType": "JSON"}
    assert common_api.refusal("POST", f"/subjects/{subject}/versions", body)[0] == 40901


def test_a_subject_that_is_read_only_can_be_read_only(common_api: Api, subject: str) -> None:
    known = common_api.register(subject, FIRST)
    assert common_api.put(f"/mode/{subject}", mode="readonly") == {"mode": "readonly"}
    assert common_api.get(f"/mode/{subject}") == {"mode": "READONLY"}
    attempts: list[tuple[str, str, Any]] = [
        ("POST", f"/subjects/{subject}/versions", {"schema": WIDER}),
        ("DELETE", f"/subjects/{subject}", None),
        ("DELETE", f"/subjects/{subject}/versions/1", None),
        ("PUT", f"/config/{subject}", {"compatibility": "NONE"}),
        ("DELETE", f"/config/{subject}", None),
    ]
    for method, path, body in attempts:
        code, message = common_api.refusal(method, path, body)
        assert code == 42205, (method, path)
        assert f"Subject {subject}" in message
        assert "read-only mode" in message
    # What is there already is no change.
    assert common_api.register(subject, FIRST) == known
    assert common_api.delete(f"/mode/{subject}") == {"mode": "READONLY"}
    assert common_api.register(subject, WIDER)[1] == 2


def test_the_mode_of_all_holds_where_a_subject_has_none(api: Api) -> None:
    assert api.get("/mode") == {"mode": "READWRITE"}
    assert api.delete("/mode") == {"mode": "READWRITE"}
    api.put("/mode/open", mode="READWRITE")
    api.put("/mode", mode="READONLY")
    assert api.refusal("GET", "/mode/closed")[0] == 40409
    assert api.get("/mode/closed?defaultToGlobal=true") == {"mode": "READONLY"}
    body = {"schema": FIRST}
    assert api.refusal("POST", "/subjects/closed/versions", body)[0] == 42205
    assert api.refusal("PUT", "/config", {"compatibility": "NONE"})[0] == 42205
    assert api.register("open", FIRST)[1] == 1
    assert api.delete("/mode") == {"mode": "READONLY"}
    assert api.register("closed", FIRST)[1] == 1


def test_a_mode_that_is_none_is_refused(common_api: Api, subject: str) -> None:
    for body in ({"mode": "SLEEP"}, {"mode": ""}, {"mode": None}, {}):
        assert common_api.refusal("PUT", f"/mode/{subject}", body)[0] == 42204, body
    assert common_api.refusal("PUT", f"/mode/{subject}", {"mode": 1})[0] == 400


def test_an_import_chooses_its_ids_and_cannot_change_what_one_means(api: Api) -> None:
    known, _ = api.register("old", FIRST)
    assert api.refusal("PUT", "/mode", {"mode": "IMPORT"}) == (
        42205,
        "Cannot import since found existing subjects",
    )
    path = "/subjects/s/versions"
    # Outside of an import an id is not ours to choose.
    assert api.refusal("POST", path, {"schema": WIDER, "id": 500})[0] == 42205
    api.put("/mode/s", mode="IMPORT")
    assert api.register("s", WIDER, id=500, version=7) == (500, 7)
    # No compatibility is asked for.
    assert api.register("s", UNREADABLE, id=400) == (400, 8)
    assert api.refusal("POST", path, {"schema": NARROWER})[0] == 42205
    for taken in (500, known):
        code, message = api.refusal("POST", path, {"schema": NARROWER, "id": taken})
        assert code == 42205
        assert message.startswith(f"Overwrite new schema with id {taken}")
    assert api.refusal("POST", path, {"schema": NARROWER, "id": 9, "version": 7})[0] == 42205
    for id in (2**31, -5, 10**30):
        assert api.refusal("POST", path, {"schema": NARROWER, "id": id})[0] == 42201
    for version in (2**31, -5, 10**30):
        sent = {"schema": NARROWER, "id": 9, "version": version}
        assert api.refusal("POST", path, sent)[0] in (42201, 42202)
    assert api.get(f"/schemas/ids/{known}")["schema"] == FIRST.replace(" ", "")
    # Behind an import, ids go on above the highest.
    api.put("/mode/s", mode="READWRITE")
    assert api.register("next", NARROWER) == (501, 1)


def test_an_import_into_a_subject_with_schemas_needs_force(common_api: Api, subject: str) -> None:
    common_api.register(subject, FIRST)
    assert common_api.refusal("PUT", f"/mode/{subject}", {"mode": "IMPORT"})[0] == 42205
    answer = common_api.ask("PUT", f"/mode/{subject}?force=true", {"mode": "IMPORT"})
    assert answer.body == {"mode": "IMPORT"}
