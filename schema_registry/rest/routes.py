"""Which path leads to which endpoint, and what it takes. The one list of the API."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from schema_registry.rest import about, compatibility, schemas, settings, subjects
from schema_registry.rest.calls import Call

Endpoint = Callable[[Call], Any]


@dataclass(frozen=True, slots=True)
class Route:
    """A method and a path. ``body`` names the shape of what is sent, in the description."""

    method: str
    path: str
    endpoint: Endpoint
    flags: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    paged: bool = False
    body: str | None = None


_SUBJECT: Final = "/subjects/{subject}"
_VERSIONS: Final = "/subjects/{subject}/versions"
_VERSION: Final = "/subjects/{subject}/versions/{version}"
_ID: Final = "/schemas/ids/{id}"
_LISTED: Final = ("deleted", "deletedOnly")

ROUTES: Final = (
    Route("GET", "/", about.root),
    Route("GET", "/health", about.health),
    Route("GET", "/contexts", about.contexts),
    Route("GET", "/v1/metadata/id", about.metadata_id),
    Route("GET", "/v1/metadata/version", about.metadata_version),
    # Newer clients ask this before they write; that nothing is associated lets
    # them go by the topic's name.
    Route("GET", "/associations/resources/{namespace}/{name}", about.associations),
    Route("GET", "/associations/subjects/{subject}", about.associations),
    Route(
        "GET", "/subjects", subjects.subjects, flags=_LISTED, words=("subjectPrefix",), paged=True
    ),
    Route("POST", _SUBJECT, subjects.look_up, flags=("normalize", "deleted"), body="Schema"),
    Route("DELETE", _SUBJECT, subjects.delete_subject, flags=("permanent",)),
    Route("GET", _VERSIONS, subjects.versions, flags=_LISTED, paged=True),
    Route("POST", _VERSIONS, subjects.register, flags=("normalize",), body="Schema"),
    Route("GET", _VERSION, subjects.version, flags=("deleted",)),
    Route("DELETE", _VERSION, subjects.delete_version, flags=("permanent",)),
    Route("GET", f"{_VERSION}/schema", subjects.text, flags=("deleted",)),
    Route(
        "GET", f"{_VERSION}/referencedby", subjects.referenced_by, flags=("deleted",), paged=True
    ),
    Route(
        "GET",
        "/schemas",
        schemas.schemas,
        flags=("deleted", "latestOnly"),
        words=("subjectPrefix",),
        paged=True,
    ),
    Route("GET", "/schemas/types", schemas.types),
    Route("GET", _ID, schemas.by_id, flags=("fetchMaxId",), words=("subject",)),
    Route("GET", f"{_ID}/schema", schemas.text_by_id),
    Route(
        "GET",
        f"{_ID}/subjects",
        schemas.subjects_of,
        flags=("deleted",),
        words=("subject",),
        paged=True,
    ),
    Route(
        "GET",
        f"{_ID}/versions",
        schemas.versions_of,
        flags=("deleted",),
        words=("subject",),
        paged=True,
    ),
    Route("GET", "/schemas/guids/{guid}", schemas.by_guid),
    Route("GET", "/schemas/guids/{guid}/ids", schemas.ids_by_guid),
    Route(
        "POST",
        f"/compatibility{_VERSION}",
        compatibility.with_version,
        flags=("verbose", "normalize"),
        body="Schema",
    ),
    Route(
        "POST",
        f"/compatibility{_VERSIONS}",
        compatibility.with_all,
        flags=("verbose", "normalize"),
        body="Schema",
    ),
    Route("GET", "/config", settings.config),
    Route("PUT", "/config", settings.set_config, body="Config"),
    Route("DELETE", "/config", settings.delete_config),
    Route("GET", "/config/{subject}", settings.config, flags=("defaultToGlobal",)),
    Route("PUT", "/config/{subject}", settings.set_config, body="Config"),
    Route("DELETE", "/config/{subject}", settings.delete_config),
    Route("GET", "/mode", settings.mode),
    Route("PUT", "/mode", settings.set_mode, flags=("force",), body="Mode"),
    Route("DELETE", "/mode", settings.delete_mode),
    Route("GET", "/mode/{subject}", settings.mode, flags=("defaultToGlobal",)),
    Route("PUT", "/mode/{subject}", settings.set_mode, flags=("force",), body="Mode"),
    Route("DELETE", "/mode/{subject}", settings.delete_mode),
)
