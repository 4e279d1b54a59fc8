"""SQL for people to run: complete statements in which every name is quoted."""

from typing import LiteralString

from psycopg import sql

from schema_registry.table_name import TableName


def statement(template: LiteralString, **parts: sql.Composable) -> str:
    """Fill a template; only quoted names and literals can be filled in."""
    return sql.SQL(template).format(**parts).as_string(None)


def named(*parts: str) -> sql.Identifier:
    """Quote a name, with its schema if it has one."""
    for part in parts:
        _refuse_nul(part)
    return sql.Identifier(*parts)


def quoted(value: str) -> sql.Literal:
    """Quote a text value."""
    _refuse_nul(value)
    return sql.Literal(value)


def table(name: TableName) -> sql.Identifier:
    """Quote a table with its schema."""
    return named(name.schema, name.table)


def listed(parts: list[sql.Composable]) -> sql.Composable:
    """Put commas between parts."""
    return sql.SQL(", ").join(parts)


def _refuse_nul(text: str) -> None:
    # psycopg quotes a NUL without complaint, and Postgres ends the text there:
    # the statement would mean something else.
    if "\0" in text:
        raise ValueError("a name with a NUL character cannot stand in a statement")
