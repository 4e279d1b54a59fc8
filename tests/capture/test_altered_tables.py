"""Tables are altered for real, and what has changed is told from the catalog."""

from collections.abc import Iterator

import psycopg
import pytest

from capture.table_schemas import read_table_schemas
from schema_registry.avro.compatibility import incompatibilities
from schema_registry.avro.encoding import Modes
from schema_registry.avro.envelope import envelope_schema, key_schema
from schema_registry.avro.parse import parse
from schema_registry.changes import (
    Added,
    Dropped,
    GenerationChanged,
    IdentityChanged,
    KeyChanged,
    MadeNullable,
    MadeRequired,
    Recreated,
    Renamed,
    Retyped,
    TableRenamed,
    changes,
    describe,
)
from schema_registry.table_name import TableName
from schema_registry.table_schema import Generated, ReplicaIdentity
from schema_registry.widths import Meaning
from tests.capture.one_table import Run, T, one_table
from tests.fixtures.servers import Postgres


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


BEFORE = (
    "CREATE TYPE mood AS ENUM ('sad', 'ok')",
    "CREATE TABLE t (id int PRIMARY KEY, total numeric(10,2), note varchar(10), n int NOT NULL,"
    " r real, m mood, at timestamp(3), g int GENERATED ALWAYS AS (1) STORED)",
)


@pytest.mark.parametrize(
    ("statement", "sentences"),
    [
        ("RENAME total TO sum", ["column total is called sum now"]),
        ("ADD x text[] NOT NULL DEFAULT '{}'", ["column x: added as text[] NOT NULL"]),
        ("DROP total", ["column total: dropped; it was numeric(10,2)"]),
        (
            "DROP total, ADD total numeric(10,2)",
            [
                "column total: dropped; it was numeric(10,2)",
                "column total: added as numeric(10,2)",
            ],
        ),
        (
            "ALTER total TYPE numeric(12,2)",
            ["column total: numeric(10,2) became numeric(12,2), which is wider"],
        ),
        (
            "ALTER total TYPE numeric(12,4)",
            [
                "column total: numeric(10,2) became numeric(12,4), which is wider;"
                " a reader of the new type would misread the old values"
            ],
        ),
        (
            "ALTER at TYPE timestamp(6)",
            [
                "column at: timestamp(3) without time zone became timestamp(6) without time zone,"
                " which is wider; a reader of the new type would misread the old values"
            ],
        ),
        (
            "ALTER note TYPE varchar(5)",
            ["column note: character varying(10) became character varying(5), which is narrower"],
        ),
        (
            "ALTER n TYPE text",
            ["column n: integer became text, which is another type"],
        ),
        ("ALTER n DROP NOT NULL", ["column n: may be null now"]),
        ("ALTER note SET NOT NULL", ["column note: may no longer be null"]),
        (
            "ALTER g DROP EXPRESSION",
            ["column g: was a stored generated column and is an ordinary column now"],
        ),
        (
            "DROP CONSTRAINT t_pkey, ADD PRIMARY KEY (n, id)",
            ["the key was id and is n, id now"],
        ),
        ("REPLICA IDENTITY FULL", ["the replica identity was DEFAULT and is FULL now"]),
        ("DROP CONSTRAINT t_pkey", ["the key was id and is none now"]),
        ("RENAME id TO ident", ["column id is called ident now"]),
        ("ALTER id SET STATISTICS 5", []),
    ],
)
def test_a_change_of_the_table_is_said_in_words(
    run: Run, statement: str, sentences: list[str]
) -> None:
    before = run(*BEFORE)
    after = run(f"ALTER TABLE t {statement}")
    assert [describe(change) for change in changes(before, after)] == sentences


def test_a_column_can_be_renamed_and_retyped_at_once(run: Run) -> None:
    before = run(*BEFORE)
    after = run("ALTER TABLE t RENAME n TO number", "ALTER TABLE t ALTER number TYPE bigint")
    renamed, retyped = changes(before, after)
    assert renamed == Renamed("n", "number")
    assert isinstance(retyped, Retyped)
    assert (retyped.column, retyped.meaning, retyped.misread) == ("number", Meaning.WIDENED, False)


