"""Real servers that start on a bare machine, and leave nothing behind.

One server, from the files to the process:

bundles     which files make it up, with a checksum for each (pins/)
downloads   bringing them into the user's cache: once, whole, as pinned
ivy         the tool that fetches them
progress    the bar that shows it
once        folders that appear whole, or not at all
places      where caches, data and scratch folders live
java        the Java on this machine that fits
accounts    which user a server runs as, because Postgres refuses root
ports       free ports on loopback
server      what all servers have in common: a folder, a port, a life
kept        processes that end when we do
keeper      the process that ends a server when its parent is gone
postgres    PostgreSQL 18 and 16
jvm         how the servers on Java start and log
kafka       a broker that is its own controller
opensearch  one node

Several servers, and what a person does with them:

catalogue   the servers by name
group       several at once
dev         ``penstock dev``: servers that stay up between commands
supervisor  the process that holds those
errors      PEN-901 to PEN-914
pin         for maintainers: write the checksums down
"""
