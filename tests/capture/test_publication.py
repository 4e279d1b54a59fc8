"""Publications; whether an update is refused is asked of Postgres itself."""

from diagnosis.findings import Severity
from tests.capture.lab import Lab, codes, only

TABLE = "CREATE TABLE public.t (id int PRIMARY KEY, a int, b int)"
UPDATE = "UPDATE public.t SET a = 1"


def granted(lab: Lab, *tables: str) -> None:
    for table in tables:
        lab.run(f"GRANT SELECT ON {table} TO {lab.role}")


def test_a_publication_that_only_a_dba_can_create_comes_with_its_statement(either: Lab) -> None:
    either.run(
        TABLE,
        "CREATE TABLE public.parent (id int PRIMARY KEY)",
        "CREATE TABLE public.child (PRIMARY KEY (id)) INHERITS (public.parent)",
    )
    granted(either, "public.t", "public.parent")
    finding = only(either.inspect("public.t", "public.parent"), "PEN-250")
    assert "does not own public.t, public.parent" in finding.fact
    either.mend([finding])
    assert codes(either.inspect("public.t", "public.parent")) == set()


def test_an_owner_with_create_needs_no_dba(lab: Lab) -> None:
    ((database,),) = lab.admin.execute("SELECT current_database()")
    lab.run(TABLE, f"ALTER TABLE public.t OWNER TO {lab.role}")
    finding = only(lab.inspect("public.t"), "PEN-250")
    assert "lacks CREATE on database" in finding.fact
    lab.run(f"GRANT CREATE ON DATABASE {database} TO {lab.role}")
    assert only(lab.inspect("public.t"), "PEN-251").severity is Severity.NOTE


def test_tables_and_operations_that_are_not_published_are_added(either: Lab) -> None:
    either.run(
        TABLE,
        "CREATE TABLE public.u (id int PRIMARY KEY)",
        "CREATE PUBLICATION pub FOR TABLE public.u WITH (publish = 'insert, delete')",
    )
    granted(either, "public.t", "public.u")
    findings = either.inspect("public.t", "public.u")
    assert "lacks public.t" in only(findings, "PEN-252").fact
    assert "update, truncate" in only(findings, "PEN-253").fact
    either.mend(findings)
    assert codes(either.inspect("public.t", "public.u")) == set()


def test_all_tables_and_whole_schemas_count_as_published(lab: Lab) -> None:
    lab.run(TABLE)
    granted(lab, "public.t")
    lab.run("CREATE PUBLICATION pub FOR ALL TABLES", "CREATE TABLE public.u (id int)")
    assert codes(lab.inspect("public.t")) == set()
    lab.run("DROP PUBLICATION pub", "CREATE PUBLICATION pub FOR TABLES IN SCHEMA public")
    assert codes(lab.inspect("public.t")) == {"PEN-258"}
    assert "public.u" in only(lab.inspect("public.t"), "PEN-258").fact


def test_partitions_are_published_under_their_root(either: Lab) -> None:
    either.run(
        "CREATE TABLE public.t (id int PRIMARY KEY) PARTITION BY RANGE (id)",
        "CREATE TABLE public.one PARTITION OF public.t FOR VALUES FROM (0) TO (5)",
        "CREATE PUBLICATION pub FOR TABLE public.t",
    )
    granted(either, "public.t")
    finding = only(either.inspect("public.t"), "PEN-254")
    assert finding.severity is Severity.ERROR
    either.mend([finding])
    assert codes(either.inspect("public.t")) == set()


