"""What can be wrong with a registry that we ask.

The codes are those by which ``schema_registry.preflight`` tells the same troubles.
"""

from typing import Final

from diagnosis.errors import Area, PenstockError
from diagnosis.secrets import redact
from schema_registry.http import Cause, NoReplyError, Reply

CODES: Final = {"PEN-419": "An id means another schema than it did"}


class RegistryAway(PenstockError):
    """Nothing answers, or it hung up before its answer was complete."""

    code, area, retryable = "PEN-401", Area.REGISTRY, True

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(
            f"the schema registry at {url} does not answer",
            cause=redact(reason),
            fix="check the address, that the registry runs (ours: `penstock registry serve`), "
            "and the network between",
        )


class RegistryUntrusted(PenstockError):
    """TLS fails."""

    code, area = "PEN-402", Area.REGISTRY

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(
            f"TLS with the schema registry at {url} fails",
            cause=redact(reason),
            fix="check the CA file, the certificate's names and dates, and http against https",
        )


class CredentialsRefused(PenstockError):
    """The registry does not let us in, or not this far."""

    code, area = "PEN-403", Area.REGISTRY

    def __init__(self, url: str, asked: str, status: int) -> None:
        super().__init__(
            f"the schema registry at {url} refuses {asked} with status {status}",
            fix="check the user and password, or the token, and their rights",
        )


class ForeignAnswer(PenstockError):
    """An answer that no registry gives."""

    code, area = "PEN-404", Area.REGISTRY

    def __init__(self, url: str, asked: str, reason: str) -> None:
        super().__init__(
            f"what answers at {url} is not a schema registry, or not one that we know",
            cause=redact(f"{asked}: {reason}"),
            fix="give the root of Confluent's REST API; some products serve it below a path",
        )


class RegistryFails(PenstockError):
    """The registry has trouble of its own, or too much to do."""

    code, area, retryable = "PEN-407", Area.REGISTRY, True

    def __init__(self, url: str, asked: str, reply: Reply, said: str) -> None:
        super().__init__(
            f"the schema registry at {url} answers {asked} with {reply.summary()}",
            cause=said or None,
            fix="look at the registry's own log, then ask again",
        )


class MalformedAddress(PenstockError):
    """This leads to no registry."""

    code, area = "PEN-409", Area.REGISTRY

    def __init__(self, reason: str) -> None:
        super().__init__(
            "the schema registry's address cannot be used",
            cause=redact(reason),
            fix="write it as https://host:port",
        )


class IdMeansAnother(PenstockError):
    """An id stands for another schema than we know it for: readers would misread events."""

    code, area = "PEN-419", Area.REGISTRY

    def __init__(self, id: int) -> None:
        super().__init__(
            f"id {id} means another schema now than the one that events were written with",
            cause="the registry was emptied and filled anew, or it is another registry",
            fix="restore the registry that gave out the id, or point to it again; do not "
            "register anything before that",
        )
        self.id = id


def no_reply(url: str, asked: str, failure: NoReplyError) -> PenstockError:
    """Say what it means to a registry's client that no answer came."""
    if failure.cut_off or failure.cause is Cause.CONNECT:
        return RegistryAway(url, failure.text)
    if failure.cause is Cause.TLS:
        return RegistryUntrusted(url, failure.text)
    if failure.cause is Cause.ADDRESS:
        return MalformedAddress(failure.text)
    return ForeignAnswer(url, asked, failure.text)
