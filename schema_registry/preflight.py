"""Can this registry keep our schemas? Asked before anything is registered."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from diagnosis.errors import Area, PenstockError
from diagnosis.findings import Finding, Severity, passed
from diagnosis.secrets import Secret
from schema_registry.http import (
    Asker,
    Cause,
    Endpoint,
    NoReplyError,
    Reply,
    asking,
    open_credentials,
    shown,
)
from schema_registry.registry.topic import DEFAULT_TOPIC, TopicMissing, ensure_topic

CODES: Final = {
    "PEN-401": "The schema registry does not answer",
    "PEN-402": "TLS with the schema registry fails",
    "PEN-403": "The schema registry refuses our credentials",
    "PEN-404": "What answers is not a schema registry",
    "PEN-405": "The schema registry takes no new schemas",
    "PEN-406": "The schema registry lets any schema through",
    "PEN-407": "The schema registry answers with an error of its own",
    "PEN-408": "Part of the schema registry cannot be looked at",
    "PEN-409": "The schema registry's URL is malformed",
    "PEN-410": "Credentials would travel unencrypted to the schema registry",
}

_CODE_OF: Final = {
    Cause.ADDRESS: "PEN-409",
    Cause.CONNECT: "PEN-401",
    Cause.TLS: "PEN-402",
    Cause.PROTOCOL: "PEN-404",
}
_FIX_OF: Final = {
    Cause.ADDRESS: "write registry.url as https://host:port",
    Cause.CONNECT: "check registry.url, that the registry runs, and the network between",
    Cause.TLS: "check registry.ca, the certificate's names and dates, and http against https",
    Cause.PROTOCOL: "check registry.url: another service listens there",
}
# In the other modes a new schema is refused: IMPORT wants ids chosen by hand.
_WRITABLE_MODES: Final = frozenset({"READWRITE"})


@dataclass(frozen=True, slots=True)
class Registry:
    """Where schemas are kept. ``url`` None is the embedded registry."""

    url: str | None = None
    username: str | None = None
    password: Secret | None = None
    token: Secret | None = None
    ca: Path | None = None


def inspect(registry: Registry) -> list[Finding]:
    """Look at the registry's identity, mode and compatibility."""
    if registry.url is None:
        return [passed(Area.REGISTRY, "registry", "embedded: the daemon keeps schemas in Kafka")]
    endpoint = Endpoint(
        registry.url, registry.username, registry.password, registry.token, registry.ca
    )
    subject = f"registry {shown(registry.url)}"
    try:
        with asking(endpoint) as asker:
            findings = list(_look(asker, subject))
        if open_credentials(endpoint):
            findings.append(_unencrypted(subject))
    except NoReplyError as failure:
        return [_error(_CODE_OF[failure.cause], subject, failure.text, _FIX_OF[failure.cause])]
    return findings


def inspect_topic(settings: Mapping[str, Any], topic: str = DEFAULT_TOPIC) -> list[Finding]:
    """Look whether the topic of the embedded registry is there, and keeps what it is given."""
    subject = f"topic {topic}"
    try:
        ensure_topic(settings, topic, None, create=False)
    except TopicMissing:
        return [passed(Area.REGISTRY, subject, "will be made for the embedded registry")]
    except PenstockError as error:
        fact = f"{error.message}: {error.cause}" if error.cause else error.message
        return [Finding(error.code, Severity.ERROR, error.area, subject, fact, fix=error.fix)]
    return [passed(Area.REGISTRY, subject, "keeps the embedded registry's schemas")]


def _look(asker: Asker, subject: str) -> Iterator[Finding]:
    reply = asker.get("/subjects")
    if (trouble := _trouble(reply, subject)) is not None:
        yield trouble
        return
    subjects = reply.json()
    yield passed(Area.REGISTRY, subject, f"answers, and holds {len(subjects)} subjects")
    yield from _mode(asker.get("/mode"), subject)
    yield from _compatibility(asker.get("/config"), subject)


def _trouble(reply: Reply, subject: str) -> Finding | None:
    if reply.status in (401, 403):
        return _error(
            "PEN-403",
            subject,
            f"refuses us with status {reply.status}",
            "check registry.username and registry.password, or registry.token, and their rights",
        )
    if reply.failing:
        return _error(
            "PEN-407", subject, f"answers with {reply.summary()}", "look at the registry's own log"
        )
    names = reply.json()
    if reply.status != 200 or not _is_list_of_names(names):
        return _error(
            "PEN-404",
            subject,
            f"answers GET /subjects with {reply.summary()}, and not with a list of names",
            "give the root of Confluent's REST API; some products serve it below a path",
        )
    return None


def _mode(reply: Reply, subject: str) -> Iterator[Finding]:
    mode = _field(reply, "mode")
    if mode is None:
        yield _unseen(subject, "mode", reply)
    elif mode not in _WRITABLE_MODES:
        yield _error(
            "PEN-405",
            subject,
            f"its mode is {mode}: it refuses new schemas",
            "set the mode to READWRITE (PUT /mode), or use the registry that accepts writes",
        )
    else:
        yield passed(Area.REGISTRY, subject, "takes new schemas")


def _compatibility(reply: Reply, subject: str) -> Iterator[Finding]:
    # Newer registries answer compatibilityLevel, some copies of them compatibility.
    level = _field(reply, "compatibilityLevel") or _field(reply, "compatibility")
    if level is None:
        yield _unseen(subject, "config", reply)
    elif level == "NONE":
        yield Finding(
            "PEN-406",
            Severity.WARNING,
            Area.REGISTRY,
            subject,
            "its global compatibility is NONE: a change that breaks readers is let through",
            fix="set the global compatibility to BACKWARD (PUT /config)",
        )
    else:
        yield passed(Area.REGISTRY, subject, f"its global compatibility is {level}")


def _unseen(subject: str, what: str, reply: Reply) -> Finding:
    return Finding(
        "PEN-408",
        Severity.NOTE,
        Area.REGISTRY,
        subject,
        f"GET /{what} gives {reply.summary()}: its {what} is not known",
        fix=f"let our user read /{what}, or make sure of it by hand",
    )


def _unencrypted(subject: str) -> Finding:
    return Finding(
        "PEN-410",
        Severity.WARNING,
        Area.REGISTRY,
        subject,
        "our credentials go there without encryption",
        fix="use https:// in registry.url",
    )


def _field(reply: Reply, name: str) -> str | None:
    """Read one word of an answer; a foreign server may put anything there."""
    answer = reply.json() if reply.status == 200 else None
    value = answer.get(name) if isinstance(answer, dict) else None
    return value if isinstance(value, str) and value.isidentifier() else None


def _is_list_of_names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def _error(code: str, subject: str, fact: str, fix: str) -> Finding:
    return Finding(code, Severity.ERROR, Area.REGISTRY, subject, fact, fix=fix)