def test_a_column_list_without_the_key_is_widened_and_keeps_its_filter(either: Lab) -> None:
    either.run(
        'CREATE TABLE public.t (id int, "B%s" int, secret text, PRIMARY KEY (id, "B%s"))',
        "INSERT INTO public.t VALUES (1, 2, 'x')",
        'CREATE PUBLICATION pub FOR TABLE public.t ("B%s") WHERE ("B%s" > 1)',
    )
    either.run(f'GRANT SELECT ("B%s") ON public.t TO {either.role}')
    assert either.refuses("UPDATE public.t SET secret = 'y'")
    findings = either.inspect("public.t")
    finding = only(findings, "PEN-255")
    assert finding.severity is Severity.ERROR
    assert "leaves out id of the replica identity" in finding.fact
    either.mend(findings)
    assert not either.refuses("UPDATE public.t SET secret = 'y'")

    after = either.inspect("public.t")
    assert "leaves out secret" in only(after, "PEN-256").fact
    assert '"B%s" > 1' in only(after, "PEN-257").fact
    grant = only(after, "PEN-234").sql  # the list has grown, and with it what must be read
    assert grant == (f'GRANT SELECT ("id", "B%s") ON TABLE "public"."t" TO "{either.role}"',)
    either.run(*grant)
    assert codes(either.inspect("public.t"), Severity.WARNING) == set()


def test_a_column_list_and_the_whole_row_exclude_each_other(either: Lab) -> None:
    either.run(
        TABLE,
        "INSERT INTO public.t VALUES (1)",
        "ALTER TABLE public.t REPLICA IDENTITY FULL",
        "CREATE PUBLICATION pub FOR TABLE public.t (id, a)",
    )
    granted(either, "public.t")
    assert either.refuses(UPDATE)
    either.mend([only(either.inspect("public.t"), "PEN-255")])
    assert not either.refuses(UPDATE)
    assert codes(either.inspect("public.t")) == {"PEN-256"}


def test_a_row_filter_may_only_look_at_the_identity(either: Lab) -> None:
    either.run(
        TABLE,
        "INSERT INTO public.t VALUES (1)",
        "CREATE PUBLICATION pub FOR TABLE public.t WHERE (a > 0 AND id > 0)",
    )
    granted(either, "public.t")
    assert either.refuses(UPDATE)
    finding = only(either.inspect("public.t"), "PEN-255")
    assert "looks at a," in finding.fact
    either.mend([finding])
    assert not either.refuses(UPDATE)
    assert codes(either.inspect("public.t")) == {"PEN-257", "PEN-263"}


def test_generated_columns_are_published_where_the_server_can(lab: Lab) -> None:
    lab.run(
        "CREATE TABLE public.t (id int PRIMARY KEY, g int GENERATED ALWAYS AS (id + 1) STORED)",
        "INSERT INTO public.t VALUES (1)",
    )
    lab.grant("public.t")
    finding = only(lab.inspect("public.t"), "PEN-259")
    assert finding.severity is Severity.NOTE
    lab.mend([finding])
    assert codes(lab.inspect("public.t")) == set()

    lab.run("DROP PUBLICATION pub")
    lab.mend(lab.inspect("public.t"))
    assert codes(lab.inspect("public.t")) == set()

    lab.run(
        "ALTER PUBLICATION pub SET (publish_generated_columns = none)",
        "ALTER TABLE public.t REPLICA IDENTITY FULL",
    )
    assert lab.refuses("UPDATE public.t SET id = 2")
    lab.mend([only(lab.inspect("public.t"), "PEN-255")])
    assert not lab.refuses("UPDATE public.t SET id = 2")


def test_generated_columns_on_16_are_only_noted(lab16: Lab) -> None:
    lab16.run("CREATE TABLE public.t (id int PRIMARY KEY, g int GENERATED ALWAYS AS (id) STORED)")
    lab16.grant("public.t")
    assert only(lab16.inspect("public.t"), "PEN-259").sql == ()
    lab16.run("ALTER TABLE public.t DROP CONSTRAINT t_pkey, ADD PRIMARY KEY (g)")
    assert only(lab16.inspect("public.t"), "PEN-255").severity is Severity.ERROR


def test_a_keyless_table_with_a_generated_column_can_be_mended(lab: Lab) -> None:
    lab.run("CREATE TABLE public.t (id int, g int GENERATED ALWAYS AS (id) STORED)")
    lab.grant("public.t")
    lab.run("INSERT INTO public.t VALUES (1)")
    lab.mend([only(lab.inspect("public.t"), "PEN-260")])
    assert not lab.refuses("UPDATE public.t SET id = 2")
