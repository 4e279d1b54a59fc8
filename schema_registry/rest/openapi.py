"""The API as a description for machines: clients, testers, gateways."""

import re
from importlib.metadata import version
from typing import Any, Final

from schema_registry.registry.records import Level, Mode, SchemaType
from schema_registry.registry.subjects import HIGHEST_VERSION, LONGEST_SUBJECT
from schema_registry.rest.routes import ROUTES, Route

MEDIA_TYPE: Final = "application/vnd.schemaregistry.v1+json"

_SUBJECT: Final = {"type": "string", "minLength": 1, "maxLength": LONGEST_SUBJECT}
_NAME: Final = {"type": "string", "minLength": 1}
_NUMBER: Final = {"type": "integer", "minimum": 1, "maximum": HIGHEST_VERSION}
_LEVEL: Final = {"type": "string", "enum": [each.value for each in Level]}
_MODE: Final = {"type": "string", "enum": [each.value for each in Mode]}
_TYPE: Final = {"type": "string", "enum": [each.value for each in SchemaType]}

# What a name in a path may be.
_IN_PATHS: Final[dict[str, dict[str, Any]]] = {
    "subject": _SUBJECT,
    "version": {"type": "string", "pattern": "^(latest|[1-9][0-9]{0,8})$"},
    "id": _NUMBER,
}


def _object(required: dict[str, Any], **optional: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "required": list(required),
        "properties": {**required, **optional},
    }


def _list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


_PLACE: Final = {"subject": _SUBJECT, "version": _NUMBER}
_CONTENT: Final = {
    "guid": {"type": "string", "format": "uuid"},
    "schemaType": _TYPE,
    "schema": {"type": "string"},
}
_REFERENCES: Final = _list(_ref("Reference"))
_NORMALIZE: Final = {"type": "boolean"}

# The shapes of what is sent and what is answered; unknown fields are passed over.
_SHAPES: Final[dict[str, dict[str, Any]]] = {
    "Schema": _object(
        {"schema": {"type": "string"}},
        schemaType=_TYPE,
        references=_REFERENCES,
        id={"type": "integer"},
        version={"type": "integer"},
    ),
    "Reference": _object({"name": {"type": "string"}, **_PLACE}),
    "Version": _object(
        {**_PLACE, "id": _NUMBER, **_CONTENT, "deleted": {"type": "boolean"}},
        references=_REFERENCES,
    ),
    "Versions": _list(_ref("Version")),
    "Content": _object(_CONTENT, references=_REFERENCES, maxId={"type": "integer"}),
    "Places": _list(_object(_PLACE)),
    "Ids": _list(_object({"context": {"type": "string"}, "id": _NUMBER})),
    "Verdict": _object({"is_compatible": {"type": "boolean"}}, messages=_list({"type": "string"})),
    "Config": _object({}, compatibility=_LEVEL, normalize=_NORMALIZE),
    "ConfigThatHolds": _object({"compatibilityLevel": _LEVEL}, normalize=_NORMALIZE),
    # In any spelling, and given back as it was spelt.
    "Mode": _object({"mode": _MODE}),
    "ModeThatHolds": _object({"mode": _MODE}),
    "Names": _list({"type": "string"}),
    "Numbers": _list(_NUMBER),
    "Number": _NUMBER,
    "Nothing": {"type": "object", "maxProperties": 0},
    "Health": _object({"topic": {"type": "string"}, "lastId": {"type": "integer", "minimum": 0}}),
    "Cluster": _object({"id": {"type": "string"}, "scope": {"type": "object"}}),
    "Software": _object({"version": {"type": "string"}, "commitId": {"type": "string"}}),
    "Error": _object({"error_code": {"type": "integer"}, "message": {"type": "string"}}),
}
# A schema as it is; one in Protobuf is no JSON.
_BARE_TEXT: Final = "Text"


def description() -> dict[str, Any]:
    """Describe every route as OpenAPI 3.1 does."""
    paths: dict[str, dict[str, Any]] = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Penstock schema registry", "version": version("penstock")},
        "paths": paths,
        "components": {"schemas": _SHAPES},
    }


def _operation(route: Route) -> dict[str, Any]:
    summary = (route.endpoint.__doc__ or "").partition("\n")[0]
    names = re.findall(r"\{(\w+)\}", route.path)
    error = {"description": "refused", "content": {MEDIA_TYPE: {"schema": _ref("Error")}}}
    operation: dict[str, Any] = {
        "summary": summary,
        "operationId": f"{route.method.lower()}_{'_'.join(re.findall(r'[a-z0-9]+', route.path))}",
        "parameters": [
            *(_parameter("path", name, _IN_PATHS.get(name, _NAME)) for name in names),
            *(_parameter("query", flag, {"type": "boolean"}) for flag in route.flags),
            *(_parameter("query", word, {"type": "string"}) for word in route.words),
            *(_parameter("query", page, {"type": "integer"}) for page in _paging(route)),
        ],
        "responses": {
            "200": {"description": "the answer", "content": {MEDIA_TYPE: _answer(route)}},
            "4XX": error,
            "5XX": error,
        },
    }
    if route.body is not None:
        content = {"schema": _ref(route.body)}
        operation["requestBody"] = {"required": True, "content": {"application/json": content}}
    return operation


def _answer(route: Route) -> dict[str, Any]:
    return {} if route.answer == _BARE_TEXT else {"schema": _ref(route.answer)}


def _paging(route: Route) -> tuple[str, ...]:
    return ("offset", "limit") if route.paged else ()


def _parameter(place: str, name: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"in": place, "name": name, "required": place == "path", "schema": schema}
