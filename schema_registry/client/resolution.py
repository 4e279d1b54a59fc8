"""A schema together with all that it refers to."""

from typing import Final

from schema_registry.avro.model import Schema
from schema_registry.avro.parse import parse
from schema_registry.client.protocol import Catalogue
from schema_registry.registry import refusals
from schema_registry.registry.records import Content, Reference

# Each costs a question to the registry.
MOST_REFERENCES: Final = 200


def schema_of(catalogue: Catalogue, content: Content) -> Schema:
    """Parse an Avro schema with everything that it refers to."""
    return parse(content.text, _texts(catalogue, content.references))


def _texts(catalogue: Catalogue, references: tuple[Reference, ...]) -> list[str]:
    """Gather the texts of all references, those that others need first."""
    asked: dict[tuple[str, int], Content] = {}
    found: dict[tuple[str, int], str] = {}
    pending = [(reference, False) for reference in reversed(references)]
    while pending:
        reference, needs_are_there = pending.pop()
        place = (reference.subject, reference.version)
        if place in found:
            continue
        if needs_are_there:
            found[place] = asked[place].text
            continue
        if place in asked:  # it refers to itself by a detour: the parser says what is missing
            continue
        if len(asked) == MOST_REFERENCES:
            raise refusals.invalid_schema(f"it refers to more than {MOST_REFERENCES} schemas")
        # A version that is deleted may still be referred to.
        asked[place] = catalogue.version(*place, deleted=True).content
        pending.append((reference, True))
        pending.extend((needed, False) for needed in reversed(asked[place].references))
    return list(found.values())
