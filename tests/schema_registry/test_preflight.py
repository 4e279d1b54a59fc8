import base64
import logging
from collections.abc import Mapping
from pathlib import Path

import pytest

from diagnosis.errors import Area
from diagnosis.findings import Finding, Severity
from diagnosis.secrets import Secret
from schema_registry import http, preflight
from schema_registry.preflight import CODES, Registry, inspect
from tests.schema_registry.codes import spoken_of
from tests.schema_registry.foreign_server import Answer, as_json, serving, write_certificate
from tests.transport.listeners import babbling_listener, closed_port, silent_listener

GOOD: Mapping[str, Answer] = {
    "/subjects": as_json(["shop.public.orders-value"]),
    "/mode": as_json({"mode": "READWRITE"}),
    "/config": as_json({"compatibilityLevel": "BACKWARD"}),
}


def codes(findings: list[Finding], least: Severity = Severity.NOTE) -> list[str]:
    return [finding.code for finding in findings if finding.severity >= least]


def look(answers: Mapping[str, Answer], path: str = "") -> list[Finding]:
    with serving(answers) as server:
        return inspect(Registry(server.url + path))


def test_the_embedded_registry_needs_no_look() -> None:
    findings = inspect(Registry())
    assert [(finding.severity, finding.area) for finding in findings] == [
        (Severity.OK, Area.REGISTRY)
    ]


def test_a_good_registry_passes() -> None:
    findings = look(GOOD)
    assert codes(findings) == []
    facts = " | ".join(finding.fact for finding in findings)
    assert "1 subjects" in facts
    assert "BACKWARD" in facts


def test_a_registry_below_a_path_is_found() -> None:
    below = {f"/apis/ccompat/v7{path}": answer for path, answer in GOOD.items()}
    assert codes(look(below, "/apis/ccompat/v7")) == []
    assert codes(look(below, "/apis/ccompat/v7/")) == []


def test_a_closed_port_is_told() -> None:
    (finding,) = inspect(Registry(f"http://{closed_port()}"))
    assert finding.code == "PEN-401"
    assert "refused" in finding.fact


def test_a_host_that_is_not_known_is_told() -> None:
    (finding,) = inspect(Registry("http://nowhere.invalid:8081"))
    assert finding.code == "PEN-401"
    assert finding.subject == "registry http://nowhere.invalid:8081"


def test_a_server_that_says_nothing_is_given_up_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "ANSWER_WITHIN", 0.5)
    with silent_listener() as address:
        (finding,) = inspect(Registry(f"http://{address}"))
    assert (finding.code, finding.fact) == ("PEN-401", "no answer in time")


def test_a_server_that_speaks_no_http_is_no_registry() -> None:
    with babbling_listener(b"SSH-2.0-OpenSSH_9.2\r\n") as address:
        assert codes(inspect(Registry(f"http://{address}"))) == ["PEN-404"]


@pytest.mark.parametrize("status", [401, 403])
def test_refused_credentials_are_told(status: int) -> None:
    assert codes(look({"/subjects": as_json({"error_code": status}, status)})) == ["PEN-403"]


@pytest.mark.parametrize(
    "answer",
    [
        Answer(b"<html>hello</html>", 200, "text/html"),
        Answer(b"<html>where?</html>", 404, "text/html"),
        as_json({"subjects": []}),
        as_json([1, 2, 3]),
        as_json(None),
        Answer(b"\xff\xfe\x00", 200),
        Answer(b"[" * 200_000, 200),
        Answer(b"", 204),
        Answer(b"", 302, "text/html", {"Location": "https://login.example/"}),
    ],
)
def test_what_gives_no_list_of_subjects_is_no_registry(answer: Answer) -> None:
    assert codes(look({**GOOD, "/subjects": answer})) == ["PEN-404"]


def test_an_answer_without_end_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "LONGEST_BODY", 10_000)
    assert codes(look({**GOOD, "/subjects": Answer(b" " * 10_001)})) == ["PEN-404"]


def test_an_error_of_the_registry_is_not_taken_for_another_server() -> None:
    answer = as_json({"error_code": 50001, "message": "error in the backend"}, 500)
    assert codes(look({"/subjects": answer})) == ["PEN-407"]


@pytest.mark.parametrize("mode", ["READONLY", "READONLY_OVERRIDE", "IMPORT", "FORWARD"])
def test_a_registry_that_takes_no_schemas_is_an_error(mode: str) -> None:
    findings = look({**GOOD, "/mode": as_json({"mode": mode})})
    assert codes(findings, Severity.ERROR) == ["PEN-405"]
    assert mode in findings[1].fact


@pytest.mark.parametrize("field", ["compatibilityLevel", "compatibility"])
def test_compatibility_none_is_a_warning(field: str) -> None:
    findings = look({**GOOD, "/config": as_json({field: "NONE"})})
    assert codes(findings) == ["PEN-406"]
    assert findings[-1].severity is Severity.WARNING


