"""A table, ``public.t``, that is made and altered, and read as it is then."""

from collections.abc import Callable

import psycopg

from capture.table_schemas import read_table_schemas
from schema_registry.table_name import TableName
from schema_registry.table_schema import TableSchema

T = TableName("public", "t")

Run = Callable[..., TableSchema]


def one_table(admin: psycopg.Connection) -> Run:
    def run(*statements: str) -> TableSchema:
        for statement in statements:
            admin.execute(statement.encode())
        return read_table_schemas(admin, [T])[T]

    return run
