"""What an endpoint is given: names, flags and bodies from outside, read with bounds."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from schema_registry.avro.bounds import LONGEST, MalformedJson, read_json
from schema_registry.registry import refusals
from schema_registry.registry.drafts import Draft
from schema_registry.registry.records import Reference, SchemaType
from schema_registry.registry.refusals import Refusal
from schema_registry.registry.service import SchemaRegistry
from schema_registry.registry.subjects import HIGHEST_VERSION, checked_version

# A schema is escaped inside a body, quotes and all.
LONGEST_BODY: Final = 2 * LONGEST + 64 * 1024
_DEEPEST_BODY: Final = 32
_MOST_REFERENCES: Final = 1_000
_MOST_SCHEMAS: Final = 1_000

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Call:
    """One request, with its path decoded and its body still unread."""

    registry: SchemaRegistry
    path: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)
    raw: bytes = b""

    @property
    def subject(self) -> str:
        """The subject that the path names."""
        return self.path["subject"]

    @property
    def scope(self) -> str | None:
        """The subject of a setting; None where it is for all."""
        return self.path.get("subject")

    @property
    def version(self) -> int | None:
        """The version that the path names; None is the latest."""
        return checked_version(self.path["version"].strip().lower())

    @property
    def id(self) -> int:
        """The id that the path names."""
        return _number(self.path["id"])

    def flag(self, *names: str) -> bool:
        """Read a switch as Java's Boolean.parseBoolean does."""
        return any(self.query.get(name, "").lower() == "true" for name in names)

    def page(self, items: list[Item], most: int | None = None) -> list[Item]:
        """Cut out what offset and limit ask for."""
        offset, limit = self._number("offset", 0), self._number("limit", -1)
        size = limit if limit > 0 else None
        if most is not None:
            size = min(size or most, most)
        start = max(offset, 0)
        return items[start:] if size is None else items[start : start + size]

    def prefix(self) -> str:
        """Read how the wanted subjects begin. All contexts are our only one."""
        return self.query.get("subjectPrefix", "").removeprefix(":*:")

    def body(self) -> dict[str, Any]:
        """Read the body as a JSON object."""
        if not self.raw.strip():
            raise Refusal(422, "the request has no body")
        try:
            value = read_json(self.raw.decode(), longest=LONGEST_BODY, deepest=_DEEPEST_BODY)
        except UnicodeDecodeError:
            raise Refusal(400, "the body is not UTF-8") from None
        except MalformedJson as error:
            raise Refusal(400, f"the body cannot be read: {error.reason}") from None
        if not isinstance(value, dict):
            raise Refusal(400, "the body is no JSON object")
        return value

    def draft(self) -> Draft:
        """Read the schema that was sent."""
        body = self.body()
        for unsupported in ("metadata", "ruleSet"):
            if body.get(unsupported) is not None:
                raise Refusal(422, f"{unsupported} is not supported by this registry")
        text = optional(body, "schema", str)
        if not text:
            raise refusals.invalid_schema("Empty schema")
        return Draft(
            text,
            _schema_type(optional(body, "schemaType", str)),
            _references(optional(body, "references", list) or []),
            id=_chosen(optional(body, "id", int)),
            version=_chosen(optional(body, "version", int)),
        )

    def _number(self, name: str, default: int) -> int:
        text = self.query.get(name, "").strip()
        return _number(text) if text else default


def all_schemas(call: Call, items: list[Item]) -> list[Item]:
    """Cut a list of whole schemas, of which one answer never holds more than a thousand."""
    return call.page(items, most=_MOST_SCHEMAS)


def _number(text: str) -> int:
    """Read a number as Java does. A path with anything else leads nowhere."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= 10):
        raise Refusal(404, "HTTP 404 Not Found")
    return int(text)


def optional(body: Mapping[str, Any], name: str, kind: type[Item]) -> Item | None:
    """Read a value of a body, if it is there, and insist on its type."""
    value = body.get(name)
    if value is None:
        return None
    if not isinstance(value, kind) or isinstance(value, bool) is not (kind is bool):
        raise Refusal(400, f"{name} must be a JSON {_JSON_NAME[kind]}")
    return value


_JSON_NAME: Final[dict[type, str]] = {
    bool: "boolean",
    dict: "object",
    int: "number",
    list: "array",
    str: "string",
}


def _schema_type(name: str | None) -> SchemaType:
    try:
        return SchemaType((name or SchemaType.AVRO).upper())
    except ValueError:
        raise Refusal(42201, f"Invalid schema type {refusals.shown(name or '')}") from None


def _references(items: list[Any]) -> tuple[Reference, ...]:
    if len(items) > _MOST_REFERENCES:
        raise refusals.invalid_schema(f"more than {_MOST_REFERENCES:,} references")
    return tuple(map(_reference, items))


def _reference(item: Any) -> Reference:
    if not isinstance(item, dict):
        raise Refusal(400, "a reference must be a JSON object")
    name, subject = optional(item, "name", str), optional(item, "subject", str)
    version = optional(item, "version", int)
    if not name or not subject or version is None or not 1 <= version <= HIGHEST_VERSION:
        raise refusals.invalid_schema("Invalid reference: it needs a name, a subject, a version")
    return Reference(name, subject, version)


def _chosen(number: int | None) -> int | None:
    """Read a number that was chosen by hand: -1 and 0 say that none was."""
    return None if number is None or number in (-1, 0) else number
