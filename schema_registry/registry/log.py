"""One log, many processes: reads that are never stale, writes that are never lost or doubled.

Any process may write. There is no leader to elect and none to lose: whoever has
something to write takes the pen, which costs a tenth of a second when another
had it, and nothing when nobody did.
"""

import random
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar, assert_never

from diagnosis.errors import PenstockError
from diagnosis.failpoints import failpoint
from schema_registry.registry.errors import (
    ForeignTopic,
    LogContradicts,
    LogLost,
    LogUnavailable,
    PenTaken,
)
from schema_registry.registry.pen import Pen, Written
from schema_registry.registry.reader import Reader
from schema_registry.registry.records import Content, Record
from schema_registry.registry.state import Contradiction, State
from schema_registry.registry.topic import ensure_topic

Answer = TypeVar("Answer")

# The first reading of a long topic; later ones take milliseconds.
OPEN_WITHIN: Final = 60.0
READ_WITHIN: Final = 10.0

WAIT_FOR_OTHERS: Final = 15.0

# Two writers that meet are through after two or three tries.
MOST_TRIES: Final = 12
# What fails without another writer in play is not mended by trying on.
MOST_FAILURES: Final = 3


@dataclass(frozen=True, slots=True)
class Decision(Generic[Answer]):
    """What is to be written, if anything, and what is answered once it is."""

    answer: Answer
    records: tuple[Record, ...] = ()


Decide = Callable[[State], Decision[Answer]]
# Hears of trouble when it begins, and of its end.
Notice = Callable[[str], None]


class SchemaLog:
    """The registry's topic and what it says. Many threads may use it at once."""

    def __init__(
        self,
        settings: Mapping[str, Any],
        topic: str,
        replication: int | None = None,
        *,
        create: bool = True,
    ) -> None:
        self.topic = topic
        self.notice: Notice = lambda _: None
        self._state = State()
        self._lock = threading.RLock()
        self._writing = threading.Lock()
        self._asked_at = float("-inf")
        self._trouble: PenstockError | None = None
        self._broken: PenstockError | None = None
        ensure_topic(settings, topic, replication, create=create)
        self._pen = Pen(settings, topic)
        self._reader = Reader(settings, topic, self._fold)
        try:
            self._catch_up(OPEN_WITHIN)
            if self._reader.foreign and self._state == State():
                fact = f"it holds {self._reader.foreign} records, and none of a registry of ours"
                raise ForeignTopic(topic, fact)
        except PenstockError:
            self._reader.close()
            raise

    def __enter__(self) -> "SchemaLog":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Hang up."""
        with self._writing, self._lock:
            self._pen.drop()
            self._reader.close()
            self._broken = LogUnavailable(self.topic, "reading", "it was closed")

    @property
    def foreign(self) -> int:
        """How many records of the topic are not ours, and were passed over."""
        return self._reader.foreign

    def content(self, id: int) -> Content | None:
        """Give what an id means, from memory if it is known: that never changes."""
        known = self._state.schemas.get(id)
        if known is not None and self._broken is None:
            return known
        with self.reading() as state:
            return state.schemas.get(id)

    @contextmanager
    def reading(self) -> Iterator[State]:
        """Give the state as of now: everything that was committed before this call."""
        asked = time.monotonic()
        with self._lock:
            if self._asked_at < asked or self._broken is not None:
                self._catch_up(READ_WITHIN)
            elif self._trouble is not None:
                # Who waited for the lock meanwhile need not wait for Kafka once more.
                raise self._trouble
            yield self._state

    def write(self, decide: Decide[Answer]) -> Answer:
        """Decide on the state as of now and write what was decided, once.

        A crash leaves all of it or nothing. ``decide`` may be called several
        times, and what it raises is passed on.
        """
        # While Kafka is away each writer waits for it; those behind need not all wait.
        if not self._writing.acquire(timeout=WAIT_FOR_OTHERS):
            raise LogUnavailable(self.topic, "writing", "other writes are waiting for Kafka")
        try:
            return self._write(decide)
        finally:
            self._writing.release()

    def _write(self, decide: Decide[Answer]) -> Answer:
        failed = 0
        for number in range(MOST_TRIES):
            # 1. Often there is nothing to write: the pen stays where it is.
            with self.reading() as state:
                decision = decide(state)
            if not decision.records:
                return decision.answer
            # 2. Take the pen. What others wrote until then is read first.
            if not self._pen.held:
                self._take_pen()
                failpoint("registry.pen-taken")
                continue
            # 3. Write. Whoever took the pen since step 1 has fenced us.
            written = self._pen.write(decision.records)
            if self._settled(decision, written):
                return decision.answer
            failed += written is Written.UNKNOWN
            if failed == MOST_FAILURES and self._pen.trouble is not None:
                raise self._pen.trouble
            time.sleep(random.uniform(0, 0.05 * number))  # noqa: S311
        raise PenTaken(self.topic, MOST_TRIES)

    def _settled(self, decision: Decision[Answer], written: Written) -> bool:
        match written:
            case Written.FENCED:
                return False
            case Written.UNKNOWN:
                # Kafka ends the open transaction, one way or the other, before it
                # gives the pen to anybody: after that the topic tells how.
                self._take_pen()
                with self.reading() as state:
                    return state.holds(decision.records)
            case Written.YES:
                # Only what everybody can read by now is answered.
                with self._lock:
                    self._catch_up(READ_WITHIN, undecided=True)
                return True
            case never:
                assert_never(never)

    def _take_pen(self) -> None:
        self._pen.take()
        with self._lock, self._sticky():
            self._reader.check_identity()

    def _catch_up(self, within: float, *, undecided: bool = False) -> None:
        """Read to the end. What has gone wrong with the topic stays wrong."""
        if self._broken is not None:
            raise self._broken
        before, self._trouble = self._trouble, None
        self._asked_at = time.monotonic()
        with self._sticky(before):
            self._reader.catch_up(self._asked_at + within, undecided=undecided)
        if before is not None:
            self.notice("Kafka answers again")

    @contextmanager
    def _sticky(self, before: PenstockError | None = None) -> Iterator[None]:
        try:
            yield
        except (LogContradicts, LogLost) as error:
            self._broken = error
            self.notice(str(error))
            raise
        except PenstockError as error:
            self._trouble = error
            if before is None:
                self.notice(f"{error}: {error.cause}" if error.cause else str(error))
            raise

    def _fold(self, offset: int, record: Record) -> None:
        try:
            self._state.fold(record)
        except Contradiction as reason:
            raise LogContradicts(self.topic, offset, str(reason)) from None
