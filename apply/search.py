"""A search store: OpenSearch or Elasticsearch."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from diagnosis.errors import Area
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

CODES: Final = {
    "PEN-531": "The search server does not answer",
    "PEN-532": "TLS with the search server fails",
    "PEN-533": "The search server refuses our credentials",
    "PEN-534": "What answers is not a search server",
    "PEN-535": "The search server's version does not fit",
    "PEN-536": "The search cluster's health is not green",
    "PEN-537": "The search cluster blocks writes",
    "PEN-538": "The search server answers with an error of its own",
    "PEN-539": "Part of the search server cannot be looked at",
    "PEN-540": "The search server's URL is malformed",
    "PEN-541": "Credentials would travel unencrypted to the search server",
}

_CODE_OF: Final = {
    Cause.ADDRESS: "PEN-540",
    Cause.CONNECT: "PEN-531",
    Cause.TLS: "PEN-532",
    Cause.PROTOCOL: "PEN-534",
}
_FIX_OF: Final = {
    Cause.ADDRESS: "write the store's url as https://host:port",
    Cause.CONNECT: "check the store's url, that the server runs, and the network between",
    Cause.TLS: "check the store's ca, the certificate's names and dates, and http against https",
    Cause.PROTOCOL: "check the store's url: another service listens there",
}
# The oldest major version that works, and the newest that we know.
_VERSIONS: Final = {"OpenSearch": (2, 3), "Elasticsearch": (8, 9)}

# Set by the server on every index of a node whose disk is over the flood stage.
_READ_ONLY_ALLOW_DELETE: Final = "12"
_NAMED_AT_MOST: Final = 5


@dataclass(frozen=True, slots=True)
class Search:
    """A search cluster and how it knows us."""

    name: str
    url: str
    username: str | None = None
    password: Secret | None = None
    ca: Path | None = None


def inspect(search: Search) -> list[Finding]:
    """Look at the server's identity and version, its health and what it blocks."""
    endpoint = Endpoint(search.url, search.username, search.password, ca=search.ca)
    subject = f"store {search.name}"
    where = shown(search.url)
    try:
        with asking(endpoint) as asker:
            findings = list(_look(asker, subject, where))
        if open_credentials(endpoint):
            findings.append(_unencrypted(subject, where))
    except NoReplyError as failure:
        fact = f"{where}: {failure.text}"
        return [_error(_CODE_OF[failure.cause], subject, fact, _FIX_OF[failure.cause])]
    return findings


def _look(asker: Asker, subject: str, where: str) -> Iterator[Finding]:
    reply = asker.get("/")
    if reply.status in (401, 403):
        yield _error(
            "PEN-533",
            subject,
            f"{where} refuses us with status {reply.status}",
            "check the store's username and password, and the user's rights",
        )
        return
    if reply.failing:
        fact = f"{where} answers with {reply.summary()}"
        yield _error("PEN-538", subject, fact, "look at the server's own log")
        return
    identity = _identity(reply)
    if identity is None:
        yield _error(
            "PEN-534",
            subject,
            f"{where} answers with {reply.summary()}, and does not say what it is",
            "check the store's url: OpenSearch and Elasticsearch say their version at its root",
        )
        return
    yield _version(subject, *identity)
    yield from _health(asker.get("/_cluster/health"), subject)
    yield from _blocks(asker.get("/_cluster/state/blocks", filter_path="blocks"), subject)


def _identity(reply: Reply) -> tuple[str, str] | None:
    """Tell product and version. OpenSearch can pose as Elasticsearch 7 by a setting."""
    answer = _object(reply)
    version = answer.get("version")
    number = version.get("number") if isinstance(version, dict) else None
    if not isinstance(version, dict) or not isinstance(number, str):
        return None
    tagline = answer.get("tagline")
    if version.get("distribution") == "opensearch" or "OpenSearch" in str(tagline):
        return "OpenSearch", number
    return ("Elasticsearch", number) if tagline == "You Know, for Search" else None


def _version(subject: str, product: str, number: str) -> Finding:
    oldest, newest = _VERSIONS[product]
    major = number.partition(".")[0]
    release = f"{product} {number[:40]}"
    if not major.isdecimal() or int(major) > newest:
        return Finding(
            "PEN-535",
            Severity.WARNING,
            Area.STORE,
            subject,
            f"{release} is newer than what we were tested with ({newest}.x)",
            fix="try it on a copy first",
        )
    if int(major) < oldest:
        fix = f"upgrade to {product} {oldest} or newer"
        return _error("PEN-535", subject, f"{release} is too old", fix)
    return passed(Area.STORE, subject, release)


def _health(reply: Reply, subject: str) -> Iterator[Finding]:
    status = _object(reply).get("status")
    if status == "green":
        yield passed(Area.STORE, subject, "the cluster's health is green")
    elif status == "yellow":
        yield Finding(
            "PEN-536",
            Severity.NOTE,
            Area.STORE,
            subject,
            "the cluster's health is yellow: some shards have no second copy",
            fix="add a node, or set the number of replicas to what the nodes can hold",
        )
    elif status == "red":
        yield _error(
            "PEN-536",
            subject,
            "the cluster's health is red: some shards are not there, and writes to them fail",
            "see GET /_cluster/allocation/explain on the server",
        )
    else:
        yield _unseen(subject, "health", reply)


def _blocks(reply: Reply, subject: str) -> Iterator[Finding]:
    answer = _object(reply)
    if reply.status != 200:
        yield _unseen(subject, "blocks", reply)
        return
    blocks = _dict(answer.get("blocks"))
    for block in _dict(blocks.get("global")).values():
        if {"write", "metadata_write", "create_index"} & set(_levels(block)):
            yield _error(
                "PEN-537",
                subject,
                f"the whole cluster blocks writes: {_description(block)}",
                "lift the block, after its cause: see cluster.blocks.* and the disks' free space",
            )
    full = sorted(
        index
        for index, held in _dict(blocks.get("indices")).items()
        if _READ_ONLY_ALLOW_DELETE in _dict(held)
    )
    if full:
        shown_names = ", ".join(full[:_NAMED_AT_MOST])
        more = f" and {len(full) - _NAMED_AT_MOST} more" if len(full) > _NAMED_AT_MOST else ""
        yield _error(
            "PEN-537",
            subject,
            f"a disk is, or was, over the flood stage: {shown_names}{more} "
            "may only be read and deleted",
            "free disk space; then clear index.blocks.read_only_allow_delete where it stays",
        )


def _unseen(subject: str, what: str, reply: Reply) -> Finding:
    return Finding(
        "PEN-539",
        Severity.NOTE,
        Area.STORE,
        subject,
        f"the cluster's {what} cannot be read: {reply.summary()}",
        fix="grant our user the cluster privilege monitor",
    )


def _unencrypted(subject: str, where: str) -> Finding:
    return Finding(
        "PEN-541",
        Severity.WARNING,
        Area.STORE,
        subject,
        f"our credentials go to {where} without encryption",
        fix="use https:// in the store's url",
    )


def _object(reply: Reply) -> dict[str, Any]:
    return _dict(reply.json()) if reply.status == 200 else {}


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _levels(block: object) -> list[str]:
    levels = _dict(block).get("levels")
    return [level for level in levels if isinstance(level, str)] if isinstance(levels, list) else []


def _description(block: object) -> str:
    text = _dict(block).get("description")
    return text[:200] if isinstance(text, str) else "no description"


def _error(code: str, subject: str, fact: str, fix: str) -> Finding:
    return Finding(code, Severity.ERROR, Area.STORE, subject, fact, fix=fix)
