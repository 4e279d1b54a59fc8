"""OpenSearch, one node, from the archive that its own tests use."""

import json
import os
import shutil
from pathlib import Path
from typing import Final

import httpx

from penstock.embedded import bundles, java, jvm
from penstock.embedded.accounts import hand_over, insist_on_reach
from penstock.embedded.downloads import fetch
from penstock.embedded.kept import Launch
from penstock.embedded.once import made_once
from penstock.embedded.ports import LOOPBACK
from penstock.embedded.server import Server

_SETTINGS: Final = {
    "cluster.name": "penstock",
    "node.name": "penstock",
    "discovery.type": "single-node",
    "network.host": LOOPBACK,
    # A laptop's disk is often 90 % full, and indexes would turn read-only.
    "cluster.routing.allocation.disk.threshold_enabled": "false",
}


class OpenSearchServer(Server):
    """A search server on the loopback address, without authentication."""

    name = "opensearch"
    ready_within = 120.0

    def __init__(self, directory: Path, port: int | None = None) -> None:
        super().__init__(directory, port)
        self._java = java.find_server_java(java.OPENSEARCH)
        self._home = fetch(bundles.OPENSEARCH)
        if self._java.carried:
            self._home = _without_analysis(self._home)
        insist_on_reach(self._home, self.account)

    @property
    def url(self) -> str:
        """Where its REST API is."""
        return f"http://{LOOPBACK}:{self.port}"

    @property
    def address(self) -> str:
        """Where its REST API is."""
        return self.url

    def prepare(self) -> Launch:
        """Write a configuration folder of our own.

        The archive's jvm.options asks for a module that a trimmed Java lacks,
        and its start script only reads that file: so Java is started directly.
        """
        folders = {name: self.directory / name for name in ("conf", "data", "logs", "tmp")}
        for folder in folders.values():
            hand_over(folder, self.account)
        settings = {
            **_SETTINGS,
            "http.port": self.port,
            "transport.port": self.choose_port(),
            "path.data": folders["data"],
            "path.logs": folders["logs"],
        }
        # JSON's strings are YAML's, and hold whatever a path may hold.
        lines = (f"{name}: {json.dumps(str(value))}\n" for name, value in settings.items())
        (folders["conf"] / "opensearch.yml").write_text("".join(lines))
        jvm.write_logging(folders["conf"])
        return Launch(
            (
                *(str(self._java.executable), "-Xms512m", "-Xmx512m", *_options(self._home)),
                f"-Djava.io.tmpdir={folders['tmp']}",
                f"-Dopensearch.path.home={self._home}",
                f"-Dopensearch.path.conf={folders['conf']}",
                "-Dopensearch.distribution.type=zip",
                "-Dopensearch.bundled_jdk=false",
                *("-cp", f"{self._home}/lib/*", "org.opensearch.bootstrap.OpenSearch"),
            )
        )

    def answers(self) -> bool:
        """Tell whether an index can be made, which is more than that the port is open."""
        probe = f"{self.url}/penstock-probe"
        try:
            # No proxy stands between us and loopback, whatever the environment says.
            with httpx.Client(trust_env=False, timeout=10.0) as client:
                made = client.put(probe)
                client.delete(probe)
        except httpx.HTTPError:
            return False
        return made.status_code == 200


def _without_analysis(home: Path) -> Path:
    """Give the same server without the module of language analyzers.

    It builds all of them for every new index, and the one for Thai needs locale
    data that the Java of a wheel lacks: no index could be made.
    """

    def link(half: Path) -> None:
        shutil.copytree(
            home,
            half,
            copy_function=os.link,
            ignore=shutil.ignore_patterns("analysis-common"),
        )

    return made_once(home.with_name(f"{home.name}-small"), link)


def _options(home: Path) -> tuple[str, ...]:
    return (
        *jvm.QUICK,
        # OpenSearch 3 guards itself by an agent where the security manager was.
        f"-javaagent:{home}/agent/opensearch-agent.jar",
        "--add-opens=java.base/java.nio=ALL-UNNAMED",
        "--enable-native-access=ALL-UNNAMED",
        "-Dlog4j2.disable.jmx=true",
        "-Dlog4j.shutdownHookEnabled=false",
        "-Djava.locale.providers=SPI,CLDR",
    )
