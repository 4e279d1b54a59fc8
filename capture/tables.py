"""Which tables a connector means: names, patterns, partitions."""

import psycopg

from capture.preflight.tables import Resolution, missing, read_wish, resolve
from capture.relations import read_known_names, read_relations
from capture.source import Source
from capture.source_errors import SourceError
from diagnosis.findings import Finding, Severity
from schema_registry.table_name import TableName


class TablesUnfit(SourceError):
    """Some of the tables cannot be captured; the others alone would be a partial copy."""

    code = "PEN-248"

    def __init__(self, findings: list[Finding]) -> None:
        super().__init__(
            "; ".join(f"{finding.subject} {finding.fact}" for finding in findings),
            fix="`penstock check` names what mends each of them",
        )
        self.findings = tuple(findings)


def resolve_tables(connection: psycopg.Connection, source: Source) -> list[TableName]:
    """Expand the patterns and leave out the partitions of a listed root.

    Raises ``TablesUnfit`` if any table is missing or cannot be captured.
    """
    resolved = resolution(connection, source)
    unfit = [finding for finding in resolved.findings if finding.severity >= Severity.ERROR]
    if unfit:
        raise TablesUnfit(unfit)
    return [relation.name for relation in resolved.tables]


def resolution(connection: psycopg.Connection, source: Source) -> Resolution:
    """Read the tables of a connector, with everything that is wrong with them."""
    wish, malformed = read_wish(source.tables)
    relations = read_relations(connection, wish.names, wish.patterns)
    known = read_known_names(connection) if missing(wish, relations) else []
    resolved = resolve(wish, relations, known)
    return Resolution(resolved.tables, (*malformed, *resolved.findings))
