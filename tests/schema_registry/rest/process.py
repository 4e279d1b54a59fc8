"""The registry as a process of its own, so that its memory can be watched."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from tests.fixtures.commands import plain_environment
from tests.schema_registry.rest.api import Api


@dataclass(frozen=True, slots=True)
class RegistryProcess:
    api: Api
    pid: int

    def peak(self) -> int:
        """The most memory that it ever had, in bytes."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        found = re.search(r"VmHWM:\s+(\d+) kB", status)
        assert found is not None
        return int(found[1]) * 1024


@contextmanager
def registry_process(brokers: str, topic: str) -> Iterator[RegistryProcess]:
    """Serve until the block ends; then it must end well, and have complained of nothing."""
    command = ["penstock.cli.main", "registry", "serve", "--port", "0", "--topic"]
    started = subprocess.Popen(
        [sys.executable, "-P", "-m", *command, topic, "--brokers", brokers],
        env=plain_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    with started, httpx.Client(timeout=60) as client:
        assert started.stdout is not None
        said = started.stdout.readline()
        try:
            port = re.search(r"http://127\.0\.0\.1:(\d+)", said)
            assert port is not None, said + started.stdout.read()
            yield RegistryProcess(Api(client, "127.0.0.1", int(port[1])), started.pid)
        finally:
            started.terminate()
            more, _ = started.communicate(timeout=30)
        assert started.returncode == 0, more
        assert "Traceback" not in more, more
