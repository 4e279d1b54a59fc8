"""The endpoints that compare."""

from typing import Any

from schema_registry.registry.refusals import Refusal
from schema_registry.registry.service import Verdict
from schema_registry.rest import shapes
from schema_registry.rest.calls import Call


def with_version(call: Call) -> dict[str, Any]:
    """Compare the schema in the body with one version of a subject."""
    version = call.version
    return _answer(call, version=version, latest=version is None)


def with_all(call: Call) -> dict[str, Any]:
    """Compare the schema in the body with all versions that the subject's level names."""
    return _answer(call, version=None, latest=False)


def _answer(call: Call, *, version: int | None, latest: bool) -> dict[str, Any]:
    verbose = call.flag("verbose")
    try:
        verdict = call.registry.test(
            call.subject, call.draft(), version, latest=latest, normalize=call.flag("normalize")
        )
    except Refusal as refusal:
        if verbose and refusal.error_code == 42201:
            return {"is_compatible": False, "messages": [refusal.message]}
        raise
    return _shown(verdict, verbose)


def _shown(verdict: Verdict, verbose: bool) -> dict[str, Any]:
    answer: dict[str, Any] = {"is_compatible": verdict.compatible}
    if verbose:
        answer["messages"] = shapes.messages(verdict.level, verdict.problems)
    return answer
