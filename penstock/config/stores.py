"""What a store is: one section of the file per kind."""

from typing import Annotated, Literal

from pydantic import Field

from penstock.config import values
from penstock.config.endpoint import Endpoint
from penstock.config.fields import Matching, Section, SqlUrl, Text, Warehouse


class IcebergStore(Section):
    """Tables of a lakehouse, in the Iceberg format."""

    kind: Literal["iceberg"] = Field(description="Tables of a lakehouse, in the Iceberg format.")
    warehouse: Warehouse = Field(
        description="The folder of the tables, from the connector file's folder on, or a URI.",
        examples=["./warehouse", "s3://bucket/warehouse"],
    )
    mode: Literal["mirror", "history", "changelog"] = Field(
        default="mirror",
        description="mirror keeps the current rows, history every version of a row with the time "
        "it was valid, changelog every event.",
    )


class OpenSearchStore(Endpoint):
    """Documents of a search index, in OpenSearch or Elasticsearch."""

    kind: Literal["opensearch"] = Field(
        description="Documents of a search index, in OpenSearch or Elasticsearch."
    )


class SqlStore(Section):
    """Tables of another SQL database."""

    kind: Literal["sql"] = Field(description="Tables of another SQL database.")
    url: SqlUrl = Field(
        description="The address of the database, in the form of SQLAlchemy: a secret, so give a "
        "reference.",
        examples=["${COPY_URL}"],
    )
    # pydantic has a BaseModel.schema of its own, which keeps the name from us.
    schema_name: Annotated[Text, Field(max_length=128)] | None = Field(
        default=None,
        alias="schema",
        description="The schema of the tables there; by default, the one that they have at the "
        "source.",
        examples=["copy"],
    )
    prefix: (
        Annotated[
            str,
            Matching(
                values.TABLE_PREFIX,
                "must be at most 32 letters, digits and _, and not begin with a digit",
            ),
        ]
        | None
    ) = Field(
        default=None,
        description="What the names of the tables begin with there; by default, nothing.",
        examples=["shop_"],
    )


Store = Annotated[IcebergStore | OpenSearchStore | SqlStore, Field(discriminator="kind")]
