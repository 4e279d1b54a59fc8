"""What a person touches:

cli       the command ``penstock``: one module per command
config    the connector file: YAML to a checked ``Connector``
wiring    from the connector file to the settings that each package takes
check     one look at everything a connector needs
streams   stdout and stderr, one console each
embedded  real servers that start on a bare machine
siblings  the guard against packages that stand in for ours
demo      the product at work, from nothing to the end
"""

from penstock import siblings as siblings
