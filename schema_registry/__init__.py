"""What a row looks like, by version:

table_name  which table, as Postgres names it
http        asking a server that may not be what it should be, for registries and stores
preflight   can this registry keep our schemas
"""
