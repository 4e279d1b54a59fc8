"""The endpoints about the registry itself."""

from importlib.metadata import version
from typing import Any

from schema_registry.rest.calls import Call


def root(_: Call) -> dict[str, Any]:
    """Answer that a registry is here."""
    return {}


def health(call: Call) -> dict[str, Any]:
    """Tell whether the topic can be read to its end, now."""
    return {"topic": call.registry.log.topic, "lastId": call.registry.last_id()}


def contexts(_: Call) -> list[str]:
    """List the contexts: there is one."""
    return ["."]


def associations(_: Call) -> list[str]:
    """List what is associated with a topic or a subject. Nothing ever is: names decide."""
    return []


def metadata_id(call: Call) -> dict[str, Any]:
    """Name this registry, as far as it has a name."""
    clusters = {"schema-registry-cluster": call.registry.log.topic}
    return {"scope": {"path": [], "clusters": clusters}, "id": ""}


def metadata_version(_: Call) -> dict[str, Any]:
    """Give our version."""
    return {"version": version("penstock"), "commitId": ""}
