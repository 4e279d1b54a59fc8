"""penstock schema: what may stand in a connector file, for editors."""

from penstock.cli.output import screen
from penstock.config.json_schema import json_schema


def schema() -> None:
    """Print the JSON Schema of the connector file, so that editors complete it.

    Save it beside your files and name it in their first line:
    # yaml-language-server: $schema=penstock.schema.json
    """
    screen.data(json_schema())
