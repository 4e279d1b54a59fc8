"""What differs between two versions of a schema, as people read it.

Named types are compared once, under their own name: a column of a table is told
once, although ``before`` and ``after`` of an envelope both have it.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from schema_registry.avro.errors import TooComplex, shortened, shown
from schema_registry.avro.matching import named_alike
from schema_registry.avro.model import (
    Absent,
    Array,
    Enumeration,
    Field,
    Fixed,
    Map,
    Named,
    Primitive,
    Props,
    Record,
    Schema,
    Type,
    Union,
    simple_name,
)
from schema_registry.avro.parse import branch_key
from schema_registry.avro.wording import (
    LONGEST_TYPE,
    branch_texts,
    default,
    plain,
    primitive,
    short_type,
    whole_type,
    without_null,
)

MOST_STEPS: Final = 200_000
ROOT: Final = "schema"  # where a type without a name stands that nothing encloses

# They stand in the text of a type, so a change of them has been told with it.
_TOLD_BY_TYPE: Final = frozenset({"logicalType", "precision", "scale"})


class Change(Enum):
    """What became of something."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class Difference:
    """One change: of what kind, where (``Value.total``), and in words."""

    kind: Change
    path: str
    text: str


def differences(old: Schema, new: Schema) -> tuple[Difference, ...]:
    """List what the new version adds, removes and changes, in the order of its fields."""
    if old == new:
        return ()
    comparison = _Comparison(old, new)
    return tuple(comparison.run())


class _Comparison:
    def __init__(self, old: Schema, new: Schema) -> None:
        self._old, self._new = old, new
        self._left: deque[tuple[Named, Named]] = deque()
        self._seen: set[tuple[str, str]] = set()
        self._steps = 0

    def run(self) -> Iterator[Difference]:
        """Compare the roots, and then every pair of named types that they lead to."""
        yield from self._types(ROOT, self._old.root, self._new.root)
        while self._left:
            old, new = self._left.popleft()
            yield from self._named(old, new)

    def _named(self, old: Named, new: Named) -> Iterator[Difference]:
        path = simple_name(new.name)
        if old.name != new.name:
            yield _changed(path, f"was called {old.name}, is called {new.name}")
        match old, new:
            case Record(), Record():
                yield from self._fields(path, old, new)
            case Enumeration(), Enumeration():
                self._count(len(old.symbols) + len(new.symbols))
                yield from _symbols(path, old, new)
            case Fixed(), Fixed():
                if old.size != new.size:
                    yield _changed(path, f"from {old.size} bytes to {new.size}")
        yield from _doc(path, old.doc, new.doc)
        yield from _aliases(path, old.aliases, new.aliases)
        yield from _props(path, old.props, new.props)

    def _fields(self, path: str, old: Record, new: Record) -> Iterator[Difference]:
        before = {field.name: field for field in old.fields}
        for field in new.fields:
            self._count(1 + len(field.aliases))
            place = f"{path}.{field.name}"
            known = before.pop(field.name, None)
            if known is None:
                former = [name for name in field.aliases if name in before]
                known = before.pop(former[0]) if former else None
                if known is not None:
                    yield _changed(place, f"was called {known.name}")
            if known is None:
                yield Difference(Change.ADDED, place, self._added(field))
            else:
                yield from self._field(place, known, field)
        self._count(len(before))
        for field in before.values():
            text = f"was {short_type(field.type, self._old)}"
            yield Difference(Change.REMOVED, f"{path}.{field.name}", text)
        if _in_another_order([f.name for f in old.fields], [f.name for f in new.fields]):
            yield _changed(path, "its fields stand in another order")

    def _field(self, path: str, old: Field, new: Field) -> Iterator[Difference]:
        yield from self._types(path, old.type, new.type)
        if old.default != new.default:
            text = f"default from {default(old.default)} to {default(new.default)}"
            yield _changed(path, text)
        if old.order != new.order:
            yield _changed(path, f"sorted {new.order.value}, was {old.order.value}")
        yield from _doc(path, old.doc, new.doc)
        yield from _aliases(path, old.aliases, new.aliases)
        yield from _props(path, old.props, new.props)

    def _added(self, field: Field) -> str:
        text = short_type(field.type, self._new)
        if field.default is Absent.NO_DEFAULT:
            return f"{text}, no default"
        return f"{text}, default {default(field.default)}"

    def _types(self, path: str, old: Type, new: Type) -> Iterator[Difference]:
        before, after = whole_type(old, self._old), whole_type(new, self._new)
        if before != after:
            yield _changed(path, self._retyped(old, new, before, after))
        yield from self._inner(path, old, new)

    def _retyped(self, old: Type, new: Type, before: str, after: str) -> str:
        if without_null(old, self._old) == after:
            return f"can no longer be null: {_short(after)}"
        if without_null(new, self._new) == before:
            return f"can be null now: {_short(after)}"
        if isinstance(old, Union) and isinstance(new, Union) and len(before) > LONGEST_TYPE:
            # Shortened, the two could look the same.
            had = dict.fromkeys(branch_texts(old, self._old))
            has = dict.fromkeys(branch_texts(new, self._new))
            more = ", ".join(text for text in has if text not in had)
            less = ", ".join(text for text in had if text not in has)
            return f"new in the union: {_short(more) or 'none'}; gone: {_short(less) or 'none'}"
        return f"from {_short(before)} to {_short(after)}"

    def _inner(self, path: str, old: Type, new: Type) -> Iterator[Difference]:
        """Tell of attributes inside, and remember the named types that belong together."""
        left = [(old, new)]
        while left:
            self._count(1)
            before, after = left.pop()
            before, after = self._old.resolve(before), self._new.resolve(after)
            match before, after:
                case Array(), Array():
                    yield from _props(path, before.props, after.props)
                    left.append((before.items, after.items))
                case Map(), Map():
                    yield from _props(path, before.props, after.props)
                    left.append((before.values, after.values))
                case Primitive(), Primitive():
                    same = primitive(before) == primitive(after)
                    told = frozenset[str]() if same else _TOLD_BY_TYPE
                    yield from _props(path, before.props, after.props, told)
                case (
                    Record() | Enumeration() | Fixed(),
                    Record() | Enumeration() | Fixed(),
                ) if type(before) is type(after):
                    self._remember(before, after)
                case Union(), Union():
                    left.extend(self._branches(before.branches, after.branches))
                case Union(), _:
                    left.extend(self._branches(before.branches, (after,)))
                case _, Union():
                    left.extend(self._branches((before,), after.branches))

    def _branches(self, old: tuple[Type, ...], new: tuple[Type, ...]) -> list[tuple[Type, Type]]:
        self._count(len(old) + len(new))
        before = {simple_name(branch_key(branch)): branch for branch in old}
        before |= {branch_key(branch): branch for branch in old}
        pairs = []
        for branch in reversed(new):
            named = self._new.resolve(branch)
            aliases = named.aliases if isinstance(named, Record | Enumeration | Fixed) else ()
            self._count(len(aliases))
            names = (branch_key(branch), *aliases, simple_name(branch_key(branch)))
            pairs.extend([(before[name], branch) for name in names if name in before][:1])
        return pairs

    def _remember(self, old: Named, new: Named) -> None:
        # Types of two names are told apart as types; only the same one is looked into.
        self._count(1 + len(new.aliases))
        if named_alike(new, old) and (old.name, new.name) not in self._seen:
            self._seen.add((old.name, new.name))
            self._left.append((old, new))

    def _count(self, steps: int) -> None:
        self._steps += steps
        if self._steps > MOST_STEPS:
            raise TooComplex("", "telling what changed takes too long")


