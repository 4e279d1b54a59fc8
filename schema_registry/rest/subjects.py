"""The endpoints of subjects and their versions."""

from typing import Any

from schema_registry.registry.refusals import IncompatibleSchema, Refusal
from schema_registry.registry.subjects import Registered
from schema_registry.rest import shapes
from schema_registry.rest.calls import Call


def subjects(call: Call) -> list[str]:
    """List the subjects."""
    found = call.registry.subjects(
        call.prefix(),
        deleted=call.flag("deleted"),
        deleted_only=call.flag("deletedOnly", "deleted_only"),
    )
    return call.page(found)


def look_up(call: Call) -> dict[str, Any]:
    """Find the version of a subject that has the schema in the body."""
    found = call.registry.look_up(
        call.subject,
        call.draft(),
        normalize=call.flag("normalize"),
        deleted=call.flag("deleted"),
    )
    return shapes.version(found)


def versions(call: Call) -> list[int]:
    """List the versions of a subject."""
    found = call.registry.versions(
        call.subject,
        deleted=call.flag("deleted"),
        deleted_only=call.flag("deletedOnly", "deleted_only"),
    )
    return call.page(found)


def register(call: Call) -> dict[str, Any]:
    """Register the schema in the body as a version of a subject."""
    try:
        found = call.registry.register(call.subject, call.draft(), normalize=call.flag("normalize"))
    except IncompatibleSchema as error:
        raise Refusal(error.error_code, shapes.incompatible(call.subject, error)) from None
    return shapes.version(found)


def version(call: Call) -> dict[str, Any]:
    """Give a version of a subject."""
    return shapes.version(_version(call))


def text(call: Call) -> str:
    """Give the schema of a version, and nothing else."""
    return _version(call).content.text


def referenced_by(call: Call) -> list[int]:
    """List the ids of the schemas that refer to a version."""
    ids = call.registry.referenced_by(call.subject, call.version, deleted=call.flag("deleted"))
    return call.page(ids)


def delete_subject(call: Call) -> list[int]:
    """Delete a subject: hide it, or forget it for good once it is hidden."""
    return call.registry.delete_subject(call.subject, permanent=call.flag("permanent"))


def delete_version(call: Call) -> int:
    """Delete a version: hide it, or forget it for good once it is hidden."""
    return call.registry.delete_version(
        call.subject, call.version, permanent=call.flag("permanent")
    )


def _version(call: Call) -> Registered:
    return call.registry.version(call.subject, call.version, deleted=call.flag("deleted"))
