import time

import pytest

from tests.fixtures.servers import Kafka as Broker
from tests.transport.listeners import babbling_listener, closed_port, silent_listener
from transport.readiness import broker_answers


def test_a_running_broker_answers(kafka: Broker) -> None:
    assert broker_answers(kafka.brokers, timeout=10)


def test_nobody_answers_where_nothing_listens_and_nothing_is_printed(
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert not broker_answers(closed_port(), timeout=0.5)
    assert capfd.readouterr() == ("", "")


def test_a_listener_that_is_no_broker_does_not_count() -> None:
    with babbling_listener(b"SSH-2.0-OpenSSH_9.2\r\n") as address:
        assert not broker_answers(address, timeout=0.5)


def test_the_wait_ends_in_time() -> None:
    with silent_listener() as address:
        started = time.monotonic()
        assert not broker_answers(address, timeout=0.5)
        assert time.monotonic() - started < 5
