"""Can this reader read everything that was written with that writer?

The rules are those of the specification's schema resolution; decision 0007 says
where we chose. A pair of types is looked at once, whatever the ways to it, and what
is left to look at lies on a stack of our own: recursion in the schemas costs
nothing, and the number of steps is bounded.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias, assert_never

from schema_registry.avro.errors import LONGEST_PATH, TooComplex, shortened, shown
from schema_registry.avro.matching import Branches, claims, named_alike, promotes
from schema_registry.avro.model import (
    Absent,
    Array,
    Decimal,
    Enumeration,
    Fixed,
    Map,
    Named,
    Primitive,
    Record,
    Reference,
    Schema,
    Type,
    Union,
)

# Two schemas of the largest size that hardly differ take a third of this.
MOST_STEPS: Final = 200_000
MOST_PROBLEMS: Final = 100  # nobody reads more, and paths are long
MOST_SYMBOLS_SHOWN: Final = 5

_Path: TypeAlias = tuple["_Path", str] | None  # the way up, so that a step costs no copy


class Kind(Enum):
    """What is in the way, by the names that Java and Confluent's registry give it."""

    NAME_MISMATCH = "NAME_MISMATCH"
    FIXED_SIZE_MISMATCH = "FIXED_SIZE_MISMATCH"
    MISSING_ENUM_SYMBOLS = "MISSING_ENUM_SYMBOLS"
    READER_FIELD_MISSING_DEFAULT_VALUE = "READER_FIELD_MISSING_DEFAULT_VALUE"
    TYPE_MISMATCH = "TYPE_MISMATCH"
    MISSING_UNION_BRANCH = "MISSING_UNION_BRANCH"
    DECIMAL_MISMATCH = "DECIMAL_MISMATCH"  # ours: Java's checker does not look


@dataclass(frozen=True, slots=True)
class Incompatibility:
    """One thing in the way of reading.

    ``path`` is a JSON pointer into the reader's schema, as Confluent's registry gives
    it. A branch that only the writer has is counted in the writer's union.
    """

    kind: Kind
    path: str
    reason: str


def incompatibilities(reader: Schema, writer: Schema) -> tuple[Incompatibility, ...]:
    """List what keeps the reader from reading what the writer wrote; empty: nothing does.

    At most ``MOST_PROBLEMS`` are listed.
    """
    if reader == writer:
        return ()
    comparison = _Comparison(reader, writer)
    comparison.run()
    return tuple(sorted(comparison.problems, key=_place))


