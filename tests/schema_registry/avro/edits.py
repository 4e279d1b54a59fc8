"""Random changes of a schema, as people make them."""

import json
import random
from collections.abc import Iterator
from typing import Any

PRIMITIVES = ("null", "boolean", "int", "long", "float", "double", "bytes", "string")
PROMOTIONS = {
    "int": ("long", "float", "double"),
    "long": ("float", "double", "int"),
    "float": ("double", "int"),
    "bytes": ("string",),
    "string": ("bytes",),
}
DEFAULTS: dict[str, Any] = {
    "null": None,
    "boolean": True,
    "int": 1,
    "long": 2,
    "float": 0.5,
    "double": 1.5,
    "bytes": "\u00ff",
    "string": "x",
}


def default_for(type_: Any) -> dict[str, Any]:
    """Give a default where one is easily made; names are left without."""
    if isinstance(type_, list):
        return default_for(type_[-1])
    if isinstance(type_, str):
        return {"default": DEFAULTS[type_]} if type_ in DEFAULTS else {}
    match type_["type"]:
        case "array":
            return {"default": []}
        case "map":
            return {"default": {}}
        case "enum":
            return {"default": type_["symbols"][-1]}
        case "fixed":
            return {"default": "\u0001" * type_["size"]}
        case "bytes":
            return {"default": "\u0001"}
    return {}


def nodes(value: Any) -> Iterator[tuple[Any, Any]]:
    """Give every type as the container and the key under which it stands."""
    pending: list[tuple[Any, Any]] = [([value], 0)]
    while pending:
        container, key = pending.pop()
        yield container, key
        here = container[key]
        if isinstance(here, list):
            pending += [(here, index) for index in range(len(here))]
        elif isinstance(here, dict):
            pending += [(here, name) for name in ("items", "values") if name in here]
            pending += [(each, "type") for each in here.get("fields", ())]


def renamed(value: Any, old: str, new: str) -> Any:
    """Replace a type's name where it is defined and where it is used."""
    if isinstance(value, dict):
        return {
            key: item if key == "default" else renamed(item, old, new)
            for key, item in value.items()
        }
    if isinstance(value, list):
        return [renamed(item, old, new) for item in value]
    return new if value == old else value


class Edit:
    """One random change of a schema, at one place of it."""

    def __init__(self, value: Any, choose: random.Random) -> None:
        self.value, self.choose = [json.loads(json.dumps(value))], choose

    def apply(self) -> Any:
        container, key = self.choose.choice(list(nodes_of(self.value)))
        here = container[key]
        if isinstance(here, list):
            self.change_union(here, container, key)
        elif isinstance(here, str):
            container[key] = self.changed_name(here)
        else:
            match here["type"]:
                case "record":
                    self.change_record(here)
                case "enum":
                    self.change_enum(here)
                case "fixed":
                    here["size"] = self.choose.randint(1, 3)
                case "bytes":
                    here["scale"] = self.choose.randint(0, 2)
                    here["precision"] = self.choose.randint(3, 9)
                case _:
                    container[key] = self.choose.choice([["null", here], "string"])
        if self.choose.random() < 0.2:
            self.rename_a_type()
        return self.value[0]

    def changed_name(self, name: str) -> Any:
        others = [*PROMOTIONS.get(name, ()), *PROMOTIONS.get(name, ()), "string"]
        return self.choose.choice([*others, [name], ["null", name], [name, "null"]])

    def change_union(self, branches: list[Any], container: Any, key: Any) -> None:
        match self.choose.choice(["widen", "narrow", "shuffle", "unwrap"]):
            case "widen":
                branches.append(self.choose.choice(PRIMITIVES))
            case "narrow" if len(branches) > 1:
                branches.pop(self.choose.randrange(len(branches)))
            case "shuffle":
                self.choose.shuffle(branches)
            case "unwrap":
                container[key] = self.choose.choice(branches)

    def change_enum(self, enum: dict[str, Any]) -> None:
        symbols = enum["symbols"]
        match self.choose.choice(["grow", "shrink", "shuffle", "default", "no default"]):
            case "grow":
                symbols.append(f"S{self.choose.randint(0, 9)}")
            case "shrink" if len(symbols) > 1:
                symbols.pop(self.choose.randrange(len(symbols)))
            case "shuffle":
                self.choose.shuffle(symbols)
            case "default":
                enum["default"] = self.choose.choice(symbols)
            case "no default":
                enum.pop("default", None)

    def change_record(self, record: dict[str, Any]) -> None:
        fields = record["fields"]
        what = self.choose.choice(["add", "add", "drop", "reorder", "rename", "default"])
        if what == "add":
            type_ = self.choose.choice(PRIMITIVES)
            default = default_for(type_) if self.choose.random() < 0.6 else {}
            fields.append({"name": f"n{self.choose.randint(0, 9)}", "type": type_, **default})
        elif fields and what == "drop":
            fields.pop(self.choose.randrange(len(fields)))
        elif what == "reorder":
            self.choose.shuffle(fields)
        elif fields and what == "rename":
            chosen = self.choose.choice(fields)
            if self.choose.random() < 0.7:
                # At times a name that another field has, or had: readers then differ.
                extra = ["a", "b", "c"] if self.choose.random() < 0.1 else []
                chosen["aliases"] = [chosen["name"], *extra]
            chosen["name"] = self.choose.choice(["a", "b", "m0", "m1", "m2", "m3"])
        elif fields:
            chosen = self.choose.choice(fields)
            if chosen.pop("default", chosen) is chosen:
                chosen |= default_for(chosen["type"])

    def rename_a_type(self) -> None:
        types = [container[key] for container, key in nodes_of(self.value)]
        named = [each for each in types if isinstance(each, dict) and "name" in each]
        if named:
            chosen = self.choose.choice(named)
            old = chosen["name"].rpartition(".")[2]
            if self.choose.random() < 0.7:
                chosen["aliases"] = [old]
            new = f"{old[0]}{self.choose.randint(4, 9)}"
            aliases = chosen.pop("aliases", None)
            self.value[0] = renamed(self.value[0], chosen["name"], new)
            for container, key in nodes_of(self.value):
                here = container[key]
                if aliases and isinstance(here, dict) and here.get("name") == new:
                    here["aliases"] = aliases


def nodes_of(holder: list[Any]) -> Iterator[tuple[Any, Any]]:
    """As ``nodes``, and the outermost can be replaced."""
    first = True
    for container, key in nodes(holder[0]):
        yield (holder, 0) if first else (container, key)
        first = False
