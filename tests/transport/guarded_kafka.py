"""A broker with logins, rights, and settings that do not fit a cluster of one."""

from pathlib import Path

from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient

from diagnosis.secrets import Secret
from penstock.embedded.kafka import KafkaServer
from penstock.embedded.kept import Launch
from penstock.embedded.ports import LOOPBACK, free_port
from transport.complaints import Complaints
from transport.kafka_settings import Kafka, Security, client_settings

PASSWORDS = {"admin": "admin-secret-1", "reader": "reader-secret-2", "nobody": "nobody-secret-3"}
UNREACHABLE = f"{LOOPBACK}:1"

_SETTINGS = {
    "listener.security.protocol.map": (
        "SASL_PLAINTEXT:SASL_PLAINTEXT,LOST:PLAINTEXT,CONTROLLER:PLAINTEXT"
    ),
    "inter.broker.listener.name": "SASL_PLAINTEXT",
    "sasl.mechanism.inter.broker.protocol": "PLAIN",
    "sasl.enabled.mechanisms": "PLAIN",
    "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    "super.users": "User:admin;User:ANONYMOUS",
    "default.replication.factor": "3",
    "min.insync.replicas": "2",
    "transaction.state.log.replication.factor": "3",
    "transaction.state.log.min.isr": "2",
    "transaction.max.timeout.ms": "30000",
    "auto.create.topics.enable": "true",
}


class GuardedKafka(KafkaServer):
    """Has a second listener that gives an address where nobody is."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory)
        self.lost_port = free_port()

    def login(self, user: str, password: str | None = None) -> Security:
        secret = Secret(password or PASSWORDS[user])
        return Security("sasl_plaintext", "PLAIN", user, secret)

    def cluster(self, user: str, prefix: str = "t", password: str | None = None) -> Kafka:
        return Kafka(self.brokers, prefix, security=self.login(user, password))

    def lost_cluster(self, prefix: str = "t") -> Kafka:
        return Kafka(f"{LOOPBACK}:{self.lost_port}", prefix)

    def prepare(self) -> Launch:
        launch = super().prepare()
        properties = self.directory / "server.properties"
        lines = properties.read_text().replace("=PLAINTEXT://", "=SASL_PLAINTEXT://").splitlines()
        settings = {**dict(line.split("=", 1) for line in lines), **_SETTINGS}
        settings["listeners"] += f",LOST://{LOOPBACK}:{self.lost_port}"
        settings["advertised.listeners"] += f",LOST://{UNREACHABLE}"
        users = " ".join(f'user_{user}="{password}"' for user, password in PASSWORDS.items())
        settings["listener.name.sasl_plaintext.plain.sasl.jaas.config"] = (
            "org.apache.kafka.common.security.plain.PlainLoginModule required "
            f'username="admin" password="{PASSWORDS["admin"]}" {users};'
        )
        properties.write_text("".join(f"{name}={value}\n" for name, value in settings.items()))
        return launch

    def answers(self) -> bool:
        with AdminClient(client_settings(self.cluster("admin"), Complaints())) as admin:
            try:
                return bool(admin.list_topics(timeout=1).brokers)
            except KafkaException:
                return False
