"""The rules of the connector file for editors, as JSON Schema.

It comes from the models. What it adds is what happens before them: a reference
may stand for any single value, and a key without a value is refused.
"""

from typing import Any, Final

from penstock.config.endpoint import HTTP_URL
from penstock.config.model import Connector

DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"
_REFERENCE: Final = {
    "type": "string",
    "title": "Reference",
    "description": "A value from a variable or a file: ${NAME}, ${NAME:-default}, ${file:path}.",
    "pattern": r"(^|[^$])\$\{(file:[^}]+|[A-Za-z_][A-Za-z0-9_]*(:-[^}]*)?)\}",
}
# Required of the models, and filled in from the connector's name.
_NAMED_AFTER_CONNECTOR: Final = {"slot", "publication", "topic_prefix"}
# What describes a key, and not the value behind it.
_ANNOTATIONS: Final = ("title", "description", "default", "examples")


def json_schema() -> dict[str, Any]:
    """Describe the connector file, in draft 2020-12."""
    schema = Connector.model_json_schema()
    definitions = schema.pop("$defs")
    return {
        "$schema": DRAFT,
        **_section(schema),
        "title": "Penstock connector",
        "$defs": {
            "Reference": dict(_REFERENCE),
            **{name: _section(section) for name, section in definitions.items()},
        },
    }


def _section(schema: dict[str, Any]) -> dict[str, Any]:
    properties = {key: _key(key, value) for key, value in schema["properties"].items()}
    required = [key for key in schema.get("required", []) if key not in _NAMED_AFTER_CONNECTOR]
    return {**schema, "properties": properties, "required": required}


def _key(key: str, schema: dict[str, Any]) -> dict[str, Any]:
    notes = {note: schema[note] for note in _ANNOTATIONS if schema.get(note) is not None}
    notes["title"] = key
    value = {word: rest for word, rest in schema.items() if word not in _ANNOTATIONS}
    if key == "registry":
        value["oneOf"].append({"type": "string", "pattern": HTTP_URL})
    return {**notes, **_value(value)}


def _value(schema: dict[str, Any]) -> dict[str, Any]:
    """Let a reference stand for a single value, and nothing stand for none."""
    branches = _branches(schema)
    return branches[0] if len(branches) == 1 else {"anyOf": branches}


def _branches(schema: dict[str, Any]) -> list[dict[str, Any]]:
    reference = {"$ref": "#/$defs/Reference"}
    if alternatives := schema.get("oneOf", schema.get("anyOf")):
        found = [branch for each in alternatives for branch in _branches(each)]
        # Several alternatives may take a reference; saying it once is enough.
        others = [branch for branch in found if branch != reference]
        return others if len(others) == len(found) else [*others, reference]
    match schema.get("type"):
        case "null":
            return []
        case "array":
            return [{**schema, "items": _value(schema["items"])}]
        case "object":
            named = {form: _value(inner) for form, inner in schema["patternProperties"].items()}
            return [{**schema, "patternProperties": named, "additionalProperties": False}]
        case "string" if not {"pattern", "enum", "const"} & schema.keys():
            return [schema]  # a reference is such text already
        case "string" | "integer":
            return [schema, reference]
        case _:
            return [schema]
