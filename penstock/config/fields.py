"""What the sections of a connector file are made of: how pydantic reads one field."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    PlainSerializer,
    PlainValidator,
    ValidationInfo,
    WithJsonSchema,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticKnownError, core_schema

from diagnosis.secrets import MASK, Secret
from penstock.config import values
from penstock.config.scalars import integer


class Section(BaseModel):
    """A part of the file: every key is known, every value of its kind, nothing changes later."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, hide_input_in_errors=True)


class Substituted(str):
    """Text that came from a reference: a number may come as such, since variables are text."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Matching:
    """Text of a certain form, with words of ours for text that has another."""

    pattern: str
    message: str

    def __get_pydantic_core_schema__(
        self, source: type[Any], handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Check the form behind whatever else is checked."""
        return core_schema.no_info_after_validator_function(self._check, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Tell editors the form."""
        return {**handler(schema), "pattern": self.pattern}

    def _check(self, text: str) -> str:
        if not re.fullmatch(self.pattern, text):
            raise ValueError(self.message)
        return text


def _number(value: object) -> object:
    if isinstance(value, Substituted):
        number = integer(value.strip())
        return value if number is None else number
    return value


def text(value: object) -> str:
    """Insist on text, in a place where pydantic does not do so itself."""
    if not isinstance(value, str):
        raise PydanticKnownError("string_type")
    return value


def _not_empty(value: str) -> str:
    if not value:
        raise ValueError("must not be empty")
    return value


def secret(check: Callable[[str], str]) -> PlainValidator:
    """Read text, check it, and put it into a type that does not print."""
    return PlainValidator(lambda value: Secret(check(text(value))))


def _folder(info: ValidationInfo) -> Path | None:
    return info.context if isinstance(info.context, Path) else None


def _local_path(value: object, info: ValidationInfo) -> Path:
    return value if isinstance(value, Path) else values.local_path(text(value), _folder(info))


def _warehouse(value: object, info: ValidationInfo) -> str:
    return values.warehouse(text(value), _folder(info))


# A dump of the model would otherwise open the type and show what is inside.
MASKED = PlainSerializer(lambda _: MASK, return_type=str)
SOME_TEXT = WithJsonSchema({"type": "string", "minLength": 1})

# Behind the bounds, or they would not reach the JSON Schema.
NUMBER = BeforeValidator(_number)
Text = Annotated[str, Field(min_length=1)]
SecretText = Annotated[Secret, secret(_not_empty), MASKED, SOME_TEXT]
Dsn = Annotated[Secret, secret(values.dsn), MASKED, SOME_TEXT]
SqlUrl = Annotated[Secret, secret(values.sql_url), MASKED, SOME_TEXT]
LocalPath = Annotated[Path, PlainValidator(_local_path), SOME_TEXT]
Warehouse = Annotated[str, PlainValidator(_warehouse), SOME_TEXT]
Name = Annotated[
    str,
    Matching(
        values.NAME,
        "must begin with a letter and hold at most 48 letters, digits, _ and -",
    ),
]
