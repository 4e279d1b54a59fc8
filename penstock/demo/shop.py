"""A small shop, set up as many databases are: not for capture."""

import secrets
from typing import Final

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

# Each mistake here is one that `penstock check` finds and says how to mend.
_SCHEMA: Final = """
    CREATE TABLE customers (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name text NOT NULL, email text NOT NULL, notes text);
    CREATE TABLE products (
        sku text PRIMARY KEY, title text NOT NULL, price numeric(10, 2) NOT NULL);
    CREATE TABLE orders (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        customer bigint NOT NULL REFERENCES customers, placed_at timestamptz NOT NULL,
        total numeric(12, 2) NOT NULL);
    CREATE TABLE order_lines (order_id bigint NOT NULL, sku text NOT NULL, quantity int NOT NULL);
    CREATE TABLE payments (
        id bigint PRIMARY KEY, order_id bigint NOT NULL, amount numeric(12, 2) NOT NULL,
        branch text NOT NULL);
    ALTER TABLE payments ENABLE ROW LEVEL SECURITY;
    CREATE POLICY own_branch ON payments USING (branch = current_user);

    INSERT INTO customers (name, email)
        SELECT 'Customer ' || n, n || '@example.com' FROM generate_series(1, 2000) AS n;
    INSERT INTO products
        SELECT 'sku-' || n, 'Product ' || n, n / 7.0 FROM generate_series(1, 200) AS n;
    INSERT INTO orders (customer, placed_at, total)
        SELECT 1 + n % 2000, now() - n * interval '1 minute', n % 90
        FROM generate_series(1, 10000) AS n;
    INSERT INTO order_lines
        SELECT 1 + n % 10000, 'sku-' || 1 + n % 200, 1 + n % 3 FROM generate_series(1, 25000) AS n;
    INSERT INTO payments
        SELECT n, n, n % 90, 'branch-' || n % 5 FROM generate_series(1, 9000) AS n;
    ANALYZE;
"""


def build(superuser_dsn: str) -> str:
    """Make the shop and a role that may do too little; give that role's DSN."""
    password = secrets.token_urlsafe(12)
    with psycopg.connect(superuser_dsn, autocommit=True) as connection:
        connection.execute("CREATE DATABASE shop")
        connection.execute(
            sql.SQL("CREATE ROLE penstock LOGIN PASSWORD {}").format(sql.Literal(password))
        )
    with psycopg.connect(make_conninfo(superuser_dsn, dbname="shop")) as connection:
        connection.execute(_SCHEMA)
        connection.execute("GRANT SELECT ON customers, products, orders TO penstock")
    return make_conninfo(superuser_dsn, dbname="shop", user="penstock", password=password)


def run_as_dba(superuser_dsn: str, statements: str) -> None:
    """Run what `penstock check --sql` printed, as its reader would."""
    with psycopg.connect(make_conninfo(superuser_dsn, dbname="shop"), autocommit=True) as dba:
        dba.execute(statements.encode())
