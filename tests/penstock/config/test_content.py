"""What a connector may say, and how it is read."""

from pathlib import Path

import pytest

from penstock.config.kafka import KafkaSecurity
from penstock.config.load import load
from penstock.config.model import RemoteRegistry
from penstock.config.stores import IcebergStore, OpenSearchStore, SqlStore
from penstock.config.values import EveryTable
from schema_registry.table_name import TableName
from tests.penstock.config.files import ENVIRON, EXAMPLE, SMALL, load_text


def test_the_example_loads(tmp_path: Path) -> None:
    shop = load_text(tmp_path, EXAMPLE)
    assert shop.name == "shop"
    assert shop.source.dsn.reveal() == "postgresql://shop@db.example.com/shop"
    assert shop.source.tables == (TableName("public", "customers"), TableName("public", "orders"))
    assert shop.source.snapshot.workers == 2
    assert shop.kafka.brokers == ("127.0.0.1:9092",)
    assert shop.kafka.format == "avro"
    assert shop.registry == "embedded"
    assert shop.stores["lake"] == IcebergStore(
        kind="iceberg", warehouse=str(tmp_path / "warehouse"), mode="mirror"
    )
    assert shop.stores["search"] == OpenSearchStore(kind="opensearch", url="http://127.0.0.1:9200")
    copy = shop.stores["copy"]
    assert isinstance(copy, SqlStore)
    assert copy.url.reveal() == "postgresql+psycopg://copy@warehouse.example.com/copy"


def test_what_is_left_out_has_its_default(tmp_path: Path) -> None:
    shop = load_text(tmp_path, SMALL.replace("name: shop", "name: Shop-EU_1"))
    assert shop.source.slot == "penstock_shop_eu_1"
    assert shop.source.publication == "penstock_shop_eu_1"
    assert shop.source.wal_budget == 10 * 1024**3
    assert (shop.source.snapshot.mode, shop.source.snapshot.workers) == ("initial", 2)
    assert (shop.kafka.format, shop.kafka.delivery) == ("avro", "exactly_once")
    assert (shop.kafka.topic_prefix, shop.kafka.partitions) == ("Shop-EU_1", 1)
    assert (shop.kafka.replication, shop.kafka.security) == (None, None)
    assert (shop.registry, shop.stores) == ("embedded", {})


def test_a_name_as_long_as_allowed_still_makes_a_legal_slot(tmp_path: Path) -> None:
    shop = load_text(tmp_path, SMALL.replace("shop\n", "s" * 48 + "\n", 1))
    assert shop.source.slot == "penstock_" + "s" * 48


def source(folder: Path, line: str) -> object:
    key = line.partition(":")[0]
    return getattr(load_text(folder, SMALL.replace("kafka:\n", f"  {line}\nkafka:\n")).source, key)


def test_sizes_are_counted_as_postgres_counts_them(tmp_path: Path) -> None:
    assert source(tmp_path, "wal_budget: 64MB") == 64 * 1024**2
    assert source(tmp_path, "wal_budget: 65536 kB") == 64 * 1024**2
    assert source(tmp_path, "wal_budget: 2TB") == 2 * 1024**4


def test_tables_keep_their_exact_names(tmp_path: Path) -> None:
    text = SMALL.replace(
        "[public.orders]",
        """
  - public.Orders
  - sales.*
  - public."a.b"
  - public."*"
  - '"we""ird"."; DROP TABLE x"'
  - public.ÄÖ ü""",
    )
    assert load_text(tmp_path, text).source.tables == (
        TableName("public", "Orders"),
        EveryTable("sales"),
        TableName("public", "a.b"),
        TableName("public", "*"),
        TableName('we"ird', "; DROP TABLE x"),
        TableName("public", "ÄÖ ü"),
    )


def test_a_pattern_prints_as_it_is_written() -> None:
    assert str(EveryTable("public")) == "public.*"
    assert str(EveryTable("a.b")) == '"a.b".*'


def test_brokers_come_as_text_or_as_a_list(tmp_path: Path) -> None:
    for written in ("'a:1, [::1]:9092,b_c.d-e:65535'", "[a:1, '[::1]:9092', b_c.d-e:65535]"):
        text = SMALL.replace("kafka:9092", written)
        assert load_text(tmp_path, text).kafka.brokers == ("a:1", "[::1]:9092", "b_c.d-e:65535")


def registry(folder: Path, written: str) -> RemoteRegistry:
    loaded = load_text(folder, f"{SMALL}registry: {written}\n").registry
    assert isinstance(loaded, RemoteRegistry)
    return loaded


def test_credentials_leave_the_address_of_a_registry(tmp_path: Path) -> None:
    one = registry(tmp_path, "'https://me:p%40ss@[::1]:8081/api/'")
    two = registry(tmp_path, "{url: 'https://[::1]:8081/api', username: me, password: p@ss}")
    assert one == two
    assert one.url == "https://[::1]:8081/api"
    assert one.password is not None
    assert one.password.reveal() == "p@ss"


def test_paths_start_from_the_folder_of_the_file_and_addresses_stay(tmp_path: Path) -> None:
    assert registry(tmp_path, "{url: 'https://r', ca: tls/../ca.pem}").ca == tmp_path / "ca.pem"
    assert registry(tmp_path, "{url: 'https://r', ca: /etc/ca.pem}").ca == Path("/etc/ca.pem")
    for uri in ("s3://bucket/x", "abfss://box@account.dfs.core.windows.net/x", "file:///x"):
        store = load_text(
            tmp_path, f"{SMALL}stores: {{a: {{kind: iceberg, warehouse: '{uri}'}}}}\n"
        )
        assert store.stores["a"] == IcebergStore(kind="iceberg", warehouse=uri)


def test_paths_do_not_depend_on_where_penstock_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_text(tmp_path, EXAMPLE)
    monkeypatch.chdir(tmp_path.parent)
    lake = load(Path(tmp_path.name) / "shop.yaml", ENVIRON).stores["lake"]
    assert lake == IcebergStore(kind="iceberg", warehouse=str(tmp_path / "warehouse"))


def security(folder: Path, written: str) -> KafkaSecurity:
    loaded = load_text(folder, f"{SMALL}  security: {{{written}}}\n").kafka.security
    assert loaded is not None
    return loaded


def test_brokers_may_ask_for_certificates_and_passwords(tmp_path: Path) -> None:
    both = security(
        tmp_path,
        "protocol: sasl_ssl, mechanism: SCRAM-SHA-512, username: u, password: p, ca: ca.pem, "
        "certificate: c.pem, key: c.key, key_password: k",
    )
    assert both.mechanism == "SCRAM-SHA-512"
    assert both.key == tmp_path / "c.key"
    assert security(tmp_path, "protocol: ssl").ca is None
