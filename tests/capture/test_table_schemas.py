"""What the catalog says of tables. Postgres itself is the oracle."""

from collections.abc import Iterator

import psycopg
import pytest

from capture.source import connect
from capture.table_schemas import read_table_schemas
from schema_registry.avro.encoding import Array, Modes, Plain, encoding_of
from schema_registry.avro.envelope import envelope_schema
from schema_registry.avro.parse import parse
from schema_registry.column_type import ColumnType, TypeKind, TypeName
from schema_registry.malformed import MalformedTableSchema
from schema_registry.table_name import TableName
from schema_registry.table_schema import Generated, ReplicaIdentity, TableSchema
from schema_registry.table_schema_json import from_json, to_json
from tests.capture.lab import Lab
from tests.capture.one_table import Run, one_table
from tests.fixtures.servers import Postgres

# With every modifier that a type of Postgres' own may have.
DECLARED = [
    *("bool", "smallint", "int", "bigint", "real", "double precision", "float(3)", "oid", "money"),
    *("numeric", "numeric(10,2)", "numeric(5)", "numeric(2,-3)", "numeric(3,5)"),
    *("numeric(1000,1000)", "numeric(1000,-1000)", "numeric(1,0)"),
    *("text", "varchar", "varchar(20)", "char", "char(7)", "bpchar", 'pg_catalog."char"', "name"),
    *("bit", "bit(9)", "varbit", "varbit(5)", 'pg_catalog."bit"', "bytea", "uuid", "xml"),
    *("date", "time", "time(0)", "time(3)", "timetz", "timetz(6)", "timestamp", "timestamp(0)"),
    *("timestamp(3)", "timestamp(6)", "timestamptz", "timestamptz(3)", "interval", "interval(3)"),
    *("interval year", "interval month", "interval day", "interval hour", "interval minute"),
    *("interval second", "interval second(2)", "interval year to month", "interval day to hour"),
    *("interval day to minute", "interval day to second", "interval day to second(4)"),
    *("interval hour to minute", "interval hour to second(1)", "interval minute to second"),
    *("json", "jsonb", "jsonpath", "inet", "cidr", "macaddr", "macaddr8", "tsvector", "tsquery"),
    *("point", "line", "lseg", "box", "path", "polygon", "circle", "pg_lsn", "xid", "xid8", "tid"),
    *("int4range", "int8range", "numrange", "tsrange", "tstzrange", "daterange"),
    *("int4multirange", "tstzmultirange", "regclass", "int2vector", "oidvector"),
    *("int[]", "numeric(10,2)[]", "varchar(3)[][]", "timestamp(3)[]", "bit(3)[]", "interval[3]"),
    *("int4range[]", "text[][][]", "interval day to second(3)[]"),
]


@pytest.fixture
def admin(postgres: Postgres) -> Iterator[psycopg.Connection]:
    """A transaction that nobody else sees: cheaper than a database of one's own."""
    with (
        psycopg.connect(postgres.dsn(), autocommit=True) as connection,
        connection.transaction(force_rollback=True),
    ):
        yield connection


@pytest.fixture
def run(admin: psycopg.Connection) -> Run:
    return one_table(admin)


def types(table: TableSchema) -> dict[str, ColumnType]:
    return {column.name: column.type for column in table.columns}


def postgres_says(admin: psycopg.Connection) -> list[str]:
    return [
        text
        for (text,) in admin.execute(
            "SELECT format_type(atttypid, atttypmod) FROM pg_attribute"
            " WHERE attrelid = 'public.t'::regclass AND attnum > 0 ORDER BY attnum"
        )
    ]


def test_every_type_with_every_modifier_prints_as_postgres_prints_it(
    run: Run, admin: psycopg.Connection
) -> None:
    columns = ", ".join(f"c{at} {declared}" for at, declared in enumerate(DECLARED))
    read = run(f"CREATE TABLE t ({columns})")
    assert [str(column.type) for column in read.columns] == postgres_says(admin)
    assert from_json(to_json(read)) == read


