"""From the Postgres log to published changes; so far, the look at the source:

source         where the source is, and a plain connection that nothing can colour
source_errors  why no connection came about, and what to do then
facts          what the catalogs say, as values
catalog        the queries about server, role, publication and slots
relations      the queries about tables, their partitions, columns and keys
table_schemas  the schemas of tables, from the catalog as it is now
rows           a query's rows by name
statements     SQL for people to run, with every name quoted
identity       what a replica identity comes to, and how to give a better one
publication    the statements about the publication
tables         which tables a connector means
preflight      is the source fit for capture, and what mends it
codes          every code of trouble with the source, by its title
"""
