"""What the catalogs of the source say, as values. Nothing here talks to a server."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from schema_registry.table_name import TableName
from schema_registry.table_schema import ReplicaIdentity as ReplicaIdentity

TABLE: Final = "r"
PARTITIONED: Final = "p"

# pg_class.relkind, in words. A kind that is not listed is newer than this table.
KINDS: Final[Mapping[str, str]] = {
    TABLE: "a table",
    PARTITIONED: "a partitioned table",
    "v": "a view",
    "m": "a materialized view",
    "f": "a foreign table",
    "S": "a sequence",
    "c": "a composite type",
    "i": "an index",
    "I": "a partitioned index",
    "t": "a TOAST table",
}


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting of the server in the unit that pg_settings counts it in."""

    name: str
    value: str
    unit: str | None
    origin: str  # "default", "configuration file", "command line", …
    awaits_restart: bool


@dataclass(frozen=True, slots=True)
class Server:
    """The server and the database we are connected to."""

    version: int  # as server_version_num: 180004
    version_text: str
    in_recovery: bool
    database: str
    senders_in_use: int
    settings: Mapping[str, Setting]

    @property
    def major(self) -> int:
        """The major version: 18."""
        return self.version // 10_000

    def number(self, name: str) -> int:
        """Give a numeric setting in its unit."""
        return int(self.settings[name].value)


@dataclass(frozen=True, slots=True)
class Role:
    """The role that logged in, and what it may do beyond single objects."""

    name: str
    superuser: bool
    replication: bool
    # Some providers keep the attribute for themselves and lend it by a role.
    lender: str | None
    borrows: bool
    may_create_publications: bool


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a relation, in the order of the table."""

    name: str
    generated: str  # "" for none, "s" for stored, "v" for virtual
    not_null: bool
    toastable: bool
    readable: bool


@dataclass(frozen=True, slots=True)
class Index:
    """A unique index."""

    name: str
    columns: tuple[str, ...]
    primary: bool
    immediate: bool
    valid: bool
    partial: bool
    on_expressions: bool
    is_identity: bool


@dataclass(frozen=True, slots=True)
class Relation:
    """Whatever has the name that was asked for; a leaf partition has no leaves."""

    oid: int
    name: TableName
    kind: str
    persistence: str  # "p" permanent, "u" unlogged, "t" temporary
    identity: ReplicaIdentity
    has_toast: bool
    has_children: bool  # by inheritance or as partitions
    owned: bool
    schema_usable: bool
    readable: bool
    row_security: bool
    rows: float  # what the planner believes; below zero if it was never counted
    narrowed: bool  # some publication, ours or another's, has a column list for it
    ancestors: tuple[TableName, ...]  # the parent first, the root last
    columns: tuple[Column, ...]
    indexes: tuple[Index, ...]
    leaves: tuple["Relation", ...] = ()

    @property
    def partitioned(self) -> bool:
        """Whether the rows lie in partitions."""
        return self.kind == PARTITIONED

    @property
    def logged(self) -> tuple["Relation", ...]:
        """The relations whose identities decide what the log says of this one.

        Postgres logs the old row by the leaf's identity and describes it by the
        root's, so that both count.
        """
        return (self, *self.leaves)

    @property
    def primary_key(self) -> Index | None:
        """The primary key's index, deferrable or not."""
        return next((index for index in self.indexes if index.primary), None)

    def generated(self, kinds: str = "sv") -> tuple[str, ...]:
        """The names of the generated columns of these kinds."""
        return tuple(c.name for c in self.columns if c.generated and c.generated in kinds)


@dataclass(frozen=True, slots=True)
class Member:
    """A table that a publication names, with its column list and row filter."""

    columns: tuple[str, ...] | None
    row_filter: str | None
    filter_columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Publication:
    """A publication and all that it publishes."""

    name: str
    all_tables: bool
    operations: frozenset[str]
    via_root: bool
    stored_generated: bool
    members: Mapping[TableName, Member]
    schemas: frozenset[str]
    published: frozenset[TableName]  # under these names changes arrive

    def names(self, relation: Relation) -> bool:
        """Whether the relation or something above it is in the publication."""
        return self.all_tables or any(
            name in self.members or name.schema in self.schemas
            for name in (relation.name, *relation.ancestors)
        )

    def member(self, relation: Relation) -> Member | None:
        """The entry whose column list and row filter hold for a relation, if it has one."""
        line = (relation.name, *relation.ancestors)
        upwards = reversed(line) if self.via_root else iter(line)
        return next((self.members[name] for name in upwards if name in self.members), None)


@dataclass(frozen=True, slots=True)
class Slot:
    """A replication slot of the server, ours or another's."""

    name: str
    logical: bool
    plugin: str | None
    database: str | None
    temporary: bool
    active: bool
    pid: int | None
    application_name: str | None
    same_role: bool
    wal_status: str | None
    invalidation: str | None
    retained: int | None  # bytes of log that it holds back
