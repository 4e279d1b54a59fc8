"""Schemas written down shortly."""

import json
from typing import Any

import pytest

from schema_registry.avro.errors import MalformedSchema
from schema_registry.avro.model import Schema
from schema_registry.avro.parse import parse


def root(value: Any, *references: Any) -> Any:
    return parse(json.dumps(value), [json.dumps(each) for each in references]).root


def record(*fields: Any, **attributes: Any) -> dict[str, Any]:
    return {"type": "record", "name": "R", "fields": list(fields), **attributes}


def refused(value: Any, *references: Any) -> MalformedSchema:
    with pytest.raises(MalformedSchema) as raised:
        root(value, *references)
    return raised.value


def schema(value: Any, *references: Any) -> Schema:
    return parse(json.dumps(value), [json.dumps(each) for each in references])


def field(name: str, type_: Any, **attributes: Any) -> dict[str, Any]:
    return {"name": name, "type": type_, **attributes}