def _symbols(path: str, old: Enumeration, new: Enumeration) -> Iterator[Difference]:
    before, after = frozenset(old.symbols), frozenset(new.symbols)
    for symbol in new.symbols:
        if symbol not in before:
            yield Difference(Change.ADDED, f"{path}.{symbol}", "symbol")
    for symbol in old.symbols:
        if symbol not in after:
            yield Difference(Change.REMOVED, f"{path}.{symbol}", "symbol")
    if _in_another_order(old.symbols, new.symbols):
        yield _changed(path, "its symbols stand in another order")
    if old.default != new.default:
        text = f"default symbol from {old.default or 'none'} to {new.default or 'none'}"
        yield _changed(path, text)


def _in_another_order(old: Sequence[str], new: Sequence[str]) -> bool:
    both = frozenset(old) & frozenset(new)
    return [name for name in old if name in both] != [name for name in new if name in both]


def _doc(path: str, old: str | None, new: str | None) -> Iterator[Difference]:
    if old == new:
        return
    if old is None:
        yield _changed(path, f"doc added: {shown(new or '')}")
    elif new is None:
        yield _changed(path, f"doc removed: {shown(old)}")
    else:
        yield _changed(path, f"doc from {shown(old)} to {shown(new)}")


def _aliases(path: str, old: tuple[str, ...], new: tuple[str, ...]) -> Iterator[Difference]:
    if frozenset(old) != frozenset(new):
        before, after = (", ".join(names) or "none" for names in (old, new))
        yield _changed(path, f"aliases from {_short(before)} to {_short(after)}")


def _props(
    path: str, old: Props, new: Props, told: frozenset[str] = frozenset()
) -> Iterator[Difference]:
    if old == new:
        return
    before, after = dict(old), dict(new)
    for name in sorted((before.keys() | after.keys()) - told):
        was, is_ = before.get(name), after.get(name)
        if was == is_:
            continue
        if was is None and is_ is not None:
            yield _changed(path, f"{plain(name)} added: {plain(is_.text)}")
        elif is_ is None and was is not None:
            yield _changed(path, f"{plain(name)} removed: {plain(was.text)}")
        elif was is not None and is_ is not None:
            yield _changed(path, f"{plain(name)} from {plain(was.text)} to {plain(is_.text)}")


def _changed(path: str, text: str) -> Difference:
    return Difference(Change.CHANGED, path, text)


def _short(text: str) -> str:
    return shortened(text, LONGEST_TYPE)
