"""penstock registry: serve one, and look into any.

commands  list, show, diff and check
serve     the registry's REST API, until it is told to stop
place     where the registry is that a command asks
topic     opening the topic that keeps the schemas, and saying why it cannot be
schemas   the schemas that a command is about: versions and files
answers   what it answers, for people and for scripts
view      a schema as a person reads it
"""