class _Comparison:
    def __init__(self, reader: Schema, writer: Schema) -> None:
        self.problems: list[Incompatibility] = []
        self._reader, self._writer = reader, writer
        self._left: list[tuple[Type, Type, _Path]] = [(reader.root, writer.root, None)]
        # By identity, as types are large: the two schemas keep them alive.
        self._seen: set[tuple[int, int]] = set()
        self._branches: dict[int, Branches] = {}
        self._steps = 0

    def run(self) -> None:
        """Look at every pair that resolution can come to."""
        while self._left and len(self.problems) < MOST_PROBLEMS:
            self._count(1)
            some_reader, some_writer, path = self._left.pop()
            reader = self._reader.resolve(some_reader)
            writer = self._writer.resolve(some_writer)
            if (id(reader), id(writer)) not in self._seen:
                self._seen.add((id(reader), id(writer)))
                # The last to be put on the stack is the first to be looked at.
                self._left.extend(reversed(list(self._compare(reader, writer, path))))

    def _compare(
        self, reader: Type, writer: Type, path: _Path
    ) -> Iterable[tuple[Type, Type, _Path]]:
        match reader, writer:
            case _, Union():
                return self._each_branch(reader, writer, path)
            case Union(), _:
                return self._branch_taking(reader, writer, path, path)
            case Primitive(), Primitive() if promotes(writer.name, reader.name):
                self._check_decimals(reader, writer, path)
            case Array(), Array():
                return [(reader.items, writer.items, (path, "items"))]
            case Map(), Map():
                return [(reader.values, writer.values, (path, "values"))]
            case Fixed(), Fixed():
                self._check_names(reader, writer, path)
                self._check_sizes(reader, writer, path)
                self._check_decimals(reader, writer, path)
            case Enumeration(), Enumeration():
                self._check_names(reader, writer, path)
                self._check_symbols(reader, writer, path)
            case Record(), Record():
                self._check_names(reader, writer, path)
                return self._fields(reader, writer, path)
            case _:
                reason = (
                    f"the reading schema has {_kind(reader)}, the writing schema {_kind(writer)}"
                )
                self._report(Kind.TYPE_MISMATCH, path, reason)
        return ()

    def _each_branch(
        self, reader: Type, writer: Union, path: _Path
    ) -> Iterable[tuple[Type, Type, _Path]]:
        pairs: list[tuple[Type, Type, _Path]] = []
        for index, branch in enumerate(writer.branches):
            self._count(1)
            place = path, str(index)
            if isinstance(reader, Union):
                branch = self._writer.resolve(branch)
                pairs.extend(self._branch_taking(reader, branch, path, place))
            else:
                pairs.append((reader, branch, place))
        return pairs

    def _branch_taking(
        self, reader: Union, writer: Type, path: _Path, missing_at: _Path
    ) -> Iterable[tuple[Type, Type, _Path]]:
        if id(reader) not in self._branches:
            self._branches[id(reader)] = Branches(self._reader, reader)
        index = self._branches[id(reader)].taking(writer)
        if index is not None:
            return [(reader.branches[index], writer, (path, str(index)))]
        reason = f"the union of the reading schema has no branch for {_kind(writer)}"
        self._report(Kind.MISSING_UNION_BRANCH, missing_at, reason)
        return ()

    def _fields(
        self, reader: Record, writer: Record, path: _Path
    ) -> Iterable[tuple[Type, Type, _Path]]:
        self._count(len(writer.fields) + sum(1 + len(field.aliases) for field in reader.fields))
        pairs: list[tuple[Type, Type, _Path]] = []
        for index, claim in enumerate(claims(reader, writer)):
            place = (path, "fields"), str(index)
            name = shown(claim.field.name)
            if len(claim.written) > 1 or claim.disputed:
                reason = f"by the aliases of field {name}, several fields stand for each other"
                self._report(Kind.NAME_MISMATCH, (place, "aliases"), reason)
            elif claim.written:
                pairs.append((claim.field.type, claim.written[0].type, (place, "type")))
            elif claim.field.default is Absent.NO_DEFAULT:
                reason = (
                    f"the reading schema requires field {name}, which the writing schema lacks, "
                    "and gives no default"
                )
                self._report(Kind.READER_FIELD_MISSING_DEFAULT_VALUE, place, reason)
        return pairs

    def _check_names(self, reader: Named, writer: Named, path: _Path) -> None:
        self._count(len(reader.aliases))
        if not named_alike(reader, writer):
            reason = (
                f"the reading schema has {_kind(reader)}, the writing schema {_kind(writer)}, "
                "and no alias says that they are the same"
            )
            self._report(Kind.NAME_MISMATCH, (path, "name"), reason)

    def _check_symbols(self, reader: Enumeration, writer: Enumeration, path: _Path) -> None:
        self._count(len(reader.symbols) + len(writer.symbols))
        known = frozenset(reader.symbols)
        missing = [symbol for symbol in writer.symbols if symbol not in known]
        if missing and reader.default is None:
            some = ", ".join(map(shown, missing[:MOST_SYMBOLS_SHOWN]))
            more = len(missing) - MOST_SYMBOLS_SHOWN
            reason = (
                f"the reading schema lacks {some}{f' and {more} more' if more > 0 else ''} in "
                f"{_kind(reader)}, and gives no default symbol"
            )
            self._report(Kind.MISSING_ENUM_SYMBOLS, (path, "symbols"), reason)

    def _check_sizes(self, reader: Fixed, writer: Fixed, path: _Path) -> None:
        if reader.size != writer.size:
            reason = (
                f"the reading schema has {reader.size} bytes in {_kind(reader)}, "
                f"the writing schema {writer.size}"
            )
            self._report(Kind.FIXED_SIZE_MISMATCH, (path, "size"), reason)

    def _check_decimals(
        self, reader: Primitive | Fixed, writer: Primitive | Fixed, path: _Path
    ) -> None:
        ours, theirs = reader.logical, writer.logical
        if not isinstance(ours, Decimal) or not isinstance(theirs, Decimal):
            return
        if ours.scale != theirs.scale:
            reason = (
                f"the reading schema has a decimal of scale {ours.scale}, "
                f"the writing schema of {theirs.scale}"
            )
            self._report(Kind.DECIMAL_MISMATCH, (path, "scale"), reason)
        elif ours.precision < theirs.precision:
            reason = (
                f"the reading schema has a decimal of {ours.precision} digits, "
                f"too few for the {theirs.precision} of the writing schema"
            )
            self._report(Kind.DECIMAL_MISMATCH, (path, "precision"), reason)

    def _report(self, kind: Kind, path: _Path, reason: str) -> None:
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(Incompatibility(kind, _pointer(path), reason))

    def _count(self, steps: int) -> None:
        self._steps += steps
        if self._steps > MOST_STEPS:
            raise TooComplex("", "comparing it with another takes too long")


def _place(problem: Incompatibility) -> list[tuple[int, str]]:
    """Sort by the place in the schema: field 9 before field 10."""
    return [(int(token) if token.isdecimal() else -1, token) for token in problem.path.split("/")]


def _pointer(path: _Path) -> str:
    tokens: list[str] = []
    while path is not None:
        path, token = path
        tokens.append(token)
    return shortened("/" + "/".join(reversed(tokens)), 10 * LONGEST_PATH)


def _kind(type_: Type) -> str:
    match type_:
        case Primitive():
            return type_.name.value
        case Array():
            return "an array"
        case Map():
            return "a map"
        case Union():
            return "a union"
        case Record():
            return f"record {shown(type_.name)}"
        case Enumeration():
            return f"enum {shown(type_.name)}"
        case Fixed():
            return f"fixed {shown(type_.name)}"
        case Reference():
            return shown(type_.name)
        case _:
            assert_never(type_)
