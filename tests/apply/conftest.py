import uuid
from collections.abc import Iterator

import psycopg
import pytest
from psycopg import sql

from tests.fixtures.servers import Database


@pytest.fixture
def plain_role(database: Database) -> Iterator[str]:
    """A role that may log in and nothing else; its password is its name."""
    role = f"r_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(database.dsn, autocommit=True) as connection:
        connection.execute(
            sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}").format(sql.Identifier(role), role)
        )
        yield role
        connection.execute(sql.SQL("DROP OWNED BY {}").format(sql.Identifier(role)))
        connection.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(role)))