def test_two_columns_that_swap_their_names_are_not_retyped(run: Run) -> None:
    before = run(*BEFORE)
    after = run(
        *("ALTER TABLE t RENAME r TO x", "ALTER TABLE t RENAME n TO r"),
        "ALTER TABLE t RENAME x TO n",
    )
    assert changes(before, after) == (Renamed("n", "r"), Renamed("r", "n"))


def test_a_table_that_was_made_again_is_not_taken_for_the_old_one(run: Run) -> None:
    before = run(*BEFORE)
    after = run(
        "DROP TABLE t",
        "CREATE TABLE t (id int PRIMARY KEY, label varchar(10), n int, g int)",
    )
    found = changes(before, after)
    assert found[0] == Recreated(T)
    assert [change.column.name for change in found if isinstance(change, Dropped)] == [
        *("total", "note", "r", "m", "at")
    ]
    assert [change.column.name for change in found if isinstance(change, Added)] == ["label"]
    assert [change for change in found if isinstance(change, Renamed | Retyped)] == []
    assert MadeNullable("n") in found
    assert GenerationChanged("g", Generated.STORED, Generated.NEVER) in found


def test_a_renamed_table_is_the_same_table(run: Run, admin: psycopg.Connection) -> None:
    before = run(*BEFORE)
    admin.execute("CREATE SCHEMA shop")
    admin.execute("ALTER TABLE t SET SCHEMA shop")
    admin.execute("ALTER TABLE shop.t RENAME TO u")
    moved = TableName("shop", "u")
    (after,) = read_table_schemas(admin, [moved]).values()
    assert changes(before, after) == (TableRenamed(T, moved),)


# What happens to tables every day, and has to pass without anybody's hand.
ORDINARY = [
    "ALTER TABLE t ADD x int",
    "ALTER TABLE t ADD x int NOT NULL DEFAULT 5",
    "ALTER TABLE t ADD x point, ADD y point[], ADD z numeric, ADD zz numeric[]",
    "ALTER TABLE t DROP note",
    "ALTER TABLE t DROP n",
    "ALTER TABLE t ALTER n DROP NOT NULL",
    "ALTER TABLE t ALTER note SET NOT NULL",
    "ALTER TABLE t ALTER n TYPE bigint",
    "ALTER TABLE t ALTER id TYPE bigint",
    "ALTER TABLE t ALTER r TYPE double precision",
    "ALTER TABLE t ALTER note TYPE text",
    "ALTER TABLE t ALTER total TYPE numeric(12,2)",
    "ALTER TYPE mood ADD VALUE 'glad'",
    "ALTER TABLE t REPLICA IDENTITY FULL",
]


@pytest.mark.parametrize("statement", ORDINARY)
def test_after_an_ordinary_change_new_readers_read_the_old_events(run: Run, statement: str) -> None:
    before = run(*BEFORE)
    after = run(statement)
    found = changes(before, after)
    assert found != ()
    assert not [change for change in found if isinstance(change, Retyped) and change.misread]
    for text in (envelope_schema, key_schema):
        old, new = (str(text(table, "shop", Modes())) for table in (before, after))
        assert list(incompatibilities(reader=parse(new), writer=parse(old))) == []


@pytest.mark.parametrize(
    "statement",
    [
        "ALTER TABLE t ALTER n TYPE text",
        "ALTER TABLE t ALTER total TYPE numeric",
        "ALTER TABLE t DROP CONSTRAINT t_pkey, ADD PRIMARY KEY (n)",
    ],
)
def test_a_change_that_readers_cannot_follow_is_found(run: Run, statement: str) -> None:
    old, new = (
        parse(envelope_schema(table, "shop", Modes())) for table in (run(*BEFORE), run(statement))
    )
    assert list(incompatibilities(reader=new, writer=old)) != []


def test_changes_come_in_the_order_of_the_columns_and_then_of_the_key(run: Run) -> None:
    before = run(*BEFORE)
    after = run(
        "ALTER TABLE t DROP CONSTRAINT t_pkey",
        "ALTER TABLE t ALTER n DROP NOT NULL, ALTER total SET NOT NULL, REPLICA IDENTITY FULL",
    )
    assert changes(before, after) == (
        MadeRequired("total"),
        MadeNullable("n"),
        KeyChanged(("id",), ()),
        IdentityChanged(ReplicaIdentity.DEFAULT, ReplicaIdentity.FULL),
    )
