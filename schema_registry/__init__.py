"""What a row looks like, by version:

table_name         which table, as Postgres names it
column_type        a column's type, compared by meaning
table_schema       a table's columns, key and replica identity
table_schema_json  the same as JSON, checked on the way back
malformed          what is wrong with a table schema that was read back
changes            what changed between two versions of a table
widths             which types hold each other's values
avro               schemas in Avro: made from tables, read from outside, compared
registry           the registry itself: its log in Kafka, and what can be asked of it
rest               Confluent's REST API over it
client             our side of any registry: in process or by URL, ids remembered
http               asking a server that may not be what it should be, for registries and stores
preflight          can this registry keep our schemas
"""
