"""From a refusal of pydantic to a line, a reason in our words, and what was probably meant.

Values are shown where they help, if they are short, stand in the file itself
and are no secret.
"""

import re
from collections.abc import Mapping, Set
from typing import Any, Final

from pydantic import BaseModel, ValidationError

from penstock.config.errors import Problem, nearest, printable
from penstock.config.kafka import Kafka, KafkaSecurity
from penstock.config.model import Connector, RemoteRegistry, Snapshot, Source
from penstock.config.scalars import integer
from penstock.config.secret_places import Place, holds_secret, key_text
from penstock.config.stores import IcebergStore, OpenSearchStore, SqlStore
from penstock.config.tree import Items, Mapped, Node, Scalar, find, walk

_SECTIONS: Final[Mapping[Place, type[BaseModel]]] = {
    (): Connector,
    ("source",): Source,
    ("source", "snapshot"): Snapshot,
    ("kafka",): Kafka,
    ("kafka", "security"): KafkaSecurity,
    ("registry",): RemoteRegistry,
}
_KINDS: Final[Mapping[str, type[BaseModel]]] = {
    "iceberg": IcebergStore,
    "opensearch": OpenSearchStore,
    "sql": SqlStore,
}
# pydantic adds the chosen branch of a union to the place, at this depth.
_BRANCHES: Final = {"registry": 1, "stores": 2}
_LONGEST_SHOWN: Final = 40

_WANTED: Final = {
    "string_type": "text",
    "int_type": "a whole number",
    "tuple_type": "a list",
    "dict_type": "a mapping (key: value)",
    "model_type": "a mapping (key: value)",
    "model_attributes_type": "a mapping (key: value)",
}


def explain(error: ValidationError, root: Mapped, file: str, secrets: Set[str]) -> list[Problem]:
    """Say everything that is wrong, in the order of the file.

    No value is shown that holds one of the secrets, wherever it stands.
    """
    empty = _empty(root, file)
    found: dict[Place, Problem] = {}
    meant: set[Place] = set()
    absent: list[tuple[Place, Problem]] = []
    hint: str | None
    for detail in error.errors(include_url=False, include_input=False):
        place = _place(detail["loc"])
        reached, line, node = find(root, place)
        if detail["type"] == "missing":
            absent.append((place, Problem(file, line, key_text(place), "is missing")))
            continue
        if detail["type"] == "too_short" and isinstance(node, Items) and node.items:
            continue  # pydantic does not count items that are wrong themselves
        if detail["type"].startswith("union_tag") and isinstance(node, Mapped):
            reached, line, node = find(root, (*place, "kind"))
            place = (*place, "kind")
        else:
            place = reached
        if detail["type"] == "extra_forbidden":
            what = "unknown key"
            hint, key = _unknown(place, root)
            meant |= {(*place[:-1], key)} if key else set()
        elif place in empty:
            continue
        else:
            given = _given(node, place, secrets)
            what, hint = _reason(detail["type"], detail.get("ctx", {}), node, place, given)
        found.setdefault(place, Problem(file, line, key_text(place), what, hint))
    # A misspelt key is one mistake, though its right spelling is missing too.
    found.update({place: problem for place, problem in absent if place not in meant})
    # What stands under a wrong key or section needs no word of its own.
    for place, problem in empty.items():
        if not any(place[:depth] in found for depth in range(1, len(place) + 1)):
            found[place] = problem
    return sorted(found.values(), key=lambda problem: problem.line or 0)


def without_value(root: Mapped, file: str) -> list[Problem]:
    """Find the keys that have nothing behind them: a slip, or a line that was cut off."""
    return list(_empty(root, file).values())


def _empty(root: Mapped, file: str) -> dict[Place, Problem]:
    what, hint = "has no value", "give one, or remove the key"
    return {
        place: Problem(file, line, key_text(place), what, hint)
        for place, line, node in walk(root)
        if isinstance(node, Scalar) and node.value is None
    }


def _place(loc: tuple[int | str, ...]) -> Place:
    depth = _BRANCHES.get(str(loc[0]), len(loc)) if loc else 0
    return loc[:depth] + loc[depth + 1 :]


