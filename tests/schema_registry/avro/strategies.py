"""Schemas that Hypothesis draws, and ways to evolve them.

Schemas are drawn as JSON, because edits are edits of a text. Three limits keep to
what fastavro can judge: a schema's named types differ in their simple names (it
takes the first branch whose simple name fits, even if another has the full name),
a name stands for one kind of type in all schemas (it reads a record into an enum
of the same name), and recursion passes a union, an array or a map (or else no
datum could be written).
"""

import json
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from schema_registry.avro.errors import MalformedSchema
from schema_registry.avro.model import Schema
from schema_registry.avro.parse import parse
from tests.schema_registry.avro.edits import PRIMITIVES, Edit, default_for

DEEPEST = 3


@dataclass
class Drawing:
    """One schema on its way: what it has defined, and what it is inside of."""

    choose: random.Random
    defined: list[str] = field(default_factory=list)
    inside: list[str] = field(default_factory=list)

    def type(self, depth: int = 0) -> Any:
        kinds: list[Callable[[int], Any]] = [self.primitive, self.primitive]
        if self.defined:
            kinds += [lambda _: self.choose.choice(self.defined)]
        if depth < DEEPEST:
            kinds += [self.array, self.map, self.union, self.record, self.record]
            kinds += [self.enumeration, self.fixed, self.decimal]
        return self.choose.choice(kinds)(depth)

    def primitive(self, _: int) -> Any:
        return self.choose.choice(PRIMITIVES)

    def decimal(self, _: int) -> Any:
        precision = self.choose.randint(4, 8)
        attributes = {"logicalType": "decimal", "precision": precision}
        return {"type": "bytes", **attributes, "scale": self.choose.randint(0, 2)}

    def array(self, depth: int) -> Any:
        return {"type": "array", "items": self.reached(depth)}

    def map(self, depth: int) -> Any:
        return {"type": "map", "values": self.reached(depth)}

    def union(self, depth: int) -> Any:
        branches: dict[str, Any] = {}
        for _ in range(self.choose.randint(1, 3)):
            branch = self.reached(depth)
            if not isinstance(branch, list):
                branches.setdefault(kind_of(branch), branch)
        branches.setdefault("null", "null")
        found = list(branches.values())
        self.choose.shuffle(found)
        return found

    def reached(self, depth: int) -> Any:
        if self.inside and self.choose.random() < 0.15:
            return self.choose.choice(self.inside)
        return self.type(depth + 1)

    def record(self, depth: int) -> Any:
        name = self.name("R")
        if name is None:
            return "string"
        self.inside.append(name)
        names = self.choose.sample(["a", "b", "c", "d"], self.choose.randint(0, 3))
        fields = [self.field(each, depth) for each in names]
        self.inside.pop()
        self.defined.append(name)
        return {"type": "record", "name": name, "fields": fields}

    def field(self, name: str, depth: int) -> Any:
        found = {"name": name, "type": self.type(depth + 1)}
        if self.choose.random() < 0.4:
            found |= default_for(found["type"])
        return found

    def enumeration(self, _: int) -> Any:
        name = self.name("E")
        if name is None:
            return "int"
        self.defined.append(name)
        symbols = self.choose.sample(["A", "B", "C", "D"], self.choose.randint(1, 3))
        default = {"default": symbols[0]} if self.choose.random() < 0.3 else {}
        return {"type": "enum", "name": name, "symbols": symbols, **default}

    def fixed(self, _: int) -> Any:
        name = self.name("F")
        if name is None:
            return "bytes"
        self.defined.append(name)
        found = {"type": "fixed", "name": name, "size": self.choose.randint(1, 3)}
        if self.choose.random() < 0.3:
            found |= {"logicalType": "decimal", "precision": 2, "scale": self.choose.randint(0, 1)}
        return found

    def name(self, letter: str) -> str | None:
        free = [f"{letter}{i}" for i in range(4)]
        free = [name for name in free if name not in self.defined and name not in self.inside]
        return self.choose.choice(free) if free else None


def kind_of(branch: Any) -> str:
    if isinstance(branch, str):
        return branch
    return str(branch.get("name", branch["type"]))


@dataclass(frozen=True)
class Drawn:
    """A schema as JSON, for fastavro, and as ours."""

    value: Any
    schema: Schema


def drawn(choose: random.Random) -> Drawn:
    """Draw a schema, and again if it is illegal: a union may have put a use of a name
    before its definition, or a default of ``{}`` be one of the record that it stands in.
    """
    while True:
        drawing = Drawing(choose)
        value = drawing.record(0) if choose.random() < 0.7 else drawing.type()
        if isinstance(value, dict) and "name" in value and choose.random() < 0.5:
            value["namespace"] = choose.choice(["x", "y.z"])
        try:
            return Drawn(value, parse(json.dumps(value)))
        except MalformedSchema as error:
            expected = "is defined before this place", "would never end"
            if not error.reason.endswith(expected):
                raise


def evolved(before: Drawn, choose: random.Random) -> Drawn:
    """Make one to three edits; an edit that gives no legal schema is left out."""
    after = before
    for _ in range(choose.randint(1, 3)):
        value = Edit(after.value, choose).apply()
        try:
            after = Drawn(value, parse(json.dumps(value)))
        except MalformedSchema:
            continue
    return after


@st.composite
def schemas(draw: st.DrawFn) -> Drawn:
    """Draw one schema."""
    return drawn(draw(st.randoms(use_true_random=False)))


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Drawn, Drawn]:
    """Draw a schema and what became of it: either may be the reader."""
    choose = draw(st.randoms(use_true_random=False))
    before = drawn(choose)
    after = evolved(before, choose)
    return (before, after) if choose.random() < 0.5 else (after, before)


@st.composite
def strangers(draw: st.DrawFn) -> tuple[Drawn, Drawn]:
    """Draw two schemas that know nothing of each other."""
    choose = draw(st.randoms(use_true_random=False))
    return drawn(choose), drawn(choose)
