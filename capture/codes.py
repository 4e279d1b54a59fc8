"""Every code of trouble with the source, and what it stands for in one line.

A code has a page under docs/runbooks. The checks name their codes themselves;
a test compares them with this table in both directions.
"""

from collections.abc import Mapping
from typing import Final

TITLES: Final[Mapping[str, str]] = {
    # The connection
    "PEN-200": "nobody answers at the address of the source",
    "PEN-201": "the host name of the source is not known",
    "PEN-202": "the source does not accept the user or the password",
    "PEN-203": "the replication slot has lost log that it still needed",
    "PEN-204": "the database does not exist, or takes no connections",
    "PEN-205": "the role lacks CONNECT on the database",
    "PEN-206": "the source has no connection left",
    "PEN-207": "no TLS connection as the DSN demands it",
    "PEN-208": "the source is starting up or shutting down",
    "PEN-209": "the source failed in a way we do not know",
    "PEN-210": "the DSN cannot be read",
    "PEN-211": "the role may not log in",
    "PEN-212": "pg_hba.conf of the source refuses the connection",
    "PEN-213": "a lock or a time limit kept the source from answering",
    # The server
    "PEN-220": "the server is older than PostgreSQL 15",
    "PEN-221": "the server's version is not one we test",
    "PEN-222": "the server is a standby",
    "PEN-223": "wal_level is not logical",
    "PEN-224": "no replication slot is left",
    "PEN-225": "no WAL sender is left",
    "PEN-226": "the database does not know the encoding of its text",
    # The role
    "PEN-230": "the role may not replicate",
    "PEN-231": "the role is a superuser, and less is enough",
    "PEN-232": "no replication connection comes about",
    "PEN-233": "the role lacks USAGE on a schema",
    "PEN-234": "the role lacks SELECT on a table",
    # The tables
    "PEN-240": "a table does not exist",
    "PEN-241": "there is nothing to capture: no table is named, or a pattern matches none",
    "PEN-242": "a name stands for something that is not a table",
    "PEN-243": "a table belongs to the system",
    "PEN-244": "a table is temporary",
    "PEN-245": "a table is unlogged",
    "PEN-246": "a partition is listed",
    "PEN-247": "an entry of source.tables is no table's name",
    "PEN-248": "some of the tables cannot be captured",
    # The publication
    "PEN-250": "the publication does not exist, and the role cannot create it",
    "PEN-251": "the publication does not exist yet; the first run creates it",
    "PEN-252": "the publication lacks tables",
    "PEN-253": "the publication leaves out operations",
    "PEN-254": "the publication publishes partitions under their own names",
    "PEN-255": "the publication and the replica identity do not fit: updates are refused",
    "PEN-256": "the publication leaves out columns of a table",
    "PEN-257": "the publication leaves out rows of a table",
    "PEN-258": "the publication has more tables than the connector",
    "PEN-259": "generated columns are not published",
    # The replica identities
    "PEN-260": "a table has no replica identity: updates and deletes are refused",
    "PEN-261": "a table's replica identity is NOTHING: updates and deletes are refused",
    "PEN-262": "the index of a replica identity is gone: updates and deletes are refused",
    "PEN-263": "a table's replica identity is FULL",
    "PEN-264": "a table has no key, so that it cannot be mirrored",
    "PEN-265": "a primary key is deferrable: updates and deletes are refused",
    "PEN-266": "large values that did not change may be missing from updates",
    # The slot
    "PEN-270": "the replication slot is of another kind than ours",
    "PEN-271": "the replication slot is in use by somebody else",
    "PEN-272": "the replication slot is about to lose log",
    "PEN-273": "the name of the slot or the publication is not possible",
    # The log that is kept
    "PEN-280": "a slot may keep log without limit",
    "PEN-281": "the server discards a slot's log before our budget is used up",
    "PEN-282": "our slot holds back more than half of the WAL budget",
    "PEN-283": "our slot holds back more than the WAL budget",
    "PEN-284": "the server invalidates slots that are idle",
    "PEN-285": "another slot that nobody reads holds back much log",
    # The first copy
    "PEN-290": "row-level security hides rows from the role",
    "PEN-291": "too few connections are left for the snapshot's workers",
}
