"""Which topic holds the events of a table.

The names are Debezium's, so that its consumers find ours. Its mapping loses
information: two tables may end on one topic, so whoever sets tables up asks
``clashes`` first.
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from schema_registry.table_name import TableName

# Kafka makes a folder of each name and a partition number, and file systems
# stop at 255.
LONGEST_TOPIC: Final = 249

_ILLEGAL: Final = re.compile(r"[^A-Za-z0-9._-]")


@dataclass(frozen=True, slots=True)
class Clash:
    """Several tables whose events would mingle in one topic."""

    topic: str
    tables: tuple[TableName, ...]


def topic_for(prefix: str, table: TableName) -> str:
    """Name the topic of a table: ``<prefix>.<schema>.<table>``, made legal and cut."""
    return legal(f"{prefix}.{table.schema}.{table.table}")


def legal(name: str) -> str:
    """Put an underscore for each character that Kafka refuses, and cut what is too long."""
    return _ILLEGAL.sub(_underscores, name)[:LONGEST_TOPIC]


def clashes(prefix: str, tables: Iterable[TableName]) -> list[Clash]:
    """Find the tables that would share a topic, in the order of the topics' names."""
    by_topic: defaultdict[str, set[TableName]] = defaultdict(set)
    for table in tables:
        by_topic[topic_for(prefix, table)].add(table)
    return [
        Clash(topic, tuple(sorted(sharing)))
        for topic, sharing in sorted(by_topic.items())
        if len(sharing) > 1
    ]


def _underscores(match: re.Match[str]) -> str:
    # Debezium runs on Java, which counts a character beyond U+FFFF as two.
    return "__" if ord(match[0]) > 0xFFFF else "_"
