"""Do the tables exist, and are they tables whose changes reach the log."""

import difflib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from capture.facts import KINDS, PARTITIONED, TABLE, Relation
from capture.preflight.report import about, error, good, note, some, warning
from diagnosis.findings import Finding
from schema_registry.table_name import MalformedTableName, TableName, is_pattern

MOST_SUGGESTIONS: Final = 3
LIKENESS: Final = 0.7


@dataclass(frozen=True, slots=True)
class Wish:
    """What source.tables asks for, once it is read."""

    names: tuple[TableName, ...]
    patterns: Mapping[str, str]  # by schema, as written


@dataclass(frozen=True, slots=True)
class Resolution:
    """The tables that can be captured, in the order of the wish, and all trouble."""

    tables: tuple[Relation, ...]
    findings: tuple[Finding, ...]


def read_wish(texts: Sequence[str]) -> tuple[Wish, list[Finding]]:
    """Read the entries of source.tables; an entry that names nothing is a finding."""
    names: dict[TableName, None] = {}
    patterns: dict[str, str] = {}
    findings: list[Finding] = []
    if not texts:
        fix = "name tables in source.tables, or all of a schema: public.*"
        findings.append(error("PEN-241", "source.tables", "names no table", fix=fix))
    for text in texts:
        try:
            name = TableName.parse(text)
        except MalformedTableName as trouble:
            findings.append(error("PEN-247", f"source.tables entry {text!r}", str(trouble)))
            continue
        if _of_system(name.schema):
            findings.append(_system(name))
        elif is_pattern(text):
            patterns[name.schema] = text
        else:
            names[name] = None
    return Wish(tuple(names), patterns), findings


def missing(wish: Wish, relations: Iterable[Relation]) -> list[TableName]:
    """Give the names that nothing has."""
    found = {relation.name for relation in relations}
    return [name for name in wish.names if name not in found]


def resolve(wish: Wish, relations: Sequence[Relation], known: Sequence[TableName]) -> Resolution:
    """Match the wish with what there is; ``known`` serves to guess what was meant."""
    by_name = {relation.name: relation for relation in relations}
    findings = [_not_found(name, known) for name in missing(wish, relations)]
    named = [by_name[name] for name in wish.names if name in by_name]
    matched = [
        relation
        for schema in wish.patterns
        for relation in relations
        if relation.name.schema == schema and relation.name not in wish.names
        if relation.kind in (TABLE, PARTITIONED)
    ]
    candidates = {relation.name for relation in (*named, *matched)}

    tables: list[Relation] = []
    for relation in named:
        trouble = list(_unfit(relation))
        findings += trouble or _partition(relation, candidates)
        if not trouble and not _below(relation, candidates):
            tables.append(relation)
    for relation in matched:
        if _below(relation, candidates):
            continue  # its rows come with the root's
        trouble = list(_unfit(relation))
        findings += _left_out(relation) if relation.persistence == "u" else trouble
        if not trouble:
            tables.append(relation)
    findings += _empty_patterns(wish, relations)
    if tables:
        findings.append(good("tables", f"{len(tables)} found: {some(t.name for t in tables)}"))
    return Resolution(tuple(tables), tuple(findings))


def _below(relation: Relation, candidates: Collection[TableName]) -> bool:
    return any(ancestor in candidates for ancestor in relation.ancestors)


def _unfit(relation: Relation) -> Iterator[Finding]:
    subject = about(relation)
    if relation.persistence == "t":
        yield _temporary(relation.name)
    elif relation.kind not in (TABLE, PARTITIONED):
        kind = KINDS.get(relation.kind, f"of kind {relation.kind!r}")
        fix = "name the tables whose rows it shows" if relation.kind in "vm" else None
        fact = f"is {kind}; only tables have changes in this server's log"
        yield error("PEN-242", subject, fact, fix=fix or "take it out of source.tables")
    elif relation.persistence == "u":
        yield error(
            "PEN-245",
            subject,
            "is unlogged: its changes are not in the log",
            fix="take it out of source.tables, or have it logged by ALTER TABLE … SET LOGGED, "
            "which rewrites it under an exclusive lock",
        )
    foreign = [leaf.name for leaf in relation.leaves if leaf.kind != TABLE]
    if foreign:
        fact = (
            f"has partitions that are foreign tables: {some(foreign)}; their changes are not here"
        )
        yield error("PEN-242", subject, fact, fix="list the other partitions one by one")
    unlogged = [leaf.name for leaf in relation.leaves if leaf.persistence == "u"]
    if unlogged:
        fact = f"has unlogged partitions: {some(unlogged)}; their changes are not in the log"
        yield error("PEN-245", subject, fact, fix="have them logged by ALTER TABLE … SET LOGGED")


def _partition(relation: Relation, candidates: Collection[TableName]) -> list[Finding]:
    if not relation.ancestors:
        return []
    root = relation.ancestors[-1]
    if _below(relation, candidates):
        fact = f"is a partition of {root}, which is listed too: its changes arrive under that name"
        fix = f"take {relation.name} out of source.tables"
        return [warning("PEN-246", about(relation), fact, fix=fix)]
    fact = (
        f"is a partition of {root}: only its rows are copied, and a row that moves to "
        "another partition is seen as deleted"
    )
    fix = f"list {root} instead, unless this is meant"
    return [note("PEN-246", about(relation), fact, fix=fix)]


def _left_out(relation: Relation) -> list[Finding]:
    fact = f"matches {relation.name.schema}.* and is left out: it is unlogged"
    return [warning("PEN-245", about(relation), fact)]


def _empty_patterns(wish: Wish, relations: Sequence[Relation]) -> list[Finding]:
    filled = {r.name.schema for r in relations if r.kind in (TABLE, PARTITIONED)}
    return [
        error(
            "PEN-241",
            f"source.tables entry {text!r}",
            "matches no table: the schema does not exist or is empty",
            fix="check the schema's name (case counts)",
        )
        for schema, text in wish.patterns.items()
        if schema not in filled
    ]


def _not_found(name: TableName, known: Sequence[TableName]) -> Finding:
    near = suggestions(name, known)
    fix = f"did you mean {' or '.join(map(str, near))}?" if near else "check source.tables"
    fact = "does not exist in this database (case counts, quotes or not)"
    return error("PEN-240", f"table {name}", fact, fix=fix)


def suggestions(name: TableName, known: Sequence[TableName]) -> list[TableName]:
    """Guess what was meant: other case, another schema, a slip of the pen."""
    whole, bare = str(name).casefold(), name.table.casefold()
    folded = [(other, str(other).casefold()) for other in known]
    same = [other for other, text in folded if text == whole]
    elsewhere = [other for other in known if other.table.casefold() == bare]
    near = difflib.get_close_matches(
        whole, {text for _, text in folded}, n=MOST_SUGGESTIONS, cutoff=LIKENESS
    )
    like = [other for text in near for other, folded_text in folded if folded_text == text]
    return list(dict.fromkeys([*same, *elsewhere, *like]))[:MOST_SUGGESTIONS]


def _of_system(schema: str) -> bool:
    return schema == "information_schema" or schema.startswith("pg_")


def _system(name: TableName) -> Finding:
    if name.schema.startswith("pg_temp"):
        return _temporary(name)
    fact = "belongs to the system, whose changes are not published"
    return error("PEN-243", f"table {name}", fact, fix="take it out of source.tables")


def _temporary(name: TableName) -> Finding:
    fact = "is temporary: it ends with its session and is not in the log"
    return error("PEN-244", f"table {name}", fact, fix="take it out of source.tables")
