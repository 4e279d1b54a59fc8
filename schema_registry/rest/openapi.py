"""The API as a description for machines: clients, testers, gateways."""

import re
from importlib.metadata import version
from typing import Any, Final

from schema_registry.registry.records import Level, Mode, SchemaType
from schema_registry.rest.routes import ROUTES, Route

MEDIA_TYPE: Final = "application/vnd.schemaregistry.v1+json"

_ERROR: Final = {
    "type": "object",
    "required": ["error_code", "message"],
    "properties": {"error_code": {"type": "integer"}, "message": {"type": "string"}},
}
_REFERENCE: Final = {
    "type": "object",
    "required": ["name", "subject", "version"],
    "properties": {
        "name": {"type": "string"},
        "subject": {"type": "string"},
        "version": {"type": "integer", "minimum": 1},
    },
}
_BODIES: Final[dict[str, dict[str, Any]]] = {
    "Schema": {
        "type": "object",
        "required": ["schema"],
        "properties": {
            "schema": {"type": "string"},
            "schemaType": {"type": "string", "enum": [each.value for each in SchemaType]},
            "references": {"type": "array", "items": _REFERENCE},
            "id": {"type": "integer"},
            "version": {"type": "integer"},
        },
    },
    "Config": {
        "type": "object",
        "properties": {
            "compatibility": {"type": "string", "enum": [each.value for each in Level]},
            "normalize": {"type": "boolean"},
        },
    },
    "Mode": {
        "type": "object",
        "required": ["mode"],
        "properties": {"mode": {"type": "string", "enum": [each.value for each in Mode]}},
    },
}


def description() -> dict[str, Any]:
    """Describe every route as OpenAPI 3.1 does."""
    paths: dict[str, dict[str, Any]] = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Penstock schema registry", "version": version("penstock")},
        "paths": paths,
        "components": {"schemas": {**_BODIES, "Error": _ERROR}},
    }


def _operation(route: Route) -> dict[str, Any]:
    summary = (route.endpoint.__doc__ or "").partition("\n")[0]
    names = re.findall(r"\{(\w+)\}", route.path)
    error = {"description": "refused", "content": {MEDIA_TYPE: {"schema": _ref("Error")}}}
    operation: dict[str, Any] = {
        "summary": summary,
        "operationId": f"{route.method.lower()}_{'_'.join(re.findall(r'[a-z0-9]+', route.path))}",
        "parameters": [
            *(_parameter("path", name, {"type": "string", "minLength": 1}) for name in names),
            *(_parameter("query", flag, {"type": "boolean"}) for flag in route.flags),
            *(_parameter("query", word, {"type": "string"}) for word in route.words),
            *(_parameter("query", page, {"type": "integer"}) for page in _paging(route)),
        ],
        "responses": {
            "200": {"description": "the answer", "content": {MEDIA_TYPE: {}}},
            "4XX": error,
            "5XX": error,
        },
    }
    if route.body is not None:
        content = {"schema": _ref(route.body)}
        operation["requestBody"] = {"required": True, "content": {"application/json": content}}
    return operation


def _paging(route: Route) -> tuple[str, ...]:
    return ("offset", "limit") if route.paged else ()


def _parameter(place: str, name: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"in": place, "name": name, "required": place == "path", "schema": schema}


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}
