"""Which tables a connector means, and what is said of those that cannot be captured."""

import pytest

from capture.source import connect
from capture.tables import TablesUnfit, resolve_tables
from diagnosis.findings import Severity
from schema_registry.table_name import TableName
from tests.capture.lab import Lab, codes, only

# Names that somebody has, or that somebody would like us to run.
ODD = [
    "Capital",
    "with.dot",
    'with"quote',
    "with space",
    "with 'apostrophe' and \\ backslash",
    "größe_表_🐘",
    "x" * 63,
    "ä" * 31,
    '"; DROP TABLE x; --',
    "100%s {brace} $1",
    "new\nline",
    "*",
    "select",
]


def quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def names(lab: Lab, *tables: str) -> list[str]:
    with connect(lab.source) as connection:
        return [str(name) for name in resolve_tables(connection, lab.of(*tables))]


def test_an_absent_table_brings_suggestions(lab: Lab) -> None:
    lab.run(
        'CREATE TABLE public."Orders" (id int PRIMARY KEY)',
        "CREATE TABLE public.customers (id int PRIMARY KEY)",
        "CREATE SCHEMA shop",
        "CREATE TABLE shop.items (id int PRIMARY KEY)",
    )
    for asked, meant in (
        ("public.orders", "public.Orders"),
        ("public.custmers", "public.customers"),
        ("public.items", "shop.items"),
        ("PUBLIC.customers", "public.customers"),
    ):
        finding = only(lab.inspect(asked), "PEN-240")
        assert finding.severity is Severity.ERROR
        assert finding.fix is not None
        assert meant in finding.fix
        assert asked in finding.subject


def test_only_tables_are_captured_and_each_other_kind_is_named(lab: Lab) -> None:
    lab.run(
        "CREATE TABLE public.t (id int PRIMARY KEY)",
        "CREATE VIEW public.v AS SELECT * FROM public.t",
        "CREATE MATERIALIZED VIEW public.m AS SELECT * FROM public.t",
        "CREATE SEQUENCE public.s",
        "CREATE FOREIGN DATA WRAPPER w",
        "CREATE SERVER far FOREIGN DATA WRAPPER w",
        "CREATE FOREIGN TABLE public.f (id int) SERVER far",
        "CREATE TYPE public.c AS (id int)",
        "CREATE UNLOGGED TABLE public.u (id int PRIMARY KEY)",
        "CREATE TEMPORARY TABLE temporary (id int PRIMARY KEY)",
    )
    ((temporary,),) = lab.admin.execute("SELECT pg_my_temp_schema()::regnamespace::text")
    for asked, code, word in (
        ("public.v", "PEN-242", "a view"),
        ("public.m", "PEN-242", "a materialized view"),
        ("public.s", "PEN-242", "a sequence"),
        ("public.f", "PEN-242", "a foreign table"),
        ("public.c", "PEN-242", "a composite type"),
        ("public.t_pkey", "PEN-242", "an index"),
        ("public.u", "PEN-245", "unlogged"),
        ("pg_catalog.pg_class", "PEN-243", "system"),
        ("information_schema.tables", "PEN-243", "system"),
        (f"{temporary}.temporary", "PEN-244", "temporary"),
        ("no-dot", "PEN-247", "schema.table"),
        ("public." + "x" * 64, "PEN-247", "64 bytes"),
        ("public.a\0b", "PEN-247", "NUL"),
    ):
        findings = lab.inspect(asked)
        assert word in only(findings, code).fact
        assert only(findings, code).severity is Severity.ERROR
        assert only(findings, "PEN-250").sql == ()


def test_a_pattern_takes_all_tables_of_its_schema_and_roots_for_their_partitions(lab: Lab) -> None:
    lab.run(
        "CREATE SCHEMA s",
        "CREATE TABLE s.plain (id int PRIMARY KEY)",
        "CREATE TABLE s.root (id int PRIMARY KEY) PARTITION BY RANGE (id)",
        "CREATE TABLE s.branch PARTITION OF s.root DEFAULT PARTITION BY RANGE (id)",
        "CREATE TABLE s.leaf PARTITION OF s.branch FOR VALUES FROM (0) TO (5)",
        "CREATE VIEW s.view AS SELECT 1",
        "CREATE TABLE public.elsewhere (id int PRIMARY KEY)",
        "CREATE SCHEMA empty",
    )
    assert names(lab, "s.*") == ["s.plain", "s.root"]
    assert names(lab, "public.elsewhere", "s.*", "s.plain") == [
        "public.elsewhere",
        "s.plain",
        "s.root",
    ]
    for pattern in ("empty.*", "nowhere.*"):
        assert "PEN-241" in codes(lab.inspect(pattern), Severity.ERROR)
        with pytest.raises(TablesUnfit, match="PEN-248"):
            names(lab, "s.plain", pattern)
    assert "PEN-241" in codes(lab.inspect(), Severity.ERROR)


