"""What a table looks like at one moment: its columns, its key, its replica identity."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from schema_registry.column_type import ColumnType
from schema_registry.malformed import MalformedTableSchema
from schema_registry.table_name import TableName


class ReplicaIdentity(Enum):
    """What Postgres logs of the old row, as pg_class.relreplident has it."""

    DEFAULT = "d"
    INDEX = "i"
    FULL = "f"
    NOTHING = "n"


class Generated(Enum):
    """Whether Postgres computes a column, as pg_attribute.attgenerated has it."""

    NEVER = ""
    STORED = "s"
    VIRTUAL = "v"


@dataclass(frozen=True, slots=True)
class Column:
    """A column. Its number stays with it through every rename and is never used again.

    The number is None where only the log was read: a Relation message has none.
    """

    name: str
    type: ColumnType
    nullable: bool = True
    number: int | None = None
    generated: Generated = Generated.NEVER


@dataclass(frozen=True, slots=True)
class TableSchema:
    """A table's columns in their order, and the names of those that make its key.

    No key is an empty tuple. The oid tells a table from another one that was made
    under the same name later; it is None where it is not known.
    """

    name: TableName
    columns: tuple[Column, ...]
    key: tuple[str, ...] = ()
    identity: ReplicaIdentity = ReplicaIdentity.DEFAULT
    oid: int | None = None

    def __post_init__(self) -> None:
        names = [column.name for column in self.columns]
        numbers = [column.number for column in self.columns if column.number is not None]
        self._refuse_repeats("column", names)
        self._refuse_repeats("column number", numbers)
        self._refuse_repeats("key column", self.key)
        if strangers := set(self.key).difference(names):
            raise MalformedTableSchema(f"{self.name}: key column {min(strangers)!r} is no column")

    def column(self, name: str) -> Column:
        """Give the column of this name; ``KeyError`` if there is none."""
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(name)

    def _refuse_repeats(self, what: str, given: Sequence[object]) -> None:
        thing, times = max(Counter(given).items(), key=lambda item: item[1], default=("", 0))
        if times > 1:
            raise MalformedTableSchema(f"{self.name}: {what} {thing!r} is there twice")
