"""Our slot: may it be made, or is it there, ours and alive?"""

import re
from collections.abc import Iterator
from typing import Final

from capture.facts import Slot
from capture.preflight.observed import Observed
from capture.preflight.report import error, good, in_bytes, warning
from capture.source import Source
from capture.statements import quoted, statement
from diagnosis.findings import Finding
from schema_registry.table_name import LONGEST_NAME

_SLOT_NAME: Final = re.compile(r"[a-z0-9_]{1,63}")


def check_names(source: Source) -> Iterator[Finding]:
    """Refuse names that Postgres would refuse, or cut off without a word."""
    if not _SLOT_NAME.fullmatch(source.slot):
        fact = "a slot's name is made of a-z, 0-9 and _, at most 63 of them"
        yield error("PEN-273", f"slot {source.slot!r}", fact, fix="change source.slot")
    name = source.publication
    if not name or "\0" in name or len(name.encode()) > LONGEST_NAME:
        fact = f"a publication's name has 1 to {LONGEST_NAME} bytes and no NUL"
        yield error("PEN-273", f"publication {name!r}", fact, fix="change source.publication")


def check_slot(seen: Observed) -> Iterator[Finding]:
    """Absent is fine: the first run makes it."""
    slot = seen.slot
    subject = f"slot {seen.source.slot}"
    if slot is None:
        yield good(subject, "does not exist yet; the first run creates it")
        return
    if foreign := foreign_to(seen.server.database, slot):
        fix = "name another slot in source.slot; drop this one only if nobody needs it"
        yield error("PEN-270", subject, foreign, fix=fix)
    elif _lost(slot):
        yield _is_lost(slot, subject)
    elif slot.active and not seen.running:
        yield _in_use(slot, subject)
    else:
        used = "is in use by this connector" if seen.running else "is free"
        held = f", holds back {in_bytes(slot.retained)}" if slot.retained is not None else ""
        yield good(subject, f"exists, {used}{held}")
    if slot.wal_status == "unreserved":
        fact = "may lose log at the next checkpoint: it is behind max_slot_wal_keep_size"
        fix = "let the connector catch up now, or raise max_slot_wal_keep_size"
        yield warning("PEN-272", subject, fact, fix=fix)


def foreign_to(database: str, slot: Slot) -> str | None:
    """Say what keeps a slot from being ours, if anything does."""
    if not slot.logical:
        return "is a physical slot, of a standby or a backup"
    if slot.plugin != "pgoutput":
        return f"decodes by {slot.plugin}, not by pgoutput"
    if slot.database != database:
        return f"belongs to database {slot.database}, not to {database}"
    if slot.temporary:
        return "is temporary: it ends with the session that made it"
    return None


def _lost(slot: Slot) -> bool:
    return slot.wal_status == "lost" or slot.invalidation is not None


def _is_lost(slot: Slot, subject: str) -> Finding:
    reason = f" ({slot.invalidation})" if slot.invalidation else ""
    # Advice only: to drop it is right once the gap is understood, not before.
    drop = statement("SELECT pg_drop_replication_slot({name})", name=quoted(slot.name))
    return error(
        "PEN-203",
        subject,
        f"Postgres has discarded log that it still needed{reason}: changes are missing",
        fix=f"it cannot be revived: {drop}, then copy the tables anew",
    )


def _in_use(slot: Slot, subject: str) -> Finding:
    name = f"application {slot.application_name!r}" if slot.application_name else "no name"
    return error(
        "PEN-271",
        subject,
        f"is in use by somebody else: process {slot.pid}, {name}",
        fix="stop that reader, or name another slot in source.slot",
    )
