"""Whatever dies, and wherever: an id that was handed out always means the same schema."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterable

import pytest

from schema_registry.registry.service import SchemaRegistry
from tests.fixtures.servers import Kafka
from tests.schema_registry.registry.conftest import OpenRegistry

# How often a process passes each place before it dies there.
FAILPOINTS = [
    "registry.pen-taken:1",
    "registry.between-records:1",
    "registry.between-records:5",
    "registry.before-commit:1",
    "registry.before-commit:3",
    "registry.after-commit:1",
    "registry.after-commit:3",
]


def start(
    kafka: Kafka, topic: str, name: str, first: int, failpoint: str = ""
) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [
            *(sys.executable, "-m", "tests.schema_registry.registry.writer"),
            *(kafka.brokers, topic, name, str(first), str(first + 6)),
        ],
        env={**os.environ, "PENSTOCK_FAILPOINT": failpoint},
        stdout=subprocess.PIPE,
        text=True,
    )


def answers_of(process: subprocess.Popen[str]) -> list[tuple[int, str]]:
    """Wait for a process, and give what it was answered before it ended or died."""
    out, _ = process.communicate(timeout=60)
    whole = [line for line in out.splitlines(keepends=True) if line.endswith("\n")]
    return [(int(id), text.strip()) for id, text in (line.split("\t") for line in whole)]


def assert_one_meaning(registry: SchemaRegistry, answers: Iterable[tuple[int, str]]) -> None:
    """Compare what was answered with what is there, in both directions."""
    meant: dict[int, str] = {}
    ids: dict[str, int] = {}
    for id, text in answers:
        assert meant.setdefault(id, text) == text
        assert ids.setdefault(text, id) == id
        assert registry.content(id).text == text
    with registry.log.reading() as state:
        assert len(state.ids) == len(state.schemas)
        assert set(state.schemas) == set(range(1, state.last_id + 1))


@pytest.mark.parametrize("failpoint", FAILPOINTS)
def test_a_registry_that_dies_while_it_writes_leaves_all_or_nothing(
    failpoint: str, kafka: Kafka, topic: str, open_registry: OpenRegistry
) -> None:
    dying = start(kafka, topic, "a", 0, failpoint)
    answers = answers_of(dying)
    assert dying.returncode == -signal.SIGKILL
    after = start(kafka, topic, "a", 0)
    answers += answers_of(after)
    assert after.returncode == 0
    assert_one_meaning(open_registry(), answers)


def test_registries_killed_at_random_while_others_write(
    kafka: Kafka, topic: str, open_registry: OpenRegistry
) -> None:
    dice = random.Random(4)  # noqa: S311
    answers: list[tuple[int, str]] = []
    for start_at in range(0, 18, 6):
        running = [start(kafka, topic, name, start_at) for name in ("a", "b")]
        time.sleep(dice.uniform(0.5, 1.3))
        running[0].kill()
        for process in running:
            answers += answers_of(process)
        assert running[1].returncode == 0
    assert len(answers) >= 18
    assert_one_meaning(open_registry(), answers)
