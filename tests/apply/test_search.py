from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

from apply import search as search_module
from apply.search import CODES, Search, inspect
from diagnosis.findings import Finding, Severity
from diagnosis.secrets import Secret
from tests.fixtures.servers import OpenSearch
from tests.schema_registry.codes import spoken_of
from tests.schema_registry.foreign_server import Answer, as_json, serving
from tests.transport.listeners import closed_port


def codes(findings: list[Finding], least: Severity = Severity.NOTE) -> list[str]:
    return [finding.code for finding in findings if finding.severity >= least]


def identity(number: str, **rest: object) -> Answer:
    return as_json({"version": {"number": number}, "tagline": "You Know, for Search", **rest})


def good(root: Answer) -> Mapping[str, Answer]:
    return {
        "/": root,
        "/_cluster/health": as_json({"status": "green"}),
        "/_cluster/state/blocks": as_json({"blocks": {}}),
    }


def look(answers: Mapping[str, Answer]) -> list[Finding]:
    with serving(answers) as server:
        return inspect(Search("search", server.url))


def call(method: str, url: str, body: object) -> None:
    httpx.request(method, url, json=body, timeout=30).raise_for_status()


@contextmanager
def index(server: OpenSearch, name: str, settings: Mapping[str, Any]) -> Iterator[None]:
    """Make an index without waiting for its shards, and remove it again."""
    url = f"{server.url}/{name}"
    call("PUT", f"{url}?wait_for_active_shards=0&timeout=1s", {"settings": settings})
    try:
        yield
    finally:
        httpx.delete(url, timeout=30).raise_for_status()


def test_a_running_opensearch_is_named_with_its_version(opensearch: OpenSearch) -> None:
    findings = inspect(Search("search", opensearch.url))
    assert codes(findings) == []
    assert findings[0].fact.startswith("OpenSearch 3.")


def test_a_yellow_cluster_is_a_note(opensearch: OpenSearch, prefix: str) -> None:
    with index(opensearch, prefix, {"number_of_replicas": 1}):
        findings = inspect(Search("search", opensearch.url))
    (finding,) = [finding for finding in findings if finding.code == "PEN-536"]
    assert finding.severity is Severity.NOTE


def test_a_red_cluster_is_an_error(opensearch: OpenSearch, prefix: str) -> None:
    nowhere = {"number_of_replicas": 0, "routing.allocation.require._name": "no-such-node"}
    with index(opensearch, prefix, nowhere):
        findings = inspect(Search("search", opensearch.url))
    (finding,) = [finding for finding in findings if finding.code == "PEN-536"]
    assert finding.severity is Severity.ERROR


def test_an_index_over_the_flood_stage_is_an_error(opensearch: OpenSearch, prefix: str) -> None:
    blocked = {"number_of_replicas": 0, "blocks.read_only_allow_delete": True}
    with index(opensearch, prefix, blocked):
        findings = inspect(Search("search", opensearch.url))
    (finding,) = [finding for finding in findings if finding.code == "PEN-537"]
    assert finding.severity is Severity.ERROR
    assert prefix in finding.fact


def test_an_index_that_somebody_closed_to_writes_is_not_our_concern(
    opensearch: OpenSearch, prefix: str
) -> None:
    with index(opensearch, prefix, {"number_of_replicas": 0, "blocks.write": True}):
        assert "PEN-537" not in codes(inspect(Search("search", opensearch.url)))


@pytest.mark.parametrize("setting", ["cluster.blocks.create_index", "cluster.blocks.read_only"])
def test_a_block_on_the_whole_cluster_is_an_error(opensearch: OpenSearch, setting: str) -> None:
    url = f"{opensearch.url}/_cluster/settings"
    call("PUT", url, {"persistent": {setting: True}})
    try:
        findings = inspect(Search("search", opensearch.url))
    finally:
        call("PUT", url, {"persistent": {setting: None}})
    (finding,) = [finding for finding in findings if finding.code == "PEN-537"]
    assert "whole cluster" in finding.fact


