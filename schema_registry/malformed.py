"""What is said of a table schema that cannot be one."""

from typing import Final

from diagnosis.errors import Area, PenstockError

CODES: Final = {"PEN-470": "A table schema cannot be read"}


class MalformedTableSchema(PenstockError):
    """A description of a table that contradicts itself, or a record that describes none."""

    code, area = "PEN-470", Area.REGISTRY

    def __init__(self, what: str, *, fix: str | None = None) -> None:
        super().__init__(
            what,
            fix=fix
            or "a record of the state topic was written by something else, or by a newer "
            "Penstock: start the version that wrote it",
        )
        self.what = what
