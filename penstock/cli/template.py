"""The text of a new connector file, with a comment for each thing worth knowing."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from penstock.config.errors import printable

# What YAML reads as text without quotes, whatever stands around it.
_PLAIN: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)+")


@dataclass(frozen=True, slots=True)
class Listed:
    """A table to capture, and a remark that stands beside it."""

    name: str
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Answers:
    """What was asked or given as options; texts stand in the file as they are."""

    name: str
    dsn: str
    brokers: str
    lake: str | None = None
    search: str | None = None
    copy: str | None = None


def render(answers: Answers, tables: Sequence[Listed]) -> str:
    """Write the file."""
    return f"""\
# yaml-language-server: $schema=penstock.schema.json
# (make that file with: penstock schema > penstock.schema.json)
#
# One connector: a Postgres database, the topics its changes go to, and the
# stores that follow them. `penstock check` looks at all of it.

# The slot, the publication and the topics are named after it.
name: {_quoted(answers.name)}

source:
  # As psql takes it. Secrets stay outside: ${{VARIABLE}} or ${{file:path}}.
  dsn: {_quoted(answers.dsn)}
  # schema.table, exactly as in the catalog; schema.* for all tables of a schema.
  tables:
{_tables(tables)}
  # How much log the slot may hold back before Penstock raises the alarm.
  wal_budget: 10GB
  # mode: never leaves out the rows that are there already.
  snapshot: {{mode: initial, workers: 2}}

kafka:
  brokers: {_quoted(answers.brokers)}
  format: avro            # or json
  delivery: exactly_once  # or at_least_once: quicker by milliseconds
  # partitions: 1
  # replication: 3        # by default, what the brokers say
  # security:
  #   protocol: sasl_ssl
  #   mechanism: SCRAM-SHA-512
  #   username: penstock
  #   password: ${{KAFKA_PASSWORD}}

# Kept by Penstock in Kafka, or the address of a registry like Confluent's.
registry: embedded

{_stores(answers)}"""


def _tables(tables: Sequence[Listed]) -> str:
    lines = []
    for table in tables:
        entry = f"    - {_entry(table.name)}"
        lines.append(f"{entry}  # {printable(table.remark, 100)}" if table.remark else entry)
    return "\n".join(lines)


def _stores(answers: Answers) -> str:
    kinds = (
        ("lake", "iceberg", "warehouse", answers.lake, "./warehouse", ", mode: mirror"),
        ("search", "opensearch", "url", answers.search, "http://127.0.0.1:9200", ""),
        ("copy", "sql", "url", answers.copy, "${COPY_URL}", ""),
    )
    lines = []
    for name, kind, key, given, example, more in kinds:
        line = f"{name}: {{kind: {kind}, {key}: {_quoted(given or example)}{more}}}"
        lines.append(f"  {line}" if given else f"  # {line}")
    some = any((answers.lake, answers.search, answers.copy))
    head = "stores:" if some else "# Without stores, the changes go to Kafka only.\n# stores:"
    return "\n".join([head, *lines]) + "\n"


def _entry(name: str) -> str:
    # A name is no reference, even if it looks like one.
    return name if _PLAIN.fullmatch(name) else _quoted(name.replace("${", "$${"))


def _quoted(text: str) -> str:
    # JSON's strings are YAML's, and hold whatever a name may hold.
    return json.dumps(text, ensure_ascii=False)
