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
    # A proxy of the environment is not for loopback.
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    with scratch_folder("test") as folder, OpenSearchServer(folder) as server:
        properties = {"name": {"type": "text"}, "watch": {"type": "percolator"}}
        client = httpx.Client(base_url=server.url, trust_env=False)
        made = client.put("/shop", json={"mappings": {"properties": properties}})
        assert made.status_code == 200
        put = client.put("/shop/_doc/1?refresh=true", json={"name": "a penstock"})
        assert put.status_code == 201
        found = client.get("/shop/_search?q=name:penstock").json()
        client.close()
        assert found["hits"]["total"]["value"] == 1
