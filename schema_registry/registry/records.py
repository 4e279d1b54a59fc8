"""What the registry's topic holds: one kind of record for each thing that is remembered.

Keys are canonical JSON, so that compaction keeps the last word on each thing. A
value of None forgets it.
"""

import hashlib
import json
import uuid
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, assert_never

# Raised when an older Penstock could no longer read what a newer one writes.
FORMAT: Final = 1


class SchemaType(StrEnum):
    """In which language a schema is written."""

    AVRO = "AVRO"
    JSON = "JSON"
    PROTOBUF = "PROTOBUF"


class Level(StrEnum):
    """Which older versions a new one has to get along with, and in which direction."""

    NONE = "NONE"
    BACKWARD = "BACKWARD"
    BACKWARD_TRANSITIVE = "BACKWARD_TRANSITIVE"
    FORWARD = "FORWARD"
    FORWARD_TRANSITIVE = "FORWARD_TRANSITIVE"
    FULL = "FULL"
    FULL_TRANSITIVE = "FULL_TRANSITIVE"


class Mode(StrEnum):
    """What may be written. IMPORT takes schemas together with their ids."""

    READWRITE = "READWRITE"
    READONLY = "READONLY"
    READONLY_OVERRIDE = "READONLY_OVERRIDE"
    IMPORT = "IMPORT"


@dataclass(frozen=True, slots=True, order=True)
class Reference:
    """A schema that another one uses, under the name that it has there."""

    name: str
    subject: str
    version: int


@dataclass(frozen=True, slots=True)
class Content:
    """What makes a schema the same schema: two equal contents have one id."""

    text: str
    type: SchemaType = SchemaType.AVRO
    references: tuple[Reference, ...] = ()

    @property
    def guid(self) -> str:
        """A name made of nothing but the content, the same in every registry of ours."""
        return str(uuid.UUID(bytes=hashlib.sha256(_json(_content_to_json(self))).digest()[:16]))


@dataclass(frozen=True, slots=True)
class Config:
    """Settings of a subject, or of all; None where it leaves the choice to the level above."""

    level: Level | None = None
    normalize: bool | None = None


@dataclass(frozen=True, slots=True)
class SchemaRecord:
    """An id and what it means."""

    id: int
    content: Content


@dataclass(frozen=True, slots=True)
class RetiredRecord:
    """An id whose schema was deleted for good. It can never come to mean another one."""

    id: int
    guid: str


@dataclass(frozen=True, slots=True)
class Version:
    """What a version of a subject stands for. A soft-deleted one can still be looked up."""

    id: int
    deleted: bool = False


@dataclass(frozen=True, slots=True)
class VersionRecord:
    """A version of a subject."""

    subject: str
    version: int
    entry: Version | None


@dataclass(frozen=True, slots=True)
class ConfigRecord:
    """The settings of a subject; of all where the subject is None."""

    subject: str | None
    config: Config | None


@dataclass(frozen=True, slots=True)
class ModeRecord:
    """The mode of a subject; of all where the subject is None."""

    subject: str | None
    mode: Mode | None


@dataclass(frozen=True, slots=True)
class LastIdRecord:
    """The highest id that was ever given out; it outlives a schema that is deleted for good."""

    id: int


Record = SchemaRecord | RetiredRecord | VersionRecord | ConfigRecord | ModeRecord | LastIdRecord


class ForeignRecord(ValueError):
    """A record that no Penstock has written."""


class NewerRecord(Exception):
    """A record of a newer Penstock: to pass it over would be to forget what it says."""


