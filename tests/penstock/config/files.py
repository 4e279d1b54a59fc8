"""Connector files for the tests: the example of the README, and ways to change it."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from penstock.config.errors import ConfigError
from penstock.config.load import LoadedConnector, load_with_origin
from penstock.config.model import Connector

EXAMPLE = """\
name: shop
source:
  dsn: ${SHOP_DSN}
  tables: [public.customers, public.orders]
  snapshot: {workers: 2}
kafka: {brokers: "127.0.0.1:9092", format: avro}
registry: embedded
stores:
  lake:   {kind: iceberg, warehouse: ./warehouse, mode: mirror}
  search: {kind: opensearch, url: "http://127.0.0.1:9200"}
  copy:   {kind: sql, url: "${COPY_URL}"}
"""

SMALL = """\
name: shop
source:
  dsn: host=db.example.com dbname=shop
  tables: [public.orders]
kafka:
  brokers: kafka:9092
"""

ENVIRON: Mapping[str, str] = {
    "SHOP_DSN": "postgresql://shop@db.example.com/shop",
    "COPY_URL": "postgresql+psycopg://copy@warehouse.example.com/copy",
}


def open_text(
    folder: Path, text: str | bytes, environ: Mapping[str, str] = ENVIRON
) -> LoadedConnector:
    """Load a text as the file shop.yaml."""
    path = folder / "shop.yaml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return load_with_origin(path, environ)


def load_text(folder: Path, text: str, environ: Mapping[str, str] = ENVIRON) -> Connector:
    """Load a text as the file shop.yaml, and give the connector."""
    return open_text(folder, text, environ).connector


def refusal(
    folder: Path, text: str | bytes, environ: Mapping[str, str] = ENVIRON
) -> tuple[str, list[str]]:
    """Load a text that must be refused; give the code and the lines without the folder."""
    with pytest.raises(ConfigError) as caught:
        open_text(folder, text, environ)
    message = caught.value.message.replace(f"{folder}/", "")
    assert str(caught.value) == f"{caught.value.code}: {caught.value.message}"
    assert caught.value.fix
    return caught.value.code, message.split("\n")
