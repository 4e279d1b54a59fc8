"""Versions and ids: what a number means, before and after deletes."""

import pytest

from tests.schema_registry.rest.api import Api, user

FIRST, SECOND, THIRD = user("a"), user("a", "b?"), user("a", "b?", "c?")


@pytest.fixture
def subject(prefix: str) -> str:
    return f"{prefix}-value"


def test_versions_count_up_and_equal_schemas_are_one(common_api: Api, subject: str) -> None:
    first = common_api.register(subject, FIRST)
    second = common_api.register(subject, SECOND)
    assert (first[1], second[1]) == (1, 2)
    # The older one again, in another spelling: nothing new.
    assert common_api.register(subject, FIRST.replace(" ", "\n")) == first
    assert common_api.get(f"/subjects/{subject}/versions") == [1, 2]


def test_the_same_schema_has_one_id_under_all_subjects(common_api: Api, subject: str) -> None:
    schema = user(subject.replace("-", "_"))
    id, _ = common_api.register(f"{subject}-a", schema)
    common_api.register(f"{subject}-b", FIRST)
    common_api.put(f"/config/{subject}-b", compatibility="NONE")
    assert common_api.register(f"{subject}-b", schema) == (id, 2)
    assert common_api.get(f"/schemas/ids/{id}/versions") == [
        {"subject": f"{subject}-a", "version": 1},
        {"subject": f"{subject}-b", "version": 2},
    ]
    assert common_api.get(f"/schemas/ids/{id}/subjects?limit=1") == [f"{subject}-a"]


def test_a_register_answer_is_whole(common_api: Api, subject: str) -> None:
    answer = common_api.ask("POST", f"/subjects/{subject}/versions", {"schema": FIRST})
    found = common_api.get(f"/subjects/{subject}/versions/1")
    assert answer.body == found
    assert found["schema"] == FIRST.replace(" ", "")
    assert set(found) == {"subject", "version", "id", "guid", "schemaType", "schema", "deleted"}
    assert answer.headers["content-type"] == "application/vnd.schemaregistry.v1+json"
    assert common_api.get(f"/schemas/ids/{found['id']}")["schema"] == found["schema"]
    for path in (f"/schemas/ids/{found['id']}/schema", f"/subjects/{subject}/versions/1/schema"):
        assert common_api.ask("GET", path).body == {
            "type": "record",
            "name": "User",
            "fields": [{"name": "a", "type": "string"}],
        }


def test_after_a_soft_delete_the_same_schema_gets_its_id_and_the_next_version(
    common_api: Api, subject: str
) -> None:
    id, _ = common_api.register(subject, FIRST)
    common_api.register(subject, SECOND)
    assert common_api.delete(f"/subjects/{subject}") == [1, 2]
    assert common_api.register(subject, FIRST) == (id, 3)
    assert common_api.get(f"/subjects/{subject}/versions") == [3]


def test_a_soft_deleted_version_is_hidden_but_its_id_still_means_it(
    common_api: Api, subject: str
) -> None:
    common_api.register(subject, FIRST)
    id, _ = common_api.register(subject, user("a", f"{subject[:-6]}?"))
    path = f"/subjects/{subject}/versions"
    assert common_api.delete(f"{path}/2") == 2
    assert common_api.get(path) == [1]
    assert common_api.get(f"{path}?deleted=true") == [1, 2]
    assert common_api.get(f"{path}?deletedOnly=TRUE") == [2]
    assert common_api.refusal("GET", f"{path}/2") == (40402, "Version 2 not found.")
    assert common_api.get(f"{path}/2?deleted=true")["deleted"] is True
    assert common_api.get(f"{path}/latest")["version"] == 1
    # The latest never is a deleted one.
    assert common_api.get(f"{path}/latest?deleted=true")["version"] == 1
    assert common_api.get(f"/schemas/ids/{id}")["schema"]
    assert common_api.get(f"/schemas/ids/{id}/versions") == []
    assert common_api.get(f"/schemas/ids/{id}/subjects") == []
    assert common_api.get(f"/schemas/ids/{id}/subjects?deleted=true") == [subject]
    place = {"subject": subject, "version": 2}
    assert common_api.get(f"/schemas/ids/{id}/versions?deleted=true") == [place]


