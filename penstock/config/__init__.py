"""The connector file: from the text of a person to a checked ``Connector``, in order:

load           the sequence: read, parse, substitute, check
document       YAML text to a tree, within bounds
syntax         what is wrong with text that is no YAML
scalars        which plain words of YAML are numbers, and which are text
tree           what a file holds, with the line of every key and value
references     ``${VAR}`` and ``${file:...}``, put in after parsing
secret_places  where secrets stand in the file, and which part of a value is one
model          what a connector is: the sections of the file
kafka          the section of the brokers
stores         the sections of the stores, one per kind
endpoint       what registries and search indexes have in common: an HTTP address
fields         how one field is read
values         what one value must look like: sizes, brokers, addresses, names, paths
explain        from a refusal to a line, a reason and what was probably meant
origin         where in the file a loaded value came from
errors         PEN-101 to PEN-104
json_schema    the same rules for editors
"""