def _reason(
    kind: str, context: dict[str, Any], node: Node, place: Place, given: str
) -> tuple[str, str | None]:
    match kind:
        case "value_error":
            return f"{context['error']}{given}", None
        case "literal_error" | "union_tag_invalid" | "union_tag_not_found":
            return _choice(kind, context, node, place, given)
        case "greater_than_equal":
            return f"must be at least {context['ge']}{given}", None
        case "less_than_equal":
            return f"must be at most {context['le']}{given}", None
        case "string_too_short" | "too_short":
            return "must not be empty", None
        case "string_too_long":
            return f"must be at most {context['max_length']} characters long", None
        case _:
            return _wrong_kind(_WANTED.get(kind, "something else"), node)


def _choice(
    kind: str, context: dict[str, Any], node: Node, place: Place, given: str
) -> tuple[str, str | None]:
    if place == ("registry",):
        return "must be embedded, an address, or a mapping with url", None
    if kind == "union_tag_not_found" and place[-1] != "kind":
        return _wrong_kind(_WANTED["model_type"], node)
    if kind == "union_tag_not_found":
        return f"is missing: one of {', '.join(_KINDS)}", None
    expected = context["expected" if kind == "literal_error" else "expected_tags"]
    choices = re.findall(r"'([^']*)'", expected)
    what = f"must be one of {', '.join(choices)}{given}"
    literal = isinstance(node, Scalar) and not node.references
    close = nearest(node.text, choices) if isinstance(node, Scalar) and literal else None
    return what, f"did you mean '{close}'?" if close else None


def _wrong_kind(wanted: str, node: Node) -> tuple[str, str | None]:
    match node:
        case Scalar(value=str(word)) if node.references:
            return f"must be {wanted}, and {' '.join(node.references)} gives other text", None
        case Scalar(value=str(word)):
            quoted = wanted == "a whole number" and integer(word.strip()) is not None
            return f"must be {wanted}, got text", "remove the quotes" if quoted else None
        case Scalar(value=bool()):
            got, quotable = "true or false", True
        case Scalar():
            got, quotable = "a number", True
        case Items():
            got, quotable = "a list", False
        case Mapped():
            got, quotable = "a mapping", False
    return (
        f"must be {wanted}, got {got}",
        "put it in quotes" if quotable and wanted == "text" else None,
    )


def _given(node: Node, place: Place, secrets: Set[str]) -> str:
    """Show what stands in the file, if it may be shown and helps."""
    if not isinstance(node, Scalar):
        return ""
    if node.references:
        return f" (from {printable(' '.join(node.references), 200)})"
    text = node.text
    if holds_secret(place) or any(secret in text for secret in secrets):
        return ""
    # An @ may have a password before it, wherever it stands.
    if "@" in text or not 0 < len(text) <= _LONGEST_SHOWN:
        return ""
    return f", got '{printable(text)}'" if isinstance(node.value, str) else f", got {text}"


def _unknown(place: Place, root: Mapped) -> tuple[str, str | None]:
    """Give a hint for a key that is not known here, and the key that was meant, if any."""
    section, word = place[:-1], str(place[-1])
    if ":" in word:
        return "a colon needs a space behind it", None
    if " " in word:
        return "a key holds no blanks; perhaps a colon is missing", None
    allowed = _keys(_model(section, root))
    if close := nearest(word, allowed):
        return f"did you mean '{close}'?", close
    elsewhere = [
        ".".join(map(str, other))
        for other, model in _SECTIONS.items()
        if other != section and word in _keys(model)
    ]
    elsewhere = [other or "the top level" for other in elsewhere]
    elsewhere += [
        f"a store of kind {kind}" for kind, model in _KINDS.items() if word in _keys(model)
    ]
    if elsewhere and len(elsewhere) <= 3:
        return f"it belongs under {' or '.join(elsewhere)}", None
    return f"the keys here are {', '.join(allowed)}", None


def _model(section: Place, root: Mapped) -> type[BaseModel]:
    if section in _SECTIONS:
        return _SECTIONS[section]
    _, _, kind = find(root, (*section, "kind"))
    return _KINDS[str(kind.value)] if isinstance(kind, Scalar) else Connector


def _keys(model: type[BaseModel]) -> list[str]:
    return [field.alias or name for name, field in model.model_fields.items()]