@pytest.mark.parametrize(
    ("root", "severity"),
    [
        (identity("8.15.0"), Severity.OK),
        (identity("9.1.2"), Severity.OK),
        (identity("7.17.28"), Severity.ERROR),
        (identity("10.0.0"), Severity.WARNING),
        (identity("next"), Severity.WARNING),
        (as_json({"version": {"number": "2.19.1", "distribution": "opensearch"}}), Severity.OK),
        (as_json({"version": {"number": "1.3.0", "distribution": "opensearch"}}), Severity.ERROR),
        (as_json({"version": {"number": "4.0.0", "distribution": "opensearch"}}), Severity.WARNING),
    ],
)
def test_the_version_decides(root: Answer, severity: Severity) -> None:
    finding = look(good(root))[0]
    assert finding.severity is severity
    assert finding.code == ("PEN-000" if severity is Severity.OK else "PEN-535")


def test_an_opensearch_that_poses_as_elasticsearch_is_seen_through() -> None:
    root = as_json(
        {
            "version": {"number": "7.10.2"},
            "tagline": "The OpenSearch Project: https://opensearch.org/",
        }
    )
    finding = look(good(root))[0]
    assert "OpenSearch 7.10.2" in finding.fact


@pytest.mark.parametrize(
    "root",
    [
        Answer(b"<html>", 200, "text/html"),
        Answer(b"", 404, "text/html"),
        as_json([]),
        as_json({"version": "8"}),
        as_json({"version": {"number": 8}}),
        as_json({"version": {"number": "8.0.0"}, "tagline": "something else"}),
    ],
)
def test_what_does_not_say_what_it_is_is_no_search_server(root: Answer) -> None:
    assert codes(look(good(root))) == ["PEN-534"]


@pytest.mark.parametrize("status", [401, 403])
def test_refused_credentials_are_told(status: int) -> None:
    assert codes(look({"/": as_json({}, status)})) == ["PEN-533"]


def test_an_error_of_the_server_is_told() -> None:
    assert codes(look({"/": as_json({}, 503)})) == ["PEN-538"]


def test_what_may_not_be_looked_at_is_noted() -> None:
    answers = {
        **good(identity("9.0.0")),
        "/_cluster/health": as_json({}, 403),
        "/_cluster/state/blocks": as_json({}, 403),
    }
    assert codes(look(answers)) == ["PEN-539", "PEN-539"]


def test_nonsense_in_the_blocks_breaks_nothing() -> None:
    nonsense: list[object] = [[], {"global": 3}, {"global": {"1": 4}, "indices": {"a": 5}}, "x"]
    for blocks in nonsense:
        answers = {
            **good(identity("9.0.0")),
            "/_cluster/state/blocks": as_json({"blocks": blocks}),
        }
        assert codes(look(answers)) == []


def test_a_closed_port_is_told() -> None:
    (finding,) = inspect(Search("search", f"http://{closed_port()}"))
    assert finding.code == "PEN-531"
    assert "refused" in finding.fact


def test_https_to_a_server_without_tls_is_told(opensearch: OpenSearch) -> None:
    url = opensearch.url.replace("http://", "https://")
    assert codes(inspect(Search("search", url))) == ["PEN-532"]


def test_a_malformed_url_is_told() -> None:
    assert codes(inspect(Search("search", "localhost:9200"))) == ["PEN-540"]


def test_the_password_is_sent_and_never_shown() -> None:
    with serving(good(identity("9.0.0"))) as server:
        search = Search("search", server.url, "elastic", Secret("open-sesame"))
        findings = inspect(search)
    assert all(header and header.startswith("Basic ") for header in server.authorizations)
    assert "open-sesame" not in repr(findings) + repr(search)


def test_every_code_has_a_title_and_a_use() -> None:
    mentions = spoken_of(search_module)
    assert set(mentions) == set(CODES)
    assert min(mentions.values()) > 1
