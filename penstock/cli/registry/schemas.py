"""The schemas that a command is about: versions of a subject, and files."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from diagnosis.errors import Area, PenstockError
from penstock.cli.output import plain
from penstock.cli.registry.place import UnfittingOptions
from schema_registry.avro.bounds import LONGEST
from schema_registry.avro.errors import MalformedSchema
from schema_registry.avro.model import Schema
from schema_registry.avro.parse import parse
from schema_registry.client.protocol import Catalogue
from schema_registry.client.resolution import schema_of
from schema_registry.registry import refusals
from schema_registry.registry.records import Content, SchemaType
from schema_registry.registry.subjects import LATEST, Registered, checked_version

CODES: Final = {
    "PEN-422": "A file with a schema cannot be read",
    "PEN-423": "There is no earlier version to compare with",
    "PEN-424": "Only Avro schemas can be compared",
}

STDIN: Final = "-"


class UnreadableSchema(PenstockError):
    """A file that is not there, or is not text."""

    code, area = "PEN-422", Area.USAGE

    def __init__(self, file: str, reason: str) -> None:
        super().__init__(
            f"{file} cannot be read: {reason}",
            fix="give the path of a file with an Avro schema in JSON, or - for the standard input",
        )


class NothingToCompare(PenstockError):
    """A subject with one version."""

    code, area = "PEN-423", Area.REGISTRY

    def __init__(self, subject: str, version: int) -> None:
        super().__init__(
            f"subject '{refusals.shown(subject)}' has no version before {version}",
            fix="compare the version with a file: add --file PATH",
        )


class NotAvro(PenstockError):
    """A schema in a language whose rules we do not know."""

    code, area = "PEN-424", Area.REGISTRY

    def __init__(self, label: str, language: SchemaType) -> None:
        super().__init__(
            f"{label} is a {language} schema, and only Avro schemas can be compared",
            fix="look at both texts with: penstock registry show SUBJECT VERSION --raw",
        )


@dataclass(frozen=True, slots=True)
class Side:
    """One of two schemas that are compared, and what it is called."""

    label: str
    schema: Schema
    version: int | None = None
    id: int | None = None


def read_schema(file: str) -> str:
    """Read a file as text, no more of it than a schema may have."""
    try:
        if file == STDIN:
            content = sys.stdin.buffer.read(LONGEST + 1)
        else:
            with Path(file).open("rb") as opened:
                content = opened.read(LONGEST + 1)
        text = content.decode("utf-8-sig")
    except OSError as error:
        raise UnreadableSchema(file, error.strerror or "it cannot be opened") from None
    except ValueError:  # no UTF-8; or a NUL in the path
        raise UnreadableSchema(file, "it is not text in UTF-8") from None
    if len(content) > LONGEST:
        raise UnreadableSchema(file, f"it is longer than {LONGEST:,} bytes")
    if not text.strip():
        raise UnreadableSchema(file, "it is empty")
    return text


def parsed_file(file: str) -> tuple[str, Schema]:
    """Read a file as a schema, and say which file it is that is none."""
    text = read_schema(file)
    try:
        return text, parse(text)
    except MalformedSchema as error:
        error.message = f"{plain(file)}: {error.message}"
        raise


def avro_of(catalogue: Catalogue, content: Content, label: str) -> Schema:
    """Parse a schema of the registry, with all that it refers to."""
    if content.type is not SchemaType.AVRO:
        raise NotAvro(label, content.type)
    return schema_of(catalogue, content)


def files(paths: Sequence[str]) -> tuple[Side, Side]:
    """Take two files, the older one first."""
    if len(paths) != 2:
        raise UnfittingOptions(
            "two schemas are compared, and what is given does not name them",
            "give a SUBJECT, or a SUBJECT and one --file, or two --file and no SUBJECT",
        )
    old, new = (_file(path) for path in paths)
    return old, new


def versions(
    catalogue: Catalogue, subject: str, words: Sequence[str | None], paths: Sequence[str]
) -> tuple[Side, Side]:
    """Take two versions of a subject, or a version and a file."""
    old, new = words
    if paths:
        if new is not None or len(paths) > 1:
            raise UnfittingOptions(
                "more than two schemas are named", "give SUBJECT, one version and one --file"
            )
        return _side(catalogue, subject, old), _file(paths[0])
    latest = _version(catalogue, subject, new)
    if old is None:
        before = [each for each in catalogue.versions(subject) if each < latest.version]
        if not before:
            raise NothingToCompare(subject, latest.version)
        old = str(before[-1])
    return _side(catalogue, subject, old), _of(catalogue, latest)


def _side(catalogue: Catalogue, subject: str, word: str | None) -> Side:
    return _of(catalogue, _version(catalogue, subject, word))


def _version(catalogue: Catalogue, subject: str, word: str | None) -> Registered:
    """Find a version; one that is named by its number even if it was deleted."""
    number = checked_version(word or LATEST)
    return catalogue.version(subject, number, deleted=number is not None)


def _of(catalogue: Catalogue, found: Registered) -> Side:
    label = f"version {found.version}"
    schema = avro_of(catalogue, found.content, label)
    return Side(label, schema, found.version, found.id)


def _file(path: str) -> Side:
    return Side(plain("the standard input" if path == STDIN else path), parsed_file(path)[1])
