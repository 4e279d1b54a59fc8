"""How much log may be held back, and how much is.

A slot keeps the log until it is read. Without a limit, a connector that is down
for a weekend fills the disk of the source.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from capture.facts import Slot
from capture.preflight.observed import Observed
from capture.preflight.report import error, good, in_bytes, set_on_server, some, warning, where
from capture.statements import quoted, statement
from diagnosis.findings import Finding

MEGABYTE: Final = 1024 * 1024
UNLIMITED: Final = -1

# From this part of the budget on we warn.
HALF: Final = 2


def check_limit(seen: Observed) -> Finding:
    """Want a limit, and one that leaves us the time to warn."""
    setting, budget = seen.server.settings["max_slot_wal_keep_size"], seen.source.wal_budget
    limit = int(setting.value)  # in megabytes
    wanted = f"{-(-budget // MEGABYTE)}MB"
    fix = f"{where(setting, wanted)}; it holds for every slot of the server"
    sql = set_on_server(setting, wanted)
    if limit == UNLIMITED:
        fact = "is unlimited: a slot that nobody reads fills the disk of the source"
        if behind := _would_be_lost(seen.slots, budget):
            # The next checkpoint would give up every slot that is beyond the limit.
            fix = f"let {behind} catch up first: the limit would cost it; then {fix}"
            sql = ()
        return warning("PEN-280", setting.name, fact, fix=fix, sql=sql)
    has = in_bytes(limit * MEGABYTE)
    if limit * MEGABYTE < budget:
        fact = f"is {has}, less than the budget of {in_bytes(budget)}: the slot dies before it"
        return warning("PEN-281", setting.name, fact, fix=fix, sql=sql)
    return good(setting.name, f"{has}, with a budget of {in_bytes(budget)}")


def _would_be_lost(slots: Iterable[Slot], limit: int) -> str:
    # Log is given up by whole segments, so that a slot near the limit goes too.
    near = (slot.name for slot in slots if (slot.retained or 0) * HALF >= limit)
    return some(f"slot {name}" for name in near)


def check_idle_timeout(seen: Observed) -> Iterator[Finding]:
    """Warn if a pause may cost us the slot (PG18 and newer)."""
    setting = seen.server.settings.get("idle_replication_slot_timeout")
    if setting is not None and int(setting.value) > 0:
        after = f"{setting.value} {setting.unit or ''}".strip()
        yield warning(
            "PEN-284",
            setting.name,
            f"a slot that is idle for {after} is invalidated: a long pause would cost a new copy",
            fix=f"{where(setting, '0')}; it holds for every slot of the server",
            sql=set_on_server(setting, "0"),
        )


def check_retained(seen: Observed) -> Iterator[Finding]:
    """Compare what slots hold back with the budget."""
    budget = seen.source.wal_budget
    for slot in seen.slots:
        held = slot.retained or 0
        if slot.name == seen.source.slot:
            yield from _ours(slot, held, budget)
        elif not slot.active and held * HALF >= budget:
            drop = statement("SELECT pg_drop_replication_slot({name})", name=quoted(slot.name))
            yield warning(
                "PEN-285",
                f"slot {slot.name}",
                f"nobody reads it, and it holds back {in_bytes(held)} of log",
                fix=f"start its reader; or, if nobody needs it any more: {drop}",
            )


def _ours(slot: Slot, held: int, budget: int) -> Iterator[Finding]:
    subject = f"slot {slot.name}"
    fact = f"holds back {in_bytes(held)} of a budget of {in_bytes(budget)}"
    if held >= budget:
        fix = "let the connector catch up now; raise source.wal_budget only if the disk has room"
        yield error("PEN-283", subject, fact, fix=fix)
    elif held * HALF >= budget:
        yield warning("PEN-282", subject, fact, fix="let the connector catch up")
