"""The command ``penstock``: data on stdout, talk on stderr, exit codes by area.

main      the commands, and what becomes of an error
output    how things are shown: errors, tables, JSON
options   options that several commands share
check     penstock check: everything that a connector needs
init      penstock init: a connector file from a live database
template  the text of that file
registry  penstock registry: the schema registry, for people
dev       penstock dev: the embedded servers
schema    penstock schema: the connector file's JSON Schema
explain   penstock explain: the page of an error code
"""