def test_an_id_is_never_given_out_again(api: Api) -> None:
    old, _ = api.register("s", FIRST)
    assert api.delete("/subjects/s") == [1]
    assert api.delete("/subjects/s?permanent=true") == [1]
    assert api.refusal("GET", f"/schemas/ids/{old}") == (40403, f"Schema {old} not found")
    new, version = api.register("s", FIRST)
    assert (new, version) == (old + 1, 1)
    assert api.register("other", SECOND)[0] == old + 2
    assert api.get(f"/schemas/ids/{new}?fetchMaxId=true")["maxId"] == old + 2


def test_a_hard_delete_frees_only_the_highest_number(common_api: Api, subject: str) -> None:
    path = f"/subjects/{subject}/versions"
    for schema in (FIRST, SECOND, THIRD):
        common_api.register(subject, schema)
    for number in (1, 3):
        common_api.delete(f"{path}/{number}")
        common_api.delete(f"{path}/{number}?permanent=true")
    assert common_api.get(f"{path}?deleted=true") == [2]
    assert common_api.register(subject, THIRD)[1] == 3


def test_a_hard_delete_of_the_last_version_takes_the_settings_with_it(
    common_api: Api, subject: str
) -> None:
    common_api.register(subject, FIRST)
    common_api.put(f"/config/{subject}", compatibility="FULL")
    common_api.delete(f"/subjects/{subject}")
    assert common_api.get(f"/config/{subject}") == {"compatibilityLevel": "FULL"}
    common_api.delete(f"/subjects/{subject}?permanent=true")
    assert common_api.refusal("GET", f"/config/{subject}")[0] == 40408


def test_a_version_that_is_said_must_be_the_next(common_api: Api, subject: str) -> None:
    assert common_api.register(subject, FIRST, version=1)[1] == 1
    path = f"/subjects/{subject}/versions"
    assert common_api.refusal("POST", path, {"schema": SECOND, "version": 5})[0] == 42201
    assert common_api.register(subject, SECOND, version=2)[1] == 2


def test_look_up_finds_by_content(common_api: Api, subject: str) -> None:
    path = f"/subjects/{subject}"
    sent = {"schema": FIRST}
    missing = (40401, f"Subject '{subject}' not found.")
    assert common_api.refusal("POST", path, sent) == missing
    common_api.register(subject, SECOND)
    assert common_api.refusal("POST", path, sent) == (40403, "Schema not found")
    common_api.register(subject, FIRST)
    assert common_api.ask("POST", path, sent).body["version"] == 2
    common_api.delete(f"{path}/versions/2")
    assert common_api.refusal("POST", path, sent) == (40403, "Schema not found")
    assert common_api.ask("POST", f"{path}?deleted=True", sent).body["version"] == 2


def test_normalize_makes_spellings_one(common_api: Api, subject: str) -> None:
    plain = '{"type":"fixed","name":"F","size":1,"aliases":["B","A"]}'
    other = '{"aliases":["A","B"],"size":1,"name":"F","type":"fixed"}'
    common_api.register(f"{subject}-as-sent", plain)
    assert common_api.register(f"{subject}-as-sent", other)[1] == 2

    path = f"/subjects/{subject}/versions?normalize=true"
    first = common_api.ask("POST", path, {"schema": plain}).body
    second = common_api.ask("POST", path, {"schema": other}).body
    assert (first["id"], first["version"]) == (second["id"], second["version"])
    found = common_api.ask("POST", f"/subjects/{subject}?normalize=True", {"schema": other})
    assert found.body["version"] == 1


