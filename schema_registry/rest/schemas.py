"""The endpoints of schemas by id."""

from typing import Any

from schema_registry.registry.records import SchemaType
from schema_registry.rest import shapes
from schema_registry.rest.calls import Call, all_schemas


def schemas(call: Call) -> list[dict[str, Any]]:
    """List the versions of all subjects with their schemas."""
    found = call.registry.schemas(
        call.prefix(), deleted=call.flag("deleted"), latest_only=call.flag("latestOnly")
    )
    return [shapes.version(each) for each in all_schemas(call, found)]


def types(_: Call) -> list[str]:
    """List the languages that schemas may be written in."""
    return [each.value for each in SchemaType]


def by_id(call: Call) -> dict[str, Any]:
    """Say what an id means. A subject in the query is a hint that we do not need."""
    answer = shapes.schema(call.registry.content(call.id))
    if call.flag("fetchMaxId"):
        answer["maxId"] = call.registry.last_id()
    return answer


def text_by_id(call: Call) -> str:
    """Give the schema of an id, and nothing else."""
    return call.registry.content(call.id).text


def subjects_of(call: Call) -> list[str]:
    """List the subjects that an id stands in."""
    places = call.registry.places(call.id, deleted=call.flag("deleted"))
    wanted = call.query.get("subject")
    subjects = {subject for subject, _ in places if wanted in (None, "", subject)}
    return call.page(sorted(subjects))


def versions_of(call: Call) -> list[dict[str, Any]]:
    """List the versions that an id stands in."""
    places = call.registry.places(call.id, deleted=call.flag("deleted"))
    wanted = call.query.get("subject")
    return call.page(
        [
            {"subject": subject, "version": version}
            for subject, version in places
            if wanted in (None, "", subject)
        ]
    )


def by_guid(call: Call) -> dict[str, Any]:
    """Find a schema by the name that is made of its content."""
    return shapes.schema(call.registry.content_by_guid(call.path["guid"].lower()))


def ids_by_guid(call: Call) -> list[dict[str, Any]]:
    """List the ids of a schema."""
    ids = call.registry.ids_by_guid(call.path["guid"].lower())
    return [{"context": ".", "id": id} for id in ids]