def encoded(record: Record) -> tuple[bytes, bytes | None]:
    """Give the key and the value of a record."""
    key: dict[str, Any]
    value: dict[str, Any] | None
    match record:
        case SchemaRecord(id, content):
            key, value = {"kind": "schema", "id": id}, _content_to_json(content)
        case RetiredRecord(id, guid):
            key, value = {"kind": "schema", "id": id}, {"retired": guid}
        case VersionRecord(subject, version, entry):
            key = {"kind": "version", "subject": subject, "version": version}
            value = None if entry is None else {"id": entry.id, "deleted": entry.deleted}
        case ConfigRecord(subject, config):
            key = {"kind": "config", "subject": subject}
            value = None if config is None else _config_to_json(config)
        case ModeRecord(subject, mode):
            key = {"kind": "mode", "subject": subject}
            value = None if mode is None else {"mode": mode}
        case LastIdRecord(id):
            key, value = {"kind": "last_id"}, {"id": id}
        case never:
            assert_never(never)
    return _json({"penstock": FORMAT, **key}), None if value is None else _json(value)


def decoded(key: bytes | None, value: bytes | None) -> Record:
    """Read a record; ``ForeignRecord`` if it is none of ours, ``NewerRecord`` if we are too old."""
    try:
        name = _object(key)
        if _number(name.pop("penstock")) > FORMAT:
            raise NewerRecord("it was written by a newer Penstock")
        kind = name.pop("kind")
        body = None if value is None else _object(value)
        if body == {}:
            raise ForeignRecord("it says nothing")
        return _READERS[kind](name, body)
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise ForeignRecord(f"{type(error).__name__} while reading it") from None


def _schema(key: dict[str, Any], value: dict[str, Any] | None) -> Record:
    if value is None:
        raise ForeignRecord("what an id means cannot be forgotten")
    if "retired" in value:
        return RetiredRecord(_number(key["id"]), _text(value["retired"]))
    return SchemaRecord(_number(key["id"]), _content_from_json(value))


def _version(key: dict[str, Any], value: dict[str, Any] | None) -> Record:
    entry = None if value is None else Version(_number(value["id"]), _flag(value["deleted"]))
    return VersionRecord(_text(key["subject"]), _number(key["version"]), entry)


def _config(key: dict[str, Any], value: dict[str, Any] | None) -> Record:
    config = None
    if value is not None:
        level, normalize = value["level"], value["normalize"]
        config = Config(
            None if level is None else Level(level),
            None if normalize is None else _flag(normalize),
        )
    return ConfigRecord(_subject(key["subject"]), config)


def _mode(key: dict[str, Any], value: dict[str, Any] | None) -> Record:
    return ModeRecord(_subject(key["subject"]), None if value is None else Mode(value["mode"]))


def _last_id(key: dict[str, Any], value: dict[str, Any] | None) -> Record:
    if key or value is None:
        raise ForeignRecord("the last id cannot be forgotten")
    return LastIdRecord(_number(value["id"]))


_READERS: Final = {
    "schema": _schema,
    "version": _version,
    "config": _config,
    "mode": _mode,
    "last_id": _last_id,
}


def _content_to_json(content: Content) -> dict[str, Any]:
    return {
        "type": content.type,
        "schema": content.text,
        "references": [[each.name, each.subject, each.version] for each in content.references],
    }


def _content_from_json(value: dict[str, Any]) -> Content:
    references = tuple(
        Reference(_text(name), _text(subject), _number(version))
        for name, subject, version in value["references"]
    )
    return Content(_text(value["schema"]), SchemaType(value["type"]), references)


def _config_to_json(config: Config) -> dict[str, Any]:
    return {"level": config.level, "normalize": config.normalize}


def _json(value: dict[str, Any]) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def _object(data: bytes | None) -> dict[str, Any]:
    value = json.loads(data or b"")
    if not isinstance(value, dict):
        raise ForeignRecord("it is no JSON object")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ForeignRecord("a text was expected")
    return value


def _subject(value: object) -> str | None:
    return None if value is None else _text(value)


def _number(value: object) -> int:
    if type(value) is not int or value < 1:
        raise ForeignRecord("a positive number was expected")
    return value


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ForeignRecord("true or false was expected")
    return value
