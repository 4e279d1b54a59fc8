"""What a registry sends, read as what it may be: anything.

Nothing here waits or asks. Whatever does not fit is an ``UnexpectedShape``, with a
reason that holds nothing of the answer.
"""

import re
from collections.abc import Sequence
from typing import Any, Final

from diagnosis.secrets import redact
from schema_registry.http import Reply
from schema_registry.registry.records import Content, Level, Reference, SchemaType
from schema_registry.registry.refusals import Problem, Refusal, shown
from schema_registry.registry.registration import HIGHEST_ID
from schema_registry.registry.subjects import HIGHEST_VERSION, Registered

# A version that the registry did not tell; see ``problems``.
UNTOLD: Final = 0

MOST_PROBLEMS: Final = 100  # nobody reads more
_LONGEST_MESSAGE: Final = 4 * 1024

# As Confluent's registry puts it, and ours after it.
_PROBLEM: Final = re.compile(
    r"\{errorType:'(?P<rule>\w{1,100})', description:'(?P<reason>.{0,1000}?)', "
    r"additionalInfo:'(?P<more>.{0,1000}?)'\}",
    re.DOTALL,
)
_PATH: Final = re.compile(r"at path '(?P<path>/[^']*)'")
_OUR_PLACE: Final = re.compile(r"(?P<path>/.*) against version (?P<version>\d{1,10})", re.DOTALL)
_VERSION: Final = re.compile(r"\{oldSchemaVersion:\s*'?(\d{1,10})")
_LEVEL: Final = re.compile(r"\bcompatibility:\s*'(\w+)'")
_NO_PROBLEM: Final = ("{oldSchema", "{validateFields", "{compatibility")


class UnexpectedShape(ValueError):
    """An answer that no registry gives to this question."""


def refusal(reply: Reply) -> Refusal | None:
    """Read an error as Confluent's registry gives it; None if it is something else."""
    body = reply.json()
    message = body.get("message") if isinstance(body, dict) else None
    if not isinstance(message, str):
        return None
    code = body.get("error_code")
    fits = type(code) is int and (code == reply.status or code // 100 == reply.status)
    return Refusal(code if fits else reply.status, said(message))


def no_such_path(reply: Reply) -> bool:
    """Tell whether a server does not know what every registry answers."""
    body = reply.json()
    return reply.status == 404 and isinstance(body, dict) and body.get("error_code") == 404


def said(message: str) -> str:
    """Give words of the registry as a person may see them."""
    return shown(redact(message[:_LONGEST_MESSAGE]))


def names(value: Any) -> list[str]:
    """Read a list of subjects."""
    return [_text(name) for name in _list(value)]


def numbers(value: Any) -> list[int]:
    """Read a list of versions."""
    return sorted(_number(number, HIGHEST_VERSION) for number in _list(value))


def id_of(value: Any) -> int:
    """Read which id a schema was given."""
    return _number(_object(value).get("id"), HIGHEST_ID)


def content(value: Any) -> Content:
    """Read a schema. One without a type is Avro, as it was in the beginning."""
    schema = _object(value)
    word = _present(schema, "schemaType", SchemaType.AVRO)
    if word not in list(SchemaType):
        raise UnexpectedShape("the schema is of a type that we do not know")
    references = tuple(_reference(each) for each in _list(_present(schema, "references", [])))
    return Content(_text(schema.get("schema")), SchemaType(word), references)


def registered(value: Any, subject: str, asked: int | None) -> Registered:
    """Read a version of a subject."""
    found = _object(value)
    version = _number(found.get("version"), HIGHEST_VERSION)
    if asked not in (None, version):
        raise UnexpectedShape("it is another version than the one that was asked for")
    return Registered(subject, version, id_of(found), content(found), found.get("deleted") is True)


def level(value: Any) -> Level | None:
    """Read a compatibility level; None if the settings leave it open."""
    config = _object(value)
    # Newer registries answer compatibilityLevel, some copies of them compatibility.
    word = config.get("compatibilityLevel") or config.get("compatibility")
    if word is None:
        return None
    return _level(word)


def global_level(value: Any) -> Level:
    """Read the level that holds where no other is set."""
    found = level(value)
    if found is None:
        raise UnexpectedShape("it names no compatibility level")
    return found


def verdict(value: Any) -> list[Problem]:
    """Read what stands against a schema. Empty if nothing does."""
    answer = _object(value)
    if answer.get("is_compatible") is True:
        return []
    if answer.get("is_compatible") is not False:
        raise UnexpectedShape("it does not say whether the schema is compatible")
    messages = _list(_present(answer, "messages", []))
    return problems([_text(message) for message in messages[:MOST_PROBLEMS]])


def problems(messages: Sequence[str]) -> list[Problem]:
    """Take a registry's words apart; there is always at least one problem.

    A version that they do not tell is ``UNTOLD``.
    """
    cut = [message[:_LONGEST_MESSAGE] for message in messages]
    versions = [int(number) for message in cut for number in _VERSION.findall(message)]
    version = min(versions[0], HIGHEST_VERSION) if versions else UNTOLD
    found = [
        _problem(match, version) for message in cut for match in _PROBLEM.finditer(message)
    ] or [
        Problem("INCOMPATIBLE", "/", said(message), version)
        for message in cut
        if message.strip() and not message.startswith(_NO_PROBLEM)
    ]
    unexplained = Problem("INCOMPATIBLE", "/", "the registry gives no reason", version)
    return found[:MOST_PROBLEMS] or [unexplained]


def level_in(message: str) -> Level | None:
    """Find the level in a refusal's words."""
    words = _LEVEL.findall(message[-_LONGEST_MESSAGE:])
    return Level(words[-1]) if words and words[-1] in set(Level) else None


def _problem(match: re.Match[str], version: int) -> Problem:
    path = _PATH.search(match["reason"])
    if (ours := _OUR_PLACE.fullmatch(match["more"])) is not None:
        path, version = ours, min(int(ours["version"]), HIGHEST_VERSION)
    return Problem(
        match["rule"], shown(path["path"]) if path else "/", said(match["reason"]), version
    )


def _reference(value: Any) -> Reference:
    reference = _object(value)
    return Reference(
        _text(reference.get("name")),
        _text(reference.get("subject")),
        _number(reference.get("version"), HIGHEST_VERSION),
    )


def _level(word: Any) -> Level:
    if not isinstance(word, str) or word.upper() not in set(Level):
        raise UnexpectedShape("it names no compatibility level")
    return Level(word.upper())


def _present(answer: dict[str, Any], name: str, default: Any) -> Any:
    """Give a part of an answer. Some registries write null where others write nothing."""
    value = answer.get(name)
    return default if value is None else value


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise UnexpectedShape("it is no JSON object")
    return value


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise UnexpectedShape("it is no JSON list")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise UnexpectedShape("a text was expected in it")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise UnexpectedShape("a text in it is no Unicode") from None
    return value


def _number(value: Any, highest: int) -> int:
    if type(value) is not int or not 1 <= value <= highest:
        raise UnexpectedShape(f"a number from 1 to {highest:,} was expected in it")
    return value
