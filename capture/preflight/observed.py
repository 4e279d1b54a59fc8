"""All facts that the checks look at."""

from dataclasses import dataclass

from capture.facts import Publication, Relation, Role, Server, Slot
from capture.source import Source


@dataclass(frozen=True, slots=True)
class Observed:
    """The source as one look found it; ``tables`` are those that can be captured."""

    source: Source
    server: Server
    role: Role
    tables: tuple[Relation, ...]
    publication: Publication | None
    slots: tuple[Slot, ...]

    @property
    def slot(self) -> Slot | None:
        """The slot that has the name of ours."""
        return next((slot for slot in self.slots if slot.name == self.source.slot), None)

    @property
    def running(self) -> bool:
        """Whether this connector's own daemon is reading from the slot now."""
        slot = self.slot
        return (
            slot is not None
            and slot.active
            and slot.same_role
            and slot.application_name == self.source.application_name
        )
