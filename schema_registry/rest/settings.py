"""The endpoints of config and mode, of a subject or of all."""

from typing import Any, Final

from schema_registry.registry import refusals
from schema_registry.registry.records import Config, Level, Mode
from schema_registry.registry.refusals import Refusal
from schema_registry.rest import shapes
from schema_registry.rest.calls import Call, optional

# Parts of Confluent's config that we do not have. To take them and do nothing
# about them would be a lie.
_UNSUPPORTED: Final = (
    "alias",
    "compatibilityGroup",
    "compatibilityPolicy",
    "defaultMetadata",
    "defaultRuleSet",
    "overrideMetadata",
    "overrideRuleSet",
)


def config(call: Call) -> dict[str, Any]:
    """Give the settings of a subject, or of all."""
    found = call.registry.config(call.scope, default_to_global=call.flag("defaultToGlobal"))
    return shapes.config(found, "compatibilityLevel")


def set_config(call: Call) -> dict[str, Any]:
    """Change the settings of a subject, or of all."""
    body = call.body()
    for name in _UNSUPPORTED:
        if body.get(name) is not None:
            raise Refusal(422, f"{name} is not supported by this registry")
    level = optional(body, "compatibility", str)
    if level is None:
        level = optional(body, "compatibilityLevel", str)
    wanted = Config(None if level is None else _level(level), optional(body, "normalize", bool))
    return shapes.config(call.registry.set_config(call.scope, wanted), "compatibility")


def delete_config(call: Call) -> dict[str, Any]:
    """Go back to the settings above; give what was set."""
    return shapes.config(call.registry.delete_config(call.scope), "compatibilityLevel")


def mode(call: Call) -> dict[str, Any]:
    """Give the mode of a subject, or of all."""
    found = call.registry.mode(call.scope, default_to_global=call.flag("defaultToGlobal"))
    return {"mode": found.value}


def set_mode(call: Call) -> dict[str, Any]:
    """Change the mode of a subject, or of all."""
    word = optional(call.body(), "mode", str) or ""
    try:
        wanted = Mode(word.upper())
    except ValueError:
        raise refusals.invalid_mode(word) from None
    call.registry.set_mode(call.scope, wanted, force=call.flag("force"))
    return {"mode": word}


def delete_mode(call: Call) -> dict[str, Any]:
    """Go back to the mode above; give what was set."""
    return {"mode": call.registry.delete_mode(call.scope).value}


def _level(word: str) -> Level:
    try:
        return Level(word.upper())
    except ValueError:
        raise refusals.invalid_level(word) from None
