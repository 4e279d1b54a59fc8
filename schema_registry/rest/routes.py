"""Which path leads to which endpoint, and what it takes. The one list of the API."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from schema_registry.rest import about, compatibility, schemas, settings, subjects
from schema_registry.rest.calls import Call

Endpoint = Callable[[Call], Any]


@dataclass(frozen=True, slots=True)
class Route:
    """A method and a path. ``by_id`` is answered without Kafka where the id is known.

    ``answer`` and ``body`` name the shapes of what is given and sent, in the description.
    """

    method: str
    path: str
    endpoint: Endpoint
    answer: str
    flags: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    by_id: bool = False
    paged: bool = False
    body: str | None = None


_SUBJECT: Final = "/subjects/{subject}"
_VERSIONS: Final = "/subjects/{subject}/versions"
_VERSION: Final = "/subjects/{subject}/versions/{version}"
_ID: Final = "/schemas/ids/{id}"
_LISTED: Final = ("deleted", "deletedOnly")

ROUTES: Final = (
    Route("GET", "/", about.root, "Nothing"),
    Route("GET", "/health", about.health, "Health"),
    Route("GET", "/contexts", about.contexts, "Names"),
    Route("GET", "/v1/metadata/id", about.metadata_id, "Cluster"),
    Route("GET", "/v1/metadata/version", about.metadata_version, "Software"),
    # Newer clients ask this before they write; that nothing is associated lets
    # them go by the topic's name.
    Route("GET", "/associations/resources/{namespace}/{name}", about.associations, "Names"),
    Route("GET", "/associations/subjects/{subject}", about.associations, "Names"),
    Route(
        "GET",
        "/subjects",
        subjects.subjects,
        "Names",
        flags=_LISTED,
        words=("subjectPrefix",),
        paged=True,
    ),
    Route(
        "POST", _SUBJECT, subjects.look_up, "Version", flags=("normalize", "deleted"), body="Schema"
    ),
    Route("DELETE", _SUBJECT, subjects.delete_subject, "Numbers", flags=("permanent",)),
    Route("GET", _VERSIONS, subjects.versions, "Numbers", flags=_LISTED, paged=True),
    Route("POST", _VERSIONS, subjects.register, "Version", flags=("normalize",), body="Schema"),
    Route("GET", _VERSION, subjects.version, "Version", flags=("deleted",)),
    Route("DELETE", _VERSION, subjects.delete_version, "Number", flags=("permanent",)),
    Route("GET", f"{_VERSION}/schema", subjects.text, "Text", flags=("deleted",)),
    Route(
        "GET",
        f"{_VERSION}/referencedby",
        subjects.referenced_by,
        "Numbers",
        flags=("deleted",),
        paged=True,
    ),
    Route(
        "GET",
        "/schemas",
        schemas.schemas,
        "Versions",
        flags=("deleted", "latestOnly"),
        words=("subjectPrefix",),
        paged=True,
    ),
    Route("GET", "/schemas/types", schemas.types, "Names"),
    Route(
        "GET",
        _ID,
        schemas.by_id,
        "Content",
        flags=("fetchMaxId",),
        words=("subject",),
        by_id=True,
    ),
    Route("GET", f"{_ID}/schema", schemas.text_by_id, "Text", by_id=True),
    Route(
        "GET",
        f"{_ID}/subjects",
        schemas.subjects_of,
        "Names",
        flags=("deleted",),
        words=("subject",),
        paged=True,
    ),
    Route(
        "GET",
        f"{_ID}/versions",
        schemas.versions_of,
        "Places",
        flags=("deleted",),
        words=("subject",),
        paged=True,
    ),
    Route("GET", "/schemas/guids/{guid}", schemas.by_guid, "Content"),
    Route("GET", "/schemas/guids/{guid}/ids", schemas.ids_by_guid, "Ids"),
    Route(
        "POST",
        f"/compatibility{_VERSION}",
        compatibility.with_version,
        "Verdict",
        flags=("verbose", "normalize"),
        body="Schema",
    ),
    Route(
        "POST",
        f"/compatibility{_VERSIONS}",
        compatibility.with_all,
        "Verdict",
        flags=("verbose", "normalize"),
        body="Schema",
    ),
    Route("GET", "/config", settings.config, "ConfigThatHolds"),
    Route("PUT", "/config", settings.set_config, "Config", body="Config"),
    Route("DELETE", "/config", settings.delete_config, "ConfigThatHolds"),
    Route(
        "GET", "/config/{subject}", settings.config, "ConfigThatHolds", flags=("defaultToGlobal",)
    ),
    Route("PUT", "/config/{subject}", settings.set_config, "Config", body="Config"),
    Route("DELETE", "/config/{subject}", settings.delete_config, "ConfigThatHolds"),
    Route("GET", "/mode", settings.mode, "ModeThatHolds"),
    Route("PUT", "/mode", settings.set_mode, "Mode", flags=("force",), body="Mode"),
    Route("DELETE", "/mode", settings.delete_mode, "ModeThatHolds"),
    Route("GET", "/mode/{subject}", settings.mode, "ModeThatHolds", flags=("defaultToGlobal",)),
    Route("PUT", "/mode/{subject}", settings.set_mode, "Mode", flags=("force",), body="Mode"),
    Route("DELETE", "/mode/{subject}", settings.delete_mode, "ModeThatHolds"),
)