def test_a_pattern_leaves_out_unlogged_tables_and_says_so(lab: Lab) -> None:
    lab.run("CREATE TABLE public.t (id int PRIMARY KEY)", "CREATE UNLOGGED TABLE public.u (id int)")
    assert names(lab, "public.*") == ["public.t"]
    assert only(lab.inspect("public.*"), "PEN-245").severity is Severity.WARNING


def test_a_partition_is_explained_with_its_root_and_without(lab: Lab) -> None:
    lab.run(
        "CREATE TABLE public.root (id int PRIMARY KEY) PARTITION BY RANGE (id)",
        "CREATE TABLE public.leaf PARTITION OF public.root FOR VALUES FROM (0) TO (5)",
    )
    both = only(lab.inspect("public.root", "public.leaf"), "PEN-246")
    assert both.severity is Severity.WARNING
    assert names(lab, "public.root", "public.leaf") == ["public.root"]

    alone = only(lab.inspect("public.leaf"), "PEN-246")
    assert alone.severity is Severity.NOTE
    assert "public.root" in alone.fact
    assert names(lab, "public.leaf") == ["public.leaf"]

    lab.run("CREATE PUBLICATION pub FOR TABLE public.root WITH (publish_via_partition_root)")
    assert "PEN-246" in codes(lab.inspect("public.leaf"), Severity.ERROR)
    lab.run("ALTER PUBLICATION pub SET TABLE public.leaf")
    assert "PEN-246" not in codes(lab.inspect("public.leaf"), Severity.WARNING)


def test_partitions_whose_changes_are_not_in_the_log_are_found(lab: Lab) -> None:
    lab.run(
        "CREATE TABLE public.root (id int) PARTITION BY RANGE (id)",
        "CREATE UNLOGGED TABLE public.a PARTITION OF public.root FOR VALUES FROM (0) TO (5)",
        "CREATE FOREIGN DATA WRAPPER w",
        "CREATE SERVER far FOREIGN DATA WRAPPER w",
        "CREATE FOREIGN TABLE public.b PARTITION OF public.root DEFAULT SERVER far",
    )
    findings = lab.inspect("public.root")
    assert "public.a" in only(findings, "PEN-245").fact
    assert "public.b" in only(findings, "PEN-242").fact


@pytest.mark.parametrize("name", ODD)
def test_odd_names_are_exact_in_every_statement(lab: Lab, name: str) -> None:
    index = f"i{name}".encode()[:63].decode(errors="ignore")
    lab.run(
        "CREATE TABLE public.x (id int PRIMARY KEY)",
        f"CREATE SCHEMA {quote(name)}",
        f"CREATE TABLE {quote(name)}.{quote(name)} ({quote(name)} int NOT NULL, note text)",
        f"CREATE UNIQUE INDEX {quote(index)} ON {quote(name)}.{quote(name)} ({quote(name)})",
    )
    asked = f"{quote(name)}.{quote(name)}"
    assert names(lab, asked) == [str(TableName(name, name))]
    assert names(lab, f"{quote(name)}.*") == [str(TableName(name, name))]

    findings = lab.inspect(asked, publication=name)
    assert {"PEN-233", "PEN-234", "PEN-250", "PEN-260"} <= codes(findings, Severity.ERROR)
    lab.mend(findings)
    assert codes(lab.inspect(asked, publication=name), Severity.WARNING) == set()
    lab.run("SELECT FROM public.x")  # nothing has dropped it


def test_a_sound_table_gives_no_finding_above_ok(either: Lab) -> None:
    either.run("CREATE TABLE public.t (id int PRIMARY KEY, price numeric(10,2))")
    either.grant("public.t")
    assert codes(either.inspect("public.t")) == set()
