"""Any registry that speaks Confluent's REST API: Confluent's, Karapace, Apicurio, ours."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final, TypeVar
from urllib.parse import quote

from diagnosis.errors import PenstockError
from schema_registry.client import answers, errors
from schema_registry.client.embedded import SUBJECT_UNKNOWN
from schema_registry.client.protocol import Compatibility
from schema_registry.http import Endpoint, NoReplyError, Reply, opened, shown
from schema_registry.registry import refusals
from schema_registry.registry.levels import relevant
from schema_registry.registry.records import Content, Reference, SchemaType
from schema_registry.registry.refusals import IncompatibleSchema, Problem, Refusal
from schema_registry.registry.subjects import LATEST, Registered

MEDIA_TYPE: Final = "application/vnd.schemaregistry.v1+json"

_VERSION_UNKNOWN: Final = 40402
_INCOMPATIBLE: Final = 409

T = TypeVar("T")


class RemoteSchemas:
    """A registry behind a URL. Many threads may use it at once; connections stay open."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._url = shown(endpoint.url)
        try:
            self._asker = opened(endpoint)
        except NoReplyError as failure:
            raise errors.no_reply(self._url, "its address", failure) from None

    def __enter__(self) -> "RemoteSchemas":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Hang up."""
        self._asker.close()

    def register(self, subject: str, text: str, references: Sequence[Reference] = ()) -> int:
        """Add an Avro schema as a version unless the subject has it, and give its id."""
        path = f"/subjects/{_segment(subject)}/versions"
        reply = self._post(path, _body(text, references))
        if reply.status == _INCOMPATIBLE:
            raise self._incompatible(reply, subject)
        return self._read(f"POST {path}", reply, answers.id_of)

    def by_id(self, id: int) -> Content:
        """Say what an id means."""
        return self._get(f"/schemas/ids/{id}", answers.content)

    def check(
        self,
        subject: str,
        text: str,
        references: Sequence[Reference] = (),
        *,
        version: int | None = None,
    ) -> tuple[Problem, ...]:
        """Name what stands against a schema beside the versions that the level names, or one."""
        body, path = (
            _body(text, references),
            f"/compatibility/subjects/{_segment(subject)}/versions",
        )
        if version is not None:
            return self._compared(subject, version, body)
        reply = self._post(path, body, verbose="true")
        if _is_unknown_path(reply):
            # Karapace compares with one version at a time.
            return self._compared_each(subject, body)
        try:
            found = self._read(f"POST {path}", reply, answers.verdict)
        except Refusal as refusal:
            if refusal.error_code in (SUBJECT_UNKNOWN, _VERSION_UNKNOWN):
                return ()
            raise
        return self._with_version(found, subject)

    def latest(self, subject: str) -> Registered | None:
        """Give the latest version of a subject; None if the subject is not known."""
        try:
            return self.version(subject)
        except Refusal as refusal:
            if refusal.error_code in (SUBJECT_UNKNOWN, _VERSION_UNKNOWN):
                return None
            raise

    def subjects(self, prefix: str = "", *, deleted: bool = False) -> list[str]:
        """Name the subjects, in order."""
        query = {"subjectPrefix": prefix} if prefix else {}
        found = self._get("/subjects", answers.names, **query, **_deleted(deleted))
        # Not every registry knows prefixes.
        return sorted({name for name in found if name.startswith(prefix)})

    def versions(self, subject: str, *, deleted: bool = False) -> list[int]:
        """Number the versions of a subject, in order."""
        path = f"/subjects/{_segment(subject)}/versions"
        return self._get(path, answers.numbers, **_deleted(deleted))

    def version(
        self, subject: str, version: int | None = None, *, deleted: bool = False
    ) -> Registered:
        """Give a version of a subject; None is the latest."""
        number = LATEST if version is None else version
        path = f"/subjects/{_segment(subject)}/versions/{number}"
        return self._get(
            path, lambda value: answers.registered(value, subject, version), **_deleted(deleted)
        )

    def compatibility(self, subject: str | None = None) -> Compatibility:
        """Give the level that holds for a subject, or for all."""
        own = None
        if subject is not None:
            try:
                own = self._get(f"/config/{_segment(subject)}", answers.level)
            except Refusal as refusal:
                if refusal.status != 404:
                    raise
        if own is not None:
            return Compatibility(own, own=True)
        return Compatibility(self._get("/config", answers.global_level), own=False)

    def _compared(self, subject: str, version: int, body: Any) -> tuple[Problem, ...]:
        path = f"/compatibility/subjects/{_segment(subject)}/versions/{version}"
        reply = self._post(path, body, verbose="true")
        found = self._read(f"POST {path}", reply, answers.verdict)
        return tuple(replace(problem, version=version) for problem in found)

    def _compared_each(self, subject: str, body: Any) -> tuple[Problem, ...]:
        try:
            versions = self.versions(subject)
        except Refusal as refusal:
            if refusal.error_code == SUBJECT_UNKNOWN:
                return ()
            raise
        numbers = relevant(self.compatibility(subject).level, versions)
        return tuple(found for each in numbers for found in self._compared(subject, each, body))

    def _incompatible(self, reply: Reply, subject: str) -> Refusal:
        """Give the refusal that our own registry would give, as far as this one tells."""
        body = reply.json()
        message = body.get("message") if isinstance(body, dict) else None
        if not isinstance(message, str):
            raise errors.ForeignAnswer(self._url, "registering a schema", reply.summary())
        found = self._with_version(answers.problems([message]), subject)
        level = answers.level_in(message) or self.compatibility(subject).level
        return IncompatibleSchema(subject, level, found)

    def _with_version(self, found: Sequence[Problem], subject: str) -> tuple[Problem, ...]:
        if all(problem.version != answers.UNTOLD for problem in found):
            return tuple(found)
        latest = self.latest(subject)
        number = latest.version if latest else answers.UNTOLD
        return tuple(
            replace(problem, version=number) if problem.version == answers.UNTOLD else problem
            for problem in found
        )

    def _get(self, path: str, read: Callable[[Any], T], **query: str) -> T:
        asked = f"GET {path}"
        return self._read(asked, self._reply(asked, lambda: self._asker.get(path, **query)), read)

    def _post(self, path: str, value: Any, **query: str) -> Reply:
        return self._reply(
            f"POST {path}", lambda: self._asker.post(path, value, MEDIA_TYPE, **query)
        )

    def _reply(self, asked: str, ask: Callable[[], Reply]) -> Reply:
        with self._explained(asked):
            try:
                return ask()
            except NoReplyError as failure:
                # A registry hangs up on connections that rest. All questions of ours,
                # registering too, may be asked twice.
                if not failure.cut_off:
                    raise
            return ask()

    def _read(self, asked: str, reply: Reply, read: Callable[[Any], T]) -> T:
        if reply.status != 200:
            raise self._trouble(asked, reply)
        try:
            return read(reply.json())
        except answers.UnexpectedShape as reason:
            raise errors.ForeignAnswer(self._url, asked, str(reason)) from None

    def _trouble(self, asked: str, reply: Reply) -> PenstockError:
        if reply.status in (401, 403):
            return errors.CredentialsRefused(self._url, asked, reply.status)
        refusal = answers.refusal(reply)
        if reply.failing or reply.status == 408:
            return errors.RegistryFails(self._url, asked, reply, refusal.message if refusal else "")
        if refusal is not None and 400 <= reply.status < 500 and not answers.no_such_path(reply):
            return refusal
        return errors.ForeignAnswer(self._url, asked, reply.summary())

    @contextmanager
    def _explained(self, asked: str) -> Iterator[None]:
        try:
            yield
        except NoReplyError as failure:
            raise errors.no_reply(self._url, asked, failure) from None


def _segment(subject: str) -> str:
    """Write a subject as one segment of a path."""
    try:
        segment = quote(subject, safe="")
    except UnicodeEncodeError:
        raise refusals.invalid_subject(subject, "it is no Unicode") from None
    if not segment:
        raise refusals.invalid_subject(subject, "the name is empty")
    # A segment of dots alone would lead to another path.
    return segment if segment.strip(".") else segment.replace(".", "%2E")


def _body(text: str, references: Sequence[Reference]) -> dict[str, Any]:
    body: dict[str, Any] = {"schema": text, "schemaType": SchemaType.AVRO.value}
    if references:
        body["references"] = [
            {"name": each.name, "subject": each.subject, "version": each.version}
            for each in references
        ]
    return body


def _deleted(wanted: bool) -> dict[str, str]:
    return {"deleted": "true"} if wanted else {}


def _is_unknown_path(reply: Reply) -> bool:
    if reply.status == 405:
        return True
    refusal = answers.refusal(reply)
    return reply.status == 404 and (refusal is None or refusal.error_code == 404)
