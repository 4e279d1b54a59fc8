"""penstock registry serve, as a process: its start, its answers, its end."""

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest
from confluent_kafka.schema_registry import Schema, SchemaRegistryClient

from penstock.embedded.kafka import KafkaServer
from penstock.embedded.places import scratch_folder
from tests.fixtures.commands import Penstock, plain_environment
from tests.fixtures.servers import Kafka
from tests.penstock.embedded.processes import eventually

TOKEN = "a-token-that-nobody-guesses"
AVRO = '{"type":"enum","name":"Colour","symbols":["RED"]}'


class Serving:
    """A registry in a process of its own."""

    def __init__(self, *arguments: object, env: dict[str, str] | None = None) -> None:
        self.process = subprocess.Popen(
            [
                *(sys.executable, "-P", "-m", "penstock.cli.main"),
                *("registry", "serve", "--port", "0", *map(str, arguments)),
            ],
            env={**plain_environment(), **(env or {})},
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stderr is not None
        self.first_line = self.process.stderr.readline()
        self.url = self.first_line.split("schema registry on ")[1].split(",")[0]
        self._rest: list[str] = []
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def end(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        """Stop it, and give its exit code and what it said."""
        self.process.send_signal(number)
        code = self.process.wait(30)
        self._reader.join()
        return code, self.first_line + "".join(self._rest)

    def _read(self) -> None:
        assert self.process.stderr is not None
        with self.process.stderr as stream:
            self._rest.extend(stream)


Serve = Callable[..., Serving]


@pytest.fixture
def serve(kafka: Kafka, prefix: str) -> Iterator[Serve]:
    with ExitStack() as started:

        def start(*arguments: object, env: dict[str, str] | None = None) -> Serving:
            where = ("--brokers", kafka.brokers, "--topic", f"{prefix}_schemas")
            serving = Serving(*where, *arguments, env=env)
            started.callback(kill, serving)
            return serving

        yield start


def kill(serving: Serving) -> None:
    if serving.process.poll() is None:
        serving.end(signal.SIGKILL)


def test_it_says_where_it_is_and_stops_when_told(serve: Serve) -> None:
    serving = serve()
    assert httpx.get(f"{serving.url}/subjects").json() == []
    code, said = serving.end()
    assert code == 0
    assert said.splitlines()[-1] == "stopped"


def test_ctrl_c_is_an_orderly_end_too(serve: Serve) -> None:
    serving = serve()
    assert serving.end(signal.SIGINT)[0] == 0


def test_two_registries_serve_one_topic_and_both_write(serve: Serve) -> None:
    one, other = serve(), serve()
    settings = {"max.retries": 0}
    with (
        SchemaRegistryClient({"url": one.url, **settings}) as here,
        SchemaRegistryClient({"url": other.url, **settings}) as there,
    ):
        ids = [
            client.register_schema(f"s{number}", Schema(AVRO.replace("RED", f"C{number}"), "AVRO"))
            for number, client in enumerate([here, there, here, there])
        ]
        assert ids == [1, 2, 3, 4]
        assert there.get_subjects() == here.get_subjects() == ["s0", "s1", "s2", "s3"]
    kill(one)
    assert httpx.get(f"{other.url}/schemas/ids/1").status_code == 200


def test_another_address_wants_a_token(kafka: Kafka, penstock: Penstock) -> None:
    ran = penstock("registry", "serve", "--brokers", kafka.brokers, "--host", "0.0.0.0")  # noqa: S104
    assert ran.returncode == 2
    assert "PEN-431" in ran.stderr


def test_a_token_opens_other_addresses_and_is_shown_nowhere(serve: Serve, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(TOKEN + "\n")
    serving = serve("--host", "0.0.0.0", "--token-file", file)  # noqa: S104
    url = serving.url.replace("0.0.0.0", "127.0.0.1")  # noqa: S104
    assert httpx.get(f"{url}/subjects").status_code == 401
    login = {"Authorization": f"Bearer {TOKEN}"}
    assert httpx.get(f"{url}/subjects", headers=login).json() == []
    assert TOKEN not in serving.end()[1]


def test_a_token_from_the_environment_is_asked_for_on_loopback_too(serve: Serve) -> None:
    serving = serve(env={"PENSTOCK_REGISTRY_TOKEN": TOKEN})
    assert httpx.get(f"{serving.url}/subjects").status_code == 401
    assert httpx.get(f"{serving.url}/subjects", auth=("anyone", TOKEN)).json() == []


@pytest.mark.parametrize("text", ["", "short", "has spaces in its middle", "naïve-but-long-enough"])
def test_a_token_that_cannot_work_is_refused(text: str, tmp_path: Path, penstock: Penstock) -> None:
    file = tmp_path / "token"
    file.write_text(text)
    ran = penstock("registry", "serve", "--brokers", "127.0.0.1:1", "--token-file", file)
    assert ran.returncode == 2
    assert "PEN-432" in ran.stderr
    assert not text or text not in ran.stderr


def test_a_port_that_is_taken_is_named(penstock: Penstock) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ran = penstock("registry", "serve", "--brokers", "127.0.0.1:1", "--port", port)
    assert ran.returncode == 9
    assert "PEN-430" in ran.stderr
    assert str(port) in ran.stderr


def test_brokers_or_a_connector_and_not_both(penstock: Penstock) -> None:
    for arguments in ([], ["--brokers", "a:1", "--connector", "b.yaml"]):
        ran = penstock("registry", "serve", *arguments)
        assert ran.returncode == 2
        assert "PEN-433" in ran.stderr


def test_brokers_that_do_not_answer_are_named_with_the_reason(penstock: Penstock) -> None:
    ran = penstock("registry", "serve", "--brokers", "127.0.0.1:1", "--port", "0")
    assert ran.returncode == 5
    assert "PEN-411" in ran.stderr
    assert "127.0.0.1:1" in ran.stderr
    assert "refused" in ran.stderr


@contextmanager
def a_kafka_of_our_own() -> Iterator[KafkaServer]:
    with scratch_folder("registry") as folder, KafkaServer(folder / "kafka") as server:
        yield server


def test_while_kafka_is_away_known_ids_are_answered_and_then_all_goes_on() -> None:
    with a_kafka_of_our_own() as kafka:
        serving = Serving("--brokers", kafka.brokers)
        try:
            url = serving.url
            body = {"schema": AVRO}
            assert httpx.post(f"{url}/subjects/s/versions", json=body).json()["id"] == 1
            assert kafka.pid is not None
            os.kill(kafka.pid, signal.SIGSTOP)
            try:
                with ThreadPoolExecutor(60) as clients:
                    waiting = [
                        clients.submit(httpx.get, f"{url}/subjects", timeout=60) for _ in range(60)
                    ]
                    for _ in range(5):
                        assert httpx.get(f"{url}/schemas/ids/1", timeout=4).status_code == 200
                for each in waiting:
                    away = each.result()
                    assert (away.status_code, away.json()["error_code"]) == (500, 50002)
            finally:
                os.kill(kafka.pid, signal.SIGCONT)
            back = eventually(lambda: httpx.get(f"{url}/subjects", timeout=30).status_code == 200)
            assert back
            assert httpx.post(f"{url}/subjects/t/versions", json=body, timeout=40).json()["id"] == 1
        finally:
            assert serving.end()[0] == 0


def test_a_broker_that_is_started_again_is_found_again() -> None:
    with scratch_folder("registry") as folder:
        with KafkaServer(folder / "kafka") as kafka:
            serving = Serving("--brokers", kafka.brokers)
            url, port = serving.url, kafka.port
            body = {"schema": AVRO}
            assert httpx.post(f"{url}/subjects/s/versions", json=body).json()["id"] == 1
        try:
            assert httpx.get(f"{url}/health", timeout=60).status_code == 500
            with KafkaServer(folder / "kafka", port=port):
                assert eventually(lambda: httpx.get(f"{url}/health", timeout=60).is_success, 60)
                assert httpx.post(f"{url}/subjects/t/versions", json=body).json()["id"] == 1
                other = {"schema": AVRO.replace("RED", "BLUE")}
                added = httpx.post(f"{url}/subjects/t2/versions", json=other, timeout=60)
                assert added.json()["id"] == 2
                assert serving.end()[0] == 0
        finally:
            kill(serving)
