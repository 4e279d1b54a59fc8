"""What an answer looks like. What is empty is left out, as Confluent's registry does."""

from collections.abc import Sequence
from typing import Any

from schema_registry.registry.records import Config, Content, Level
from schema_registry.registry.refusals import IncompatibleSchema, Problem, shown
from schema_registry.registry.subjects import Registered


def schema(content: Content) -> dict[str, Any]:
    """Show a schema without its places."""
    answer: dict[str, Any] = {
        "guid": content.guid,
        "schemaType": content.type.value,
        "schema": content.text,
    }
    if content.references:
        answer["references"] = [
            {"name": each.name, "subject": each.subject, "version": each.version}
            for each in content.references
        ]
    return answer


def version(found: Registered) -> dict[str, Any]:
    """Show a version of a subject."""
    place = {"subject": found.subject, "version": found.version, "id": found.id}
    return {**place, **schema(found.content), "deleted": found.deleted}


def config(found: Config, level_name: str) -> dict[str, Any]:
    """Show settings. The level has one name in questions and another in answers."""
    answer: dict[str, Any] = {}
    if found.level is not None:
        answer[level_name] = found.level.value
    if found.normalize is not None:
        answer["normalize"] = found.normalize
    return answer


def messages(level: Level, problems: Sequence[Problem]) -> list[str]:
    """Tell what stands against a schema, in the form that Confluent's registry has."""
    lines = [
        f"{{errorType:'{each.rule}', description:'{each.reason}', "
        f"additionalInfo:'{each.path} against version {each.version}'}}"
        for each in problems
    ]
    versions = dict.fromkeys(each.version for each in problems)
    lines += [f"{{oldSchemaVersion: {number}}}" for number in versions]
    return [*lines, f"{{compatibility: '{level}'}}"] if problems else []


def incompatible(subject: str, error: IncompatibleSchema) -> str:
    """Tell in one text why a schema was not registered."""
    details = ", ".join(messages(error.level, error.problems))
    return (
        "Schema being registered is incompatible with an earlier schema for subject "
        f'"{shown(subject)}", details: [{details}]'
    )
