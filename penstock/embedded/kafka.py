"""A Kafka broker that is its own controller (KRaft)."""

import base64
import uuid
from pathlib import Path
from typing import Final

from penstock.embedded import bundles, java, jvm
from penstock.embedded.accounts import insist_on_reach
from penstock.embedded.downloads import fetch
from penstock.embedded.kept import Launch
from penstock.embedded.ports import LOOPBACK
from penstock.embedded.server import Server
from transport.readiness import broker_answers

# One node: whatever is replicated by default has one copy here. Few partitions
# for the internal topics, because each of them costs files and start-up time.
_SETTINGS: Final = {
    "process.roles": "broker,controller",
    "node.id": "1",
    "controller.listener.names": "CONTROLLER",
    "offsets.topic.replication.factor": "1",
    "offsets.topic.num.partitions": "4",
    "transaction.state.log.replication.factor": "1",
    "transaction.state.log.min.isr": "1",
    "transaction.state.log.num.partitions": "4",
    "share.coordinator.state.topic.replication.factor": "1",
    "share.coordinator.state.topic.min.isr": "1",
    "group.initial.rebalance.delay.ms": "0",
    # A topic made by mistake would have settings that nobody chose.
    "auto.create.topics.enable": "false",
}


class KafkaServer(Server):
    """A broker on the loopback address, without authentication."""

    name = "kafka"
    ready_within = 60.0

    def __init__(self, directory: Path, port: int | None = None) -> None:
        super().__init__(directory, port)
        self._java = java.find_server_java(java.KAFKA)
        self._home = fetch(bundles.KAFKA)
        insist_on_reach(self._home, self.account)

    @property
    def brokers(self) -> str:
        """The bootstrap address."""
        return f"{LOOPBACK}:{self.port}"

    @property
    def address(self) -> str:
        """The bootstrap address."""
        return self.brokers

    def prepare(self) -> Launch:
        """Write the settings, format the storage the first time.

        Its working folder is its own, so that all paths are relative: Java would
        read the settings as Latin-1, and a list of folders splits at commas.
        """
        controller = f"{LOOPBACK}:{self.choose_port()}"
        settings = {
            **_SETTINGS,
            "log.dirs": "data",
            "listeners": f"PLAINTEXT://{self.brokers},CONTROLLER://{controller}",
            "advertised.listeners": f"PLAINTEXT://{self.brokers}",
            "controller.quorum.voters": f"1@{controller}",
        }
        lines = (f"{name}={value}\n" for name, value in settings.items())
        (self.directory / "server.properties").write_text("".join(lines))
        command = (
            *(str(self._java.executable), "-Xms256m", "-Xmx512m", *jvm.QUICK),
            f"-Dlog4j2.configurationFile={jvm.write_logging(self.directory).name}",
            *("-cp", f"{self._home}/*"),
        )
        if not (self.directory / "data" / "meta.properties").exists():
            name = cluster_id(uuid.uuid4())
            tool = ("kafka.tools.StorageTool", "format", "-t", name, "-c", "server.properties")
            self.run_tool("kafka's storage tool", [*command, *tool], timeout=60)
        return Launch((*command, "kafka.Kafka", "server.properties"))

    def answers(self) -> bool:
        """Tell whether the broker gives its metadata."""
        return broker_answers(self.brokers)


def cluster_id(chosen: uuid.UUID) -> str:
    """Spell an id as Kafka does. One in 64 would begin with a dash, like an option."""
    text = base64.urlsafe_b64encode(chosen.bytes).decode().rstrip("=")
    return f"K{text[1:]}" if text.startswith("-") else text
