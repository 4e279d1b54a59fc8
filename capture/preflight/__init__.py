"""Is the source fit for capture, and what mends it:

inspection   the sequence: connect, read the facts, run the checks
observed     all facts that the checks look at
report       how a finding is put into words
server       version, role of the server, wal_level, slots and senders left
role         may our role replicate and read
tables       do the tables exist, and are they tables
identity     can Postgres log which row was changed
columns      values that the log leaves out: TOAST, generated columns
publication  is all published that is asked for
fit          do publication and replica identities go together
slot         is our slot there, ours and alive
wal          how much log may be held back, and how much is

Every check is a function from facts to findings. The codes stand in
``capture.codes``.
"""