def test_every_base_type_of_the_catalog_prints_as_postgres_prints_it(
    run: Run, admin: psycopg.Connection
) -> None:
    names = [
        name
        for (name,) in admin.execute(
            "SELECT quote_ident(t.typname) FROM pg_type AS t"
            " LEFT JOIN pg_type AS element ON element.oid = t.typelem"
            " WHERE t.typnamespace = 'pg_catalog'::regnamespace AND t.typtype IN ('b', 'r', 'm')"
            # Pseudo-types, and rows of catalogs that hold some, may be in no table.
            " AND coalesce(element.typtype, 'b') NOT IN ('c', 'p') ORDER BY t.oid"
        )
    ]
    assert len(names) > 120
    columns = ", ".join(f"c{at} pg_catalog.{name}" for at, name in enumerate(names))
    read = run(f"CREATE TABLE t ({columns})")
    assert [str(column.type) for column in read.columns] == postgres_says(admin)
    parse(envelope_schema(read, "shop", Modes()))


def test_what_a_type_is_made_of_is_read_to_the_ground(run: Run) -> None:
    read = types(
        run(
            "CREATE SCHEMA shop",
            "CREATE TYPE shop.mood AS ENUM ('sad', 'ok')",
            "ALTER TYPE shop.mood ADD VALUE 'so, so' BEFORE 'ok'",
            "CREATE DOMAIN cents AS numeric(10,2) CHECK (VALUE > 0)",
            "CREATE DOMAIN price AS cents NOT NULL",
            "CREATE DOMAIN grid AS varchar(4)[][]",
            "CREATE TYPE pair AS (a int, b text)",
            "CREATE TYPE span AS RANGE (subtype = float8, multirange_type_name = spans)",
            "CREATE TABLE t (m shop.mood, ms shop.mood[], p price, ps price[], g grid,"
            " c pair, s span, ss spans, i int[][][], u int[])",
        )
    )
    mood = ColumnType(TypeName("shop", "mood"), TypeKind.ENUM, labels=("sad", "so, so", "ok"))
    assert read["m"] == mood
    assert read["ms"].element == mood
    assert read["p"].base is not None
    assert read["p"].base.name == TypeName("public", "cents")
    assert read["p"].resolved.digits == (10, 2)
    assert read["ps"].element == read["p"]
    grid = read["g"].resolved
    assert grid.element is not None
    assert (grid.dimensions, grid.element.length) == (2, 4)
    assert [read[name].kind for name in ("c", "s", "ss")] == [
        *(TypeKind.COMPOSITE, TypeKind.RANGE, TypeKind.MULTIRANGE)
    ]
    assert (read["i"].dimensions, read["u"].dimensions) == (3, 1)
    assert [str(read[name]) for name in ("ms", "p", "ps", "ss")] == [
        *("shop.mood[]", "public.price", "public.price[]", "public.spans")
    ]


def test_types_of_an_extension_keep_their_modifiers(run: Run) -> None:
    read = types(
        run(
            "CREATE EXTENSION vector",
            "CREATE TABLE t (v vector(3), h halfvec(4), s sparsevec(5), u vector)",
        )
    )
    assert [str(read[name]) for name in "vhsu"] == [
        *("public.vector(3)", "public.halfvec(4)", "public.sparsevec(5)", "public.vector")
    ]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("hstore", Plain.HSTORE_JSON),
        ("ltree", Plain.LTREE),
        ("citext", Plain.TEXT),
        ("geometry", Plain.GEOMETRY),
    ],
)
def test_a_type_is_known_by_its_name_in_any_schema(run: Run, name: str, expected: Plain) -> None:
    """The server that we embed lacks these extensions, so text stands in for their types."""
    read = run(
        "CREATE SCHEMA ext",
        f"CREATE TYPE ext.{name}",
        f"CREATE FUNCTION ext.i(cstring) RETURNS ext.{name} AS 'textin' LANGUAGE internal STRICT",
        f"CREATE FUNCTION ext.o(ext.{name}) RETURNS cstring AS 'textout' LANGUAGE internal STRICT",
        f"CREATE TYPE ext.{name} (INPUT = ext.i, OUTPUT = ext.o, LIKE = text)",
        f"CREATE TABLE t (c ext.{name}, cs ext.{name}[])",
    )
    assert [str(column.type) for column in read.columns] == [f"ext.{name}", f"ext.{name}[]"]
    assert [encoding_of(column.type, Modes()) for column in read.columns] == [
        *(expected, Array(expected))
    ]


def test_a_table_made_from_a_query_has_arrays_of_one_dimension(run: Run) -> None:
    """Postgres notes no dimensions there, whatever the query gave."""
    read = run("CREATE TABLE t AS SELECT ARRAY[[1]] AS i")
    assert types(read)["i"].dimensions == 1


