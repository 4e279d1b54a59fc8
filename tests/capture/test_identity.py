"""Replica identities; whether an update is refused is asked of Postgres itself."""

import pytest

from diagnosis.findings import Severity
from tests.capture.lab import Lab, codes, only

UPDATE = "UPDATE public.t SET id = id"


def sound(lab: Lab) -> bool:
    return not codes(lab.inspect("public.t"), Severity.ERROR)


@pytest.mark.parametrize(
    ("statements", "code", "mend"),
    [
        (["CREATE TABLE public.t (id int)"], "PEN-260", "FULL"),
        (["CREATE TABLE public.t (id int UNIQUE)"], "PEN-260", "FULL"),
        (["CREATE TABLE public.t (id int NOT NULL UNIQUE)"], "PEN-260", "USING INDEX"),
        (["CREATE TABLE public.t (id int NOT NULL UNIQUE DEFERRABLE)"], "PEN-260", "FULL"),
        (
            [
                "CREATE TABLE public.t (id int NOT NULL)",
                "CREATE UNIQUE INDEX ON public.t (id) WHERE id > 0",
                "CREATE UNIQUE INDEX ON public.t ((id + 1))",
            ],
            "PEN-260",
            "FULL",
        ),
        (
            [
                "CREATE TABLE public.t (id int PRIMARY KEY)",
                "ALTER TABLE public.t REPLICA IDENTITY NOTHING",
            ],
            "PEN-261",
            "DEFAULT",
        ),
        (
            [
                "CREATE TABLE public.t (id int PRIMARY KEY, n int NOT NULL)",
                "CREATE UNIQUE INDEX gone ON public.t (n)",
                "ALTER TABLE public.t REPLICA IDENTITY USING INDEX gone",
                "DROP INDEX public.gone",
            ],
            "PEN-262",
            "DEFAULT",
        ),
        (["CREATE TABLE public.t (id int PRIMARY KEY DEFERRABLE)"], "PEN-265", "FULL"),
        (
            ["CREATE TABLE public.t (id int PRIMARY KEY DEFERRABLE, n int NOT NULL UNIQUE)"],
            "PEN-265",
            "USING INDEX",
        ),
    ],
)
def test_each_lack_is_named_and_mended(
    either: Lab, statements: list[str], code: str, mend: str
) -> None:
    either.run(*statements)
    before = only(either.inspect("public.t"), code)
    assert "once it is published" in before.fact

    either.grant("public.t")
    assert either.refuses(UPDATE)
    finding = only(either.inspect("public.t"), code)
    assert finding.severity is Severity.ERROR
    assert "refuses the application's UPDATE and DELETE on it now" in finding.fact
    assert mend in finding.sql[-1]

    either.mend([finding])
    assert not either.refuses(UPDATE)
    assert sound(either)


def test_a_table_that_only_the_whole_row_identifies_cannot_be_mirrored(lab: Lab) -> None:
    lab.run("CREATE TABLE public.t (id int)", "ALTER TABLE public.t REPLICA IDENTITY FULL")
    lab.grant("public.t")
    finding = only(lab.inspect("public.t"), "PEN-264")
    assert (finding.severity, finding.sql) == (Severity.WARNING, ())
    lab.run("ALTER TABLE public.t ADD PRIMARY KEY (id)")
    assert only(lab.inspect("public.t"), "PEN-263").severity is Severity.NOTE


def test_the_identity_of_every_partition_counts(either: Lab) -> None:
    either.run(
        "CREATE TABLE public.t (id int, n text) PARTITION BY RANGE (id)",
        "CREATE TABLE public.one PARTITION OF public.t FOR VALUES FROM (0) TO (5)",
        "CREATE TABLE public.two PARTITION OF public.t FOR VALUES FROM (5) TO (9)",
        "ALTER TABLE public.t ADD PRIMARY KEY (id)",
        "ALTER TABLE public.two REPLICA IDENTITY NOTHING",
        "INSERT INTO public.t VALUES (1), (6)",
    )
    either.grant("public.t")
    assert either.refuses("UPDATE public.t SET n = 'x' WHERE id = 6")
    finding = only(either.inspect("public.t"), "PEN-261")
    assert "public.two" in finding.fact
    assert finding.sql == ('ALTER TABLE "public"."two" REPLICA IDENTITY DEFAULT',)
    either.mend([finding])
    assert not either.refuses("UPDATE public.t SET n = 'x' WHERE id = 6")
    assert sound(either)


def test_partitions_without_any_key_get_the_same_identity_as_their_root(lab: Lab) -> None:
    lab.run(
        "CREATE TABLE public.t (id int) PARTITION BY RANGE (id)",
        "CREATE TABLE public.one PARTITION OF public.t FOR VALUES FROM (0) TO (5)",
    )
    lab.grant("public.t")
    finding = only(lab.inspect("public.t"), "PEN-260")
    assert [sql.split()[2] for sql in finding.sql] == ['"public"."t"', '"public"."one"']
    lab.mend([finding])
    assert codes(lab.inspect("public.t"), Severity.WARNING) == {"PEN-264"}


def test_keys_of_the_partitions_alone_do_not_describe_the_root(lab: Lab) -> None:
    lab.run(
        "CREATE TABLE public.t (id int) PARTITION BY RANGE (id)",
        "CREATE TABLE public.one PARTITION OF public.t FOR VALUES FROM (0) TO (5)",
        "ALTER TABLE public.one ADD PRIMARY KEY (id)",
    )
    lab.grant("public.t")
    finding = only(lab.inspect("public.t"), "PEN-260")
    assert "refuses" not in finding.fact
    assert not lab.refuses(UPDATE)


def test_columns_that_may_be_toasted_are_named_unless_the_identity_holds_them(lab: Lab) -> None:
    lab.run(
        "CREATE TABLE public.t (id text PRIMARY KEY, body text, tags text[], price numeric(10,2),"
        " big numeric, home inet, plain text STORAGE PLAIN, n int)",
        "CREATE TABLE public.small (id int PRIMARY KEY, code varchar(20))",
    )
    lab.grant("public.t", "public.small")
    finding = only(lab.inspect("public.t", "public.small"), "PEN-266")
    assert finding.severity is Severity.NOTE
    assert "touch body, tags, big lacks" in finding.fact
    lab.mend([finding])
    assert codes(lab.inspect("public.t", "public.small")) == {"PEN-263"}


def test_the_whole_row_is_not_offered_where_it_would_stop_updates(lab: Lab) -> None:
    lab.run(
        "CREATE TABLE public.t (id int PRIMARY KEY, body text)",
        "ALTER TABLE public.t ADD v int GENERATED ALWAYS AS (id) VIRTUAL",
    )
    lab.grant("public.t")
    assert only(lab.inspect("public.t"), "PEN-266").sql == ()

    lab.run("ALTER TABLE public.t REPLICA IDENTITY FULL")
    assert lab.refuses(UPDATE)
    finding = only(lab.inspect("public.t"), "PEN-255")
    lab.mend([finding])
    assert not lab.refuses(UPDATE)
    assert sound(lab)