def test_what_the_registry_does_not_tell_is_noted() -> None:
    findings = look({"/subjects": GOOD["/subjects"], "/mode": as_json({"mode": ["x"]})})
    assert codes(findings) == ["PEN-408", "PEN-408"]


@pytest.mark.parametrize(
    "url",
    [
        "",
        "registry:8081",
        "ftp://registry",
        "http://",
        "http://host:port",
        "http://host:99999",
        "http://user:se/cret-word@host:8081",
        "http://host\0name",
    ],
)
def test_a_malformed_url_is_told_without_quoting_it(url: str) -> None:
    findings = inspect(Registry(url))
    assert codes(findings) == ["PEN-409"]
    assert "cret-word" not in repr(findings)


def test_credentials_in_the_url_are_used_and_never_shown(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    with serving(GOOD) as server:
        url = f"http://app:p%40ss-wörd@127.0.0.1:{server.port}"
        findings = inspect(Registry(url))
    expected = "Basic " + base64.b64encode("app:p@ss-wörd".encode()).decode()
    assert server.authorizations == [expected] * 3
    assert codes(findings) == []
    assert "ss-w" not in repr(findings) + caplog.text


def test_a_failing_url_with_credentials_does_not_show_them() -> None:
    findings = inspect(Registry(f"http://app:open-sesame@{closed_port()}"))
    assert codes(findings) == ["PEN-401"]
    assert "open-sesame" not in repr(findings)


def test_username_and_password_are_sent() -> None:
    with serving(GOOD) as server:
        inspect(Registry(server.url, username="app", password=Secret("open-sesame")))
    expected = "Basic " + base64.b64encode(b"app:open-sesame").decode()
    assert server.authorizations == [expected] * 3


def test_a_token_is_sent_without_the_newline_of_its_file() -> None:
    with serving(GOOD) as server:
        inspect(Registry(server.url, token=Secret("abc-token-def\n")))
    assert server.authorizations == ["Bearer abc-token-def"] * 3


def test_a_token_that_no_header_can_carry_is_refused_and_not_shown() -> None:
    findings = inspect(Registry("http://127.0.0.1:1", token=Secret("first-line\nsecond-line")))
    assert codes(findings) == ["PEN-409"]
    assert "line" not in repr(findings)


def test_credentials_over_plain_http_to_another_machine_are_a_warning() -> None:
    endpoint = http.Endpoint("http://registry.example:8081", "app", Secret("open-sesame"))
    assert http.open_credentials(endpoint)
    assert not http.open_credentials(http.Endpoint("http://registry.example:8081"))
    assert not http.open_credentials(http.Endpoint("https://app:open-sesame@registry.example"))
    assert not http.open_credentials(http.Endpoint("http://app:open-sesame@127.0.0.1:8081"))


def test_a_certificate_that_nobody_vouches_for_is_refused(tmp_path: Path) -> None:
    with serving(GOOD, tls_folder=tmp_path) as server:
        (finding,) = inspect(Registry(f"https://localhost:{server.port}"))
    assert finding.code == "PEN-402"
    assert "certificate" in finding.fact


def test_a_certificate_that_the_given_ca_vouches_for_is_accepted(tmp_path: Path) -> None:
    with serving(GOOD, tls_folder=tmp_path) as server:
        registry = Registry(f"https://localhost:{server.port}", ca=write_certificate(tmp_path))
        assert codes(inspect(registry)) == []


def test_a_certificate_for_another_name_is_refused(tmp_path: Path) -> None:
    with serving(GOOD, tls_folder=tmp_path) as server:
        registry = Registry(f"https://127.0.0.1:{server.port}", ca=write_certificate(tmp_path))
        assert codes(inspect(registry)) == ["PEN-402"]


def test_https_to_a_server_without_tls_is_told() -> None:
    with serving(GOOD) as server:
        assert codes(inspect(Registry(f"https://127.0.0.1:{server.port}"))) == ["PEN-402"]


def test_http_to_a_server_with_tls_is_told(tmp_path: Path) -> None:
    with serving(GOOD, tls_folder=tmp_path) as server:
        (finding,) = inspect(Registry(f"http://localhost:{server.port}"))
    assert finding.code in ("PEN-402", "PEN-404")


@pytest.mark.parametrize("text", [None, "this is no certificate"])
def test_an_unusable_ca_file_is_named(tmp_path: Path, text: str | None) -> None:
    ca = tmp_path / "some-ca.pem"
    if text is not None:
        ca.write_text(text)
    (finding,) = inspect(Registry("https://127.0.0.1:1", ca=ca))
    assert finding.code == "PEN-402"
    assert "some-ca.pem" in finding.fact


def test_every_code_has_a_title_and_a_use() -> None:
    mentions = spoken_of(preflight)
    assert set(mentions) == set(CODES)
    assert min(mentions.values()) > 1