def test_domains_without_end_are_refused_with_words(run: Run) -> None:
    chain = [f"CREATE DOMAIN d{at + 1} AS d{at}" for at in range(40)]
    with pytest.raises(MalformedTableSchema, match="deeper than 32"):
        run("CREATE DOMAIN d0 AS int", *chain, "CREATE TABLE t (d d40)")


def test_columns_say_whether_they_may_be_null_and_are_computed(run: Run) -> None:
    read = run(
        "CREATE TABLE t (id int GENERATED ALWAYS AS IDENTITY, a int, b int NOT NULL,"
        " s int GENERATED ALWAYS AS (a + 1) STORED, v int GENERATED ALWAYS AS (a + 2) VIRTUAL)",
        "ALTER TABLE t DROP COLUMN a CASCADE",
        "ALTER TABLE t ADD a int, ADD g int GENERATED ALWAYS AS (b + 2) VIRTUAL,"
        " ADD h int GENERATED ALWAYS AS (b + 1) STORED",
    )
    found = [(c.name, c.number, c.nullable, c.generated) for c in read.columns]
    assert found == [
        ("id", 1, False, Generated.NEVER),
        ("b", 3, False, Generated.NEVER),
        ("a", 6, True, Generated.NEVER),
        ("g", 7, True, Generated.VIRTUAL),
        ("h", 8, True, Generated.STORED),
    ]


def test_the_key_is_the_primary_key_unless_the_identity_is_another_index(run: Run) -> None:
    read = run(
        "CREATE TABLE t (a int, b int NOT NULL, c int NOT NULL, d int, PRIMARY KEY (c, b)"
        " INCLUDE (d))",
        "CREATE UNIQUE INDEX other ON t (b) INCLUDE (a)",
    )
    assert (read.key, read.identity) == (("c", "b"), ReplicaIdentity.DEFAULT)
    full = run("ALTER TABLE t REPLICA IDENTITY FULL")
    assert (full.key, full.identity) == (("c", "b"), ReplicaIdentity.FULL)
    index = run("ALTER TABLE t REPLICA IDENTITY USING INDEX other")
    assert (index.key, index.identity) == (("b",), ReplicaIdentity.INDEX)
    lost = run("DROP INDEX other")
    assert (lost.key, lost.identity) == (("c", "b"), ReplicaIdentity.INDEX)
    nothing = run("ALTER TABLE t DROP CONSTRAINT t_pkey", "ALTER TABLE t REPLICA IDENTITY NOTHING")
    assert (nothing.key, nothing.identity) == ((), ReplicaIdentity.NOTHING)


def test_tables_come_in_the_order_asked_for_and_what_is_no_table_does_not(
    admin: psycopg.Connection,
) -> None:
    admin.execute('CREATE SCHEMA "Grüße.""x"')
    admin.execute('CREATE TABLE "Grüße.""x"."表.1" ("Ein ""Wort"".2" int PRIMARY KEY, "ü" text)')
    admin.execute("CREATE TABLE root (id int PRIMARY KEY) PARTITION BY RANGE (id)")
    admin.execute("CREATE TABLE empty ()")
    admin.execute("CREATE VIEW seen AS SELECT 1 AS one")
    odd = TableName('Grüße."x', "表.1")
    asked = [
        *(TableName("public", name) for name in ("root", "seen", "nowhere", "empty")),
        odd,
        TableName("public", "empty" + "x" * 80),
    ]
    read = read_table_schemas(admin, asked)
    assert list(read) == [asked[0], asked[3], odd]
    assert read[asked[0]].key == ("id",)
    assert read[asked[3]].columns == ()
    assert [column.name for column in read[odd].columns] == ['Ein "Wort".2', "ü"]
    assert read[odd].key == ('Ein "Wort".2',)
    assert read_table_schemas(admin, []) == {}


def test_a_role_without_privileges_reads_the_same_while_the_table_is_locked(either: Lab) -> None:
    either.run(
        "CREATE SCHEMA closed",
        "CREATE TYPE closed.mood AS ENUM ('sad')",
        "CREATE TABLE closed.t (id int PRIMARY KEY, m closed.mood)",
    )
    name = TableName("closed", "t")
    expected = read_table_schemas(either.admin, [name])
    assert expected[name].key == ("id",)
    with either.admin.transaction():
        either.run("LOCK closed.t IN ACCESS EXCLUSIVE MODE")
        with connect(either.source) as connection:
            assert read_table_schemas(connection, [name]) == expected