def test_all_schemas_are_listed(api: Api) -> None:
    for subject, schema in (("b", FIRST), ("a", FIRST), ("a", SECOND), ("c", THIRD)):
        api.register(subject, schema)
    api.delete("/subjects/c")
    api.delete("/subjects/a/versions/2")

    def places(query: str) -> list[tuple[str, int]]:
        return [(each["subject"], each["version"]) for each in api.get(f"/schemas?{query}")]

    assert places("") == [("a", 1), ("b", 1)]
    assert places("deleted=true") == [("a", 1), ("a", 2), ("b", 1), ("c", 1)]
    assert places("deleted=true&latestOnly=true") == [("a", 2), ("b", 1), ("c", 1)]
    assert places("latestOnly=true") == [("a", 1), ("b", 1)]
    assert places("subjectPrefix=b") == [("b", 1)]
    assert places("deleted=true&offset=1&limit=2") == [("a", 2), ("b", 1)]
    assert places("limit=-5&offset=-1") == [("a", 1), ("b", 1)]

    assert api.get("/subjects") == ["a", "b"]
    assert api.get("/subjects?deleted=true") == ["a", "b", "c"]
    # "Only" means subjects of which nothing is left.
    assert api.get("/subjects?deletedOnly=true&deleted=true") == ["c"]
    assert api.get("/subjects?subjectPrefix=:*:a") == ["a"]
    assert api.get("/subjects?offset=1&limit=1") == ["b"]
    assert api.get("/subjects?offset=9") == []
    assert api.get("/subjects/a/versions?deleted=true&offset=1") == [2]
    assert api.get("/subjects/a/versions?deleted=true&limit=1") == [1]


def test_references_protect_what_they_point_to(common_api: Api, subject: str) -> None:
    base, user_of_base = f"{subject}-base", f"{subject}-user"
    common_api.register(base, '{"type":"record","name":"n.Base","fields":[]}')
    id, _ = common_api.register(
        user_of_base,
        '{"type":"array","items":"n.Base"}',
        references=[{"name": "n.Base", "subject": base, "version": 1}],
    )
    assert common_api.get(f"/subjects/{base}/versions/1/referencedby") == [id]
    for method, path in (
        ("DELETE", f"/subjects/{base}"),
        ("DELETE", f"/subjects/{base}/versions/latest"),
    ):
        assert common_api.refusal(method, path)[0] == 42206
    # A soft-deleted user lets go of a soft delete, not of one for good.
    common_api.delete(f"/subjects/{user_of_base}")
    assert common_api.get(f"/subjects/{base}/versions/1/referencedby") == []
    assert common_api.get(f"/subjects/{base}/versions/1/referencedby?deleted=true") == [id]
    assert common_api.delete(f"/subjects/{base}") == [1]
    assert common_api.refusal("DELETE", f"/subjects/{base}?permanent=true")[0] == 42206
    common_api.delete(f"/subjects/{user_of_base}?permanent=true")
    assert common_api.delete(f"/subjects/{base}?permanent=true") == [1]


def test_json_schema_and_protobuf_are_kept_and_looked_up(common_api: Api, subject: str) -> None:
    texts = {
        "JSON": '{"type": "object", "properties": {"a": {"type": "string"}}}',
        "PROTOBUF": 'syntax = "proto3";\nmessage M { string a = 1; }',
    }
    for kind, text in texts.items():
        name = f"{subject}-{kind}"
        id, _ = common_api.register(name, text, schemaType=kind)
        found = common_api.get(f"/schemas/ids/{id}")
        assert (found["schemaType"], found["schema"]) == (kind, text)
        sent = {"schema": text, "schemaType": kind}
        assert common_api.ask("POST", f"/subjects/{name}", sent).body["id"] == id
        assert common_api.register(name, text, schemaType=kind) == (id, 1)


def test_the_compatibility_of_json_schema_and_protobuf_is_not_supported(
    common_api: Api, subject: str
) -> None:
    old, new = '{"type": "string"}', '{"type": "number"}'
    common_api.register(subject, old, schemaType="JSON")
    sent = {"schema": new, "schemaType": "JSON"}
    for path in (
        f"/subjects/{subject}/versions",
        f"/compatibility/subjects/{subject}/versions/latest",
        f"/compatibility/subjects/{subject}/versions",
    ):
        code, message = common_api.refusal("POST", path, sent)
        assert code // 100 == 422
        assert "not supported" in message
    common_api.put(f"/config/{subject}", compatibility="NONE")
    assert common_api.register(subject, new, schemaType="JSON")[1] == 2
