"""What a connector is: the sections of the file."""

import re
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Discriminator,
    Field,
    PlainSerializer,
    PlainValidator,
    Tag,
    WithJsonSchema,
    model_validator,
)

from penstock.config import values
from penstock.config.endpoint import Endpoint
from penstock.config.errors import nearest
from penstock.config.fields import (
    NUMBER,
    Dsn,
    Matching,
    Name,
    SecretText,
    Section,
    Text,
    text,
)
from penstock.config.kafka import Kafka
from penstock.config.stores import Store
from penstock.config.values import EveryTable
from schema_registry.table_name import TableName

Table = Annotated[
    TableName | EveryTable,
    PlainValidator(lambda value: values.table(text(value))),
    PlainSerializer(str, return_type=str),
    WithJsonSchema({"type": "string", "pattern": r"^[^\s*].*\..+"}),
]


class Snapshot(Section):
    """The rows that were there before the log was followed."""

    mode: Literal["initial", "never"] = Field(
        default="initial",
        description="initial copies the rows that are there at the start, never begins with the "
        "changes from then on.",
    )
    workers: Annotated[int, Field(ge=1, le=32), NUMBER] = Field(
        default=2,
        description="How many connections read at once.",
        examples=[4],
    )


def _distinct(tables: tuple[TableName | EveryTable, ...]) -> tuple[TableName | EveryTable, ...]:
    first: dict[TableName | EveryTable, int] = {}
    for number, table in enumerate(tables, start=1):
        if (before := first.setdefault(table, number)) != number:
            raise ValueError(f"entry {number} repeats entry {before}")
    return tables


def _wal_budget(value: object) -> int:
    # A number without a unit is told about units, not about quotes.
    size = values.size(value if isinstance(value, str) else "")
    if not values.SMALLEST_WAL_BUDGET <= size < 2**63:
        raise ValueError("must be at least 64MB and below 8388608TB")
    return size


class Source(Section):
    """The Postgres database whose log is followed."""

    dsn: Dsn = Field(
        description="How to reach the database, as libpq takes it: a URI or keywords. A secret, "
        "so give a reference.",
        examples=["${SHOP_DSN}"],
    )
    tables: Annotated[
        tuple[Table, ...], Field(min_length=1, strict=False), AfterValidator(_distinct)
    ] = Field(
        description="The tables to follow: schema.table, or schema.* for all of a schema.",
        examples=[["public.customers", "public.orders"], ["public.*"]],
    )
    slot: Annotated[
        str, Matching(values.SLOT, "must hold 1 to 63 small letters, digits and _ only")
    ] = Field(
        description="The replication slot; by default, penstock_ and the connector's name.",
        examples=["penstock_shop"],
    )
    publication: Annotated[Text, AfterValidator(values.postgres_name)] = Field(
        description="The publication; by default, penstock_ and the connector's name.",
        examples=["penstock_shop"],
    )
    wal_budget: Annotated[
        int,
        PlainValidator(_wal_budget),
        WithJsonSchema({"type": "string", "pattern": values.SIZE}),
    ] = Field(
        default=10 * 1024**3,
        description="How much log the slot may hold back at the source before Penstock raises the "
        "alarm: at least 64MB.",
        examples=["512MB"],
        json_schema_extra={"default": "10GB"},
    )
    snapshot: Snapshot = Field(
        default=Snapshot(), description="How the rows are copied that were there before."
    )


class RemoteRegistry(Endpoint):
    """A schema registry that runs elsewhere and speaks Confluent's REST API."""

    token: SecretText | None = Field(
        default=None,
        description="A bearer token, in place of username and password: a secret, so give a "
        "reference.",
        examples=["${REGISTRY_TOKEN}"],
    )

    @model_validator(mode="after")
    def _one_way_in(self) -> Self:
        if self.token is not None and self.username is not None:
            raise ValueError("takes token, or username and password, and not both")
        return self


def _registry(value: Any) -> Any:
    if not isinstance(value, str) or value == "embedded":
        return value
    if "://" not in value:
        meant = "; did you mean embedded?" if nearest(value, ["embedded"]) else ""
        raise ValueError(f"must be embedded or an address such as https://host:8081{meant}")
    return {"url": value}


def _registry_kind(value: Any) -> str | None:
    if value == "embedded":
        return "embedded"
    return "remote" if isinstance(value, dict | RemoteRegistry) else None


Registry = Annotated[
    Annotated[Literal["embedded"], Tag("embedded")] | Annotated[RemoteRegistry, Tag("remote")],
    Discriminator(_registry_kind),
    BeforeValidator(_registry),
]


class Connector(Section):
    """One connector: a source, the topics that its changes go to, the stores that follow them."""

    name: Name = Field(
        description="What the connector is called; its slot and topics are named after it.",
        examples=["shop"],
    )
    source: Source = Field(description="The Postgres database whose log is followed.")
    kafka: Kafka = Field(description="The brokers, and how events are written to them.")
    registry: Registry = Field(
        default="embedded",
        description="Where schemas are kept: embedded (by Penstock, in Kafka), or the address of "
        "a registry that speaks Confluent's REST API, alone or with credentials.",
        examples=["embedded", "https://registry.example.com"],
    )
    stores: dict[Name, Store] = Field(
        default_factory=dict,
        description="What follows the topics, by a name of your own. Without any, the changes go "
        "to Kafka only.",
    )

    @model_validator(mode="before")
    @classmethod
    def _name_what_has_no_name(cls, data: Any) -> Any:
        """The slot, the publication and the topics are named after the connector by default."""
        if not isinstance(data, dict):
            return data
        name = data.get("name")
        # A wrong name is reported once, and not for all that is made from it.
        name = name if isinstance(name, str) and re.fullmatch(values.NAME, name) else "unnamed"
        made = "penstock_" + name.lower().replace("-", "_")
        defaults = {
            "source": {"slot": made, "publication": made},
            "kafka": {"topic_prefix": name},
        }
        filled = {
            key: {**names, **data[key]}
            for key, names in defaults.items()
            if isinstance(data.get(key), dict)
        }
        return {**data, **filled}
