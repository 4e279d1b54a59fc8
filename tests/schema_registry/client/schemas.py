"""Schemas that the tests of clients register."""

import json


def record(*fields: str, name: str = "Order") -> str:
    """A record of strings. A field that ends in ``?`` may be null, and is by default."""
    return json.dumps({"type": "record", "name": name, "fields": [_field(each) for each in fields]})


def _field(name: str) -> dict[str, object]:
    if name.endswith("?"):
        return {"name": name[:-1], "type": ["null", "string"], "default": None}
    return {"name": name, "type": "string"}
