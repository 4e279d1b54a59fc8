"""Avro schemas, from a stranger's text to a verdict:

bounds         JSON from outside, read with bounds
errors         PEN-435: what is wrong with a schema, and where
model          Avro's types as a closed union of values
parse          text to model, by the rules of the specification
attributes     what stands in a schema's objects, read one by one
defaults       does a field's default fit its type
text           model to canonical and normalised text, and the fingerprint
compatibility  can this reader read what that writer wrote
matching       which types and fields of two schemas belong together
differences    what differs between two versions, as people read it
wording        types and values in few words

And a table's own:

names          legal names that do not clash
encoding       how a column's value is written
columns        a column's Avro type, as Debezium's consumers expect it
envelope       the key and the envelope of a table's events
"""
