"""The base of every error that a person may meet."""

from enum import Enum


class Area(Enum):
    """Where trouble lies. Each area has an exit code of its own, for scripts."""

    INTERNAL = 1
    USAGE = 2
    CONFIG = 3
    SOURCE = 4
    KAFKA = 5
    STORE = 6
    PARTIAL = 7
    REGISTRY = 8
    HOST = 9

    @property
    def exit_code(self) -> int:
        """What the process returns when this is the area of its error."""
        return self.value

    @property
    def label(self) -> str:
        """The area in a table or in JSON."""
        return self.name.lower()


class PenstockError(Exception):
    """What went wrong, the cause as far as it is known, and what to do next.

    Subclasses set ``code`` (its page is docs/runbooks/<code>.md) and ``area``
    on the class, and keep the facts as attributes. The text never holds a secret: whoever
    raises it passes addresses through ``diagnosis.secrets``.
    """

    code: str
    area: Area
    retryable: bool = False

    def __init__(self, message: str, *, cause: str | None = None, fix: str | None = None) -> None:
        super().__init__(message)
        self.message, self.cause, self.fix = message, cause, fix

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"
