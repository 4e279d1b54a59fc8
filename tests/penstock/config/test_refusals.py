"""Refusals: the line, the key, what is wrong with it and what was probably meant."""

from pathlib import Path

import pytest

from tests.penstock.config.files import load_text, refusal

SOURCE = "source:\n  dsn: host=h\n  tables: [a.b]\n"
KAFKA = "kafka: {brokers: 'k:9092'}\n"
FINE = "name: shop\n" + SOURCE + KAFKA  # five lines


def in_source(line: str) -> str:
    return f"name: shop\n{SOURCE}  {line}\n{KAFKA}"


def in_kafka(entry: str) -> str:
    return f"{FINE[:-2]}, {entry}}}\n"


def in_security(entries: str) -> str:
    return in_kafka(f"security: {{{entries}}}")


def in_store(entries: str) -> str:
    return f"{FINE}stores:\n  s: {{{entries}}}\n"


REFUSED = {
    # Keys.
    "a misspelt key": (
        FINE.replace("tables", "tabels"),
        "4: source.tabels",
        "unknown key; did you mean 'tables'?",
    ),
    "a key in capitals": (
        FINE.replace("dsn", "DSN"),
        "3: source.DSN",
        "unknown key; did you mean 'dsn'?",
    ),
    "a key too high": (
        FINE + "tables: [a.b]\n",
        "6: tables",
        "unknown key; it belongs under source",
    ),
    "a key too low": (
        in_source("name: x"),
        "5: source.name",
        "unknown key; it belongs under the top level",
    ),
    "a key of another section": (
        in_source("workers: 2"),
        "5: source.workers",
        "unknown key; it belongs under source.snapshot",
    ),
    "a key of another kind of store": (
        in_store("kind: sql, url: 'sqlite://', warehouse: x"),
        "7: stores.s.warehouse",
        "unknown key; it belongs under a store of kind iceberg",
    ),
    "a key from nowhere": (
        FINE + "qqq: 1\n",
        "6: qqq",
        "unknown key; the keys here are name, source, kafka, registry, stores",
    ),
    "a forgotten blank": (
        in_kafka("format:avro"),
        "5: kafka.format",
        "unknown key; a colon needs a space behind it",
    ),
    "a forgotten colon": (
        in_kafka("format avro"),
        "5: kafka.format",
        "unknown key; a key holds no blanks; perhaps a colon is missing",
    ),
    "a missing key": (SOURCE + KAFKA, "1: name", "is missing"),
    "a missing section": ("name: shop\n" + KAFKA, "1: source", "is missing"),
    "a missing key in a section": (
        FINE.replace("  dsn: host=h\n", ""),
        "2: source.dsn",
        "is missing",
    ),
    "an empty key": (
        in_kafka("replication: "),
        "5: kafka.replication",
        "has no value; give one, or remove the key",
    ),
    "an empty section": (
        FINE + "stores:\n",
        "6: stores",
        "has no value; give one, or remove the key",
    ),
    "an empty item": (
        FINE.replace("[a.b]", "[a.b, ~]"),
        "4: source.tables[1]",
        "has no value; give one, or remove the key",
    ),
    # Kinds of values.
    "text for a mapping": (
        "name: shop\nsource: x\n" + KAFKA,
        "2: source",
        "must be a mapping (key: value), got text",
    ),
    "a list for a mapping": (
        FINE + "stores: []\n",
        "6: stores",
        "must be a mapping (key: value), got a list",
    ),
    "text for a list": (
        FINE.replace("[a.b]", "a.b"),
        "4: source.tables",
        "must be a list, got text",
    ),
    "a number for text": (
        FINE.replace("shop", "2024"),
        "1: name",
        "must be text, got a number; put it in quotes",
    ),
    "true for text": (
        FINE.replace("shop", "true"),
        "1: name",
        "must be text, got true or false; put it in quotes",
    ),
    "a mapping for text": (
        FINE.replace("shop", "{a: b}"),
        "1: name",
        "must be text, got a mapping",
    ),
    "text for a number": (
        in_kafka("partitions: many"),
        "5: kafka.partitions",
        "must be a whole number, got text",
    ),
    "a number in quotes": (
        in_kafka("partitions: '2'"),
        "5: kafka.partitions",
        "must be a whole number, got text; remove the quotes",
    ),
    "a broken number": (
        in_kafka("partitions: 2.5"),
        "5: kafka.partitions",
        "must be a whole number, got a number",
    ),
    "true for a number": (
        in_kafka("partitions: true"),
        "5: kafka.partitions",
        "must be a whole number, got true or false",
    ),
    "too few": (in_kafka("partitions: 0"), "5: kafka.partitions", "must be at least 1, got 0"),
    "too many": (
        in_source("snapshot: {workers: 33}"),
        "5: source.snapshot.workers",
        "must be at most 32, got 33",
    ),
    "a huge number": (
        in_source(f"snapshot: {{workers: {'9' * 90}}}"),
        "5: source.snapshot.workers",
        "must be at most 32",
    ),
    # Choices.
    "a misspelt choice": (
        in_kafka("format: arvo"),
        "5: kafka.format",
        "must be one of avro, json, got 'arvo'; did you mean 'avro'?",
    ),
    "a choice in small letters": (
        in_security("protocol: sasl_ssl, mechanism: plain, username: u, password: hunter2"),
        "5: kafka.security.mechanism",
        "must be one of PLAIN, SCRAM-SHA-256, SCRAM-SHA-512, got 'plain'; did you mean 'PLAIN'?",
    ),
    "a choice from nowhere": (
        in_source("snapshot: {mode: qqq}"),
        "5: source.snapshot.mode",
        "must be one of initial, never, got 'qqq'",
    ),
    "a misspelt kind": (
        in_store("kind: icebreg, warehouse: x"),
        "7: stores.s.kind",
        "must be one of iceberg, opensearch, sql, got 'icebreg'; did you mean 'iceberg'?",
    ),
    "no kind": (
        in_store("warehouse: x"),
        "7: stores.s.kind",
        "is missing: one of iceberg, opensearch, sql",
    ),
    "a kind for a store": (
        FINE + "stores: {s: sql}\n",
        "6: stores.s",
        "must be a mapping (key: value), got text",
    ),
    # Names.
    "a name with a blank": (
        FINE.replace("shop", "my shop"),
        "1: name",
        "must begin with a letter and hold at most 48 letters, digits, _ and -, got 'my shop'",
    ),
    "a name that is too long": (
        FINE.replace("shop", "s" * 49),
        "1: name",
        "must begin with a letter and hold at most 48 letters, digits, _ and -",
    ),
    "a store name with a dot": (
        FINE + "stores: {a.b: {kind: sql, url: 'sqlite://'}}\n",
        "6: stores.a.b",
        "must begin with a letter and hold at most 48 letters, digits, _ and -",
    ),
    "a slot in capitals": (
        in_source("slot: Shop"),
        "5: source.slot",
        "must hold 1 to 63 small letters, digits and _ only, got 'Shop'",
    ),
    "a publication that is too long": (
        in_source(f"publication: {'ü' * 32}"),
        "5: source.publication",
        f"must be a name of 1 to 63 bytes, got '{'ü' * 32}'",
    ),
    "a topic with a blank": (
        in_kafka("topic_prefix: 'a b'"),
        "5: kafka.topic_prefix",
        "must hold 1 to 120 letters, digits, ., _ and - only, got 'a b'",
    ),
    # Source.
    "no table": (FINE.replace("[a.b]", "[]"), "4: source.tables", "must not be empty"),
    "a table twice": (
        FINE.replace("[a.b]", '[a.b, c.d, "a.b"]'),
        "4: source.tables",
        "entry 3 repeats entry 1",
    ),
    "a pattern twice": (
        FINE.replace("[a.b]", "[a.*, a.*]"),
        "4: source.tables",
        "entry 2 repeats entry 1",
    ),
    "a pattern over schemas": (
        FINE.replace("[a.b]", "['*.*']"),
        "4: source.tables[0]",
        "a pattern names one schema and all of its tables: public.*, got '*.*'",
    ),
    "a size without unit": (
        in_source("wal_budget: 10"),
        "5: source.wal_budget",
        "must be a whole number with a unit: kB, MB, GB or TB, such as 10GB, got 10",
    ),
    "a size with a wrong unit": (
        in_source("wal_budget: 10gb"),
        "5: source.wal_budget",
        "must be a whole number with a unit: kB, MB, GB or TB, such as 10GB, got '10gb'",
    ),
    "a size that is too small": (
        in_source("wal_budget: 63MB"),
        "5: source.wal_budget",
        "must be at least 64MB and below 8388608TB, got '63MB'",
    ),
    "a size that is too large": (
        in_source("wal_budget: 8388608TB"),
        "5: source.wal_budget",
        "must be at least 64MB and below 8388608TB, got '8388608TB'",
    ),
    "an empty dsn": (
        FINE.replace("host=h", "''"),
        "3: source.dsn",
        "is empty; libpq would connect to wherever its defaults lead",
    ),
    # Kafka.
    "a broker without port": (
        FINE.replace("k:9092", "k"),
        "5: kafka.brokers",
        "a broker is written host:port, and an IPv6 address [::1]:9092, got 'k'",
    ),
    "a password for a broker, which is not shown": (
        FINE.replace("k:9092", "u:hunter2@k"),
        "5: kafka.brokers",
        "a broker is written host:port, and an IPv6 address [::1]:9092",
    ),
    "a port that can't be": (
        FINE.replace("9092", "70000"),
        "5: kafka.brokers",
        "the port of a broker must be from 1 to 65535, got 'k:70000'",
    ),
    "no address in brackets": (
        FINE.replace("k:9092", "[::x]:1"),
        "5: kafka.brokers",
        "what stands in brackets must be an IPv6 address, got '[::x]:1'",
    ),
    "a broker twice": (
        FINE.replace("k:9092", "k:1,k:1"),
        "5: kafka.brokers",
        "names one broker twice, got 'k:1,k:1'",
    ),
    "no broker": (FINE.replace("'k:9092'", "[]"), "5: kafka.brokers", "names no broker"),
    "a number for a broker": (
        FINE.replace("'k:9092'", "[9092]"),
        "5: kafka.brokers",
        "must be text such as host:9092,other:9092, or a list of host:port",
    ),
    "sasl without password": (
        in_security("protocol: sasl_ssl, username: u"),
        "5: kafka.security",
        "protocol sasl_ssl needs mechanism and password as well",
    ),
    "a password for nothing": (
        in_security("protocol: ssl, username: u, password: p"),
        "5: kafka.security",
        "username and password would not be used with protocol ssl",
    ),
    "a ca for nothing": (
        in_security("protocol: plaintext, ca: x"),
        "5: kafka.security",
        "ca would not be used with protocol plaintext",
    ),
    "a certificate without key": (
        in_security("protocol: ssl, certificate: x"),
        "5: kafka.security",
        "certificate and key belong together; one is missing",
    ),
    "a key password without key": (
        in_security("protocol: ssl, key_password: x"),
        "5: kafka.security",
        "key_password would not be used without key",
    ),
    # Registry and stores.
    "a misspelt registry": (
        FINE + "registry: embeded\n",
        "6: registry",
        "must be embedded or an address such as https://host:8081; did you mean embedded?",
    ),
    "a registry by ftp": (
        FINE + "registry: ftp://r\n",
        "6: registry",
        "must be an address such as https://host:8081",
    ),
    "a registry that is a number": (
        FINE + "registry: 5\n",
        "6: registry",
        "must be embedded, an address, or a mapping with url",
    ),
    "a registry without url": (FINE + "registry: {token: t}\n", "6: registry.url", "is missing"),
    "two ways in": (
        FINE + "registry: {url: 'http://r', token: t, username: u, password: p}\n",
        "6: registry",
        "takes token, or username and password, and not both",
    ),
    "credentials twice": (
        FINE + "registry: {url: 'http://u:p@r', username: u, password: p}\n",
        "6: registry",
        "gives credentials twice, in url and beside it",
    ),
    "half the credentials": (
        FINE + "registry: {url: 'http://r', username: u}\n",
        "6: registry",
        "needs username and password together",
    ),
    "a ca without tls": (
        FINE + "registry: {url: 'http://r', ca: x}\n",
        "6: registry",
        "has a ca, which is used with an https:// address only",
    ),
    "an address with a query": (
        in_store("kind: opensearch, url: 'http://h/?a=b'"),
        "7: stores.s.url",
        "must end with the path, without ? and #; in a password write them %3F and %23",
    ),
    "an @ in a password": (
        in_store("kind: opensearch, url: 'http://u:p@q@h'"),
        "7: stores.s.url",
        "holds more than one @; an @ in the password must be written %40",
    ),
    "an address without host": (
        in_store("kind: opensearch, url: 'http://:80'"),
        "7: stores.s.url",
        "must be an address such as https://host:8081",
    ),
    "an address with a blank": (
        in_store("kind: opensearch, url: 'http://a b'"),
        "7: stores.s.url",
        "must hold no blanks",
    ),
    "a database by http": (
        in_store("kind: sql, url: h"),
        "7: stores.s.url",
        "must be an SQLAlchemy address such as postgresql+psycopg://user@host/db",
    ),
    "a prefix with a dot": (
        in_store("kind: sql, url: 'sqlite://', prefix: a."),
        "7: stores.s.prefix",
        "must be at most 32 letters, digits and _, and not begin with a digit, got 'a.'",
    ),
    "a home folder": (
        in_store("kind: iceberg, warehouse: ~/x"),
        "7: stores.s.warehouse",
        "~ is not expanded; write the whole path, or ${HOME}/...",
    ),
    "a URI with one slash": (
        in_store("kind: iceberg, warehouse: 's3:/x'"),
        "7: stores.s.warehouse",
        "must be a folder or a URI such as s3://bucket/path",
    ),
    "an empty path": (
        in_store("kind: iceberg, warehouse: ''"),
        "7: stores.s.warehouse",
        "must name a path",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_wrong_file_is_refused_with_line_key_and_what_was_meant(
    case: str, tmp_path: Path
) -> None:
    text, place, reason = REFUSED[case]
    code, lines = refusal(tmp_path, text)
    assert code == "PEN-104"
    assert lines == [f"shop.yaml:{place}: {reason}"]


def test_a_fine_file_is_not_refused(tmp_path: Path) -> None:
    """The cases above change one thing each, so that thing is what they are refused for."""
    assert load_text(tmp_path, FINE).name == "shop"


def test_all_problems_are_told_at_once_in_the_order_of_the_file(tmp_path: Path) -> None:
    text = FINE.replace("shop", "1x").replace("dsn", "dsm").replace("k:9092", "k") + "x: 1\n"
    _, lines = refusal(tmp_path, text)
    assert [line.split(": ")[0] for line in lines] == [f"shop.yaml:{n}" for n in (1, 3, 5, 6)]


def test_thousands_of_problems_are_counted_and_not_all_printed(tmp_path: Path) -> None:
    text = FINE + "".join(f"unknown{number}: 1\n" for number in range(9_000))
    _, lines = refusal(tmp_path, text)
    assert len(lines) == 51
    assert lines[-1] == "and 8950 more"


@pytest.mark.parametrize(
    ("dsn", "reason"),
    [
        ("postgresql://u:p%zz@h/d", "a % in it must be written %25"),
        ("postgresql://u:p%00@h/d", "a NUL character"),
        ("postgresql://u:p@ss@h/d", "an @ in the password must be written %40"),
        ("postgresql://u@h/d?nope=1", "does not know one of the parameters"),
        ("nope=1", "does not know one of the keywords"),
        ("host='h", "a quote is not closed"),
        ("postgresql://[::1/d", "the brackets of an IPv6 address"),
        ("mysql://u@h/d", "write postgresql://user@host:5432/database"),
        ("just text", "write postgresql://user@host:5432/database"),
    ],
)
def test_a_dsn_that_libpq_refuses_is_explained_without_any_part_of_it(
    dsn: str, reason: str, tmp_path: Path
) -> None:
    code, lines = refusal(tmp_path, FINE.replace("host=h", "${SHOP_DSN}"), {"SHOP_DSN": dsn})
    assert code == "PEN-104"
    assert lines[0].startswith("shop.yaml:3: source.dsn: ")
    assert reason in lines[0]
    assert lines[0].endswith(" (from ${SHOP_DSN})")
    assert dsn not in lines[0]
