"""OpenSearch on the Java that a wheel carries, which lacks some of a whole one."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from penstock.embedded import java
from penstock.embedded.accounts import Account
from penstock.embedded.opensearch import OpenSearchServer
from penstock.embedded.places import scratch_folder


def test_it_serves_on_the_java_of_the_wheel(monkeypatch: pytest.MonkeyPatch) -> None:
    def only_carried(account: Account | None) -> Iterator[tuple[Path, bool]]:
        return (home for home in homes(account) if home[1])

    homes = java._homes
    monkeypatch.setattr(java, "_homes", only_carried)
    with scratch_folder("test") as folder, OpenSearchServer(folder) as server:
        properties = {"name": {"type": "text"}, "watch": {"type": "percolator"}}
        made = httpx.put(f"{server.url}/shop", json={"mappings": {"properties": properties}})
        assert made.status_code == 200
        put = httpx.put(f"{server.url}/shop/_doc/1?refresh=true", json={"name": "a penstock"})
        assert put.status_code == 201
        found = httpx.get(f"{server.url}/shop/_search?q=name:penstock").json()
        assert found["hits"]["total"]["value"] == 1
