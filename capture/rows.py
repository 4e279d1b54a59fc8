"""Rows of a query as dictionaries, for the modules that read catalogs."""

from collections.abc import Sequence
from typing import Any, LiteralString

import psycopg
from psycopg.rows import dict_row


def rows_of(
    connection: psycopg.Connection, query: LiteralString, parameters: Sequence[object] = ()
) -> list[dict[str, Any]]:
    """Run a query and give its rows by the names of their columns."""
    with connection.cursor(row_factory=dict_row) as cursor:
        return cursor.execute(query, parameters).fetchall()
