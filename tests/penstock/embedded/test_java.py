"""Finding a Java that fits, and saying so when there is none."""

from pathlib import Path

import pytest

from penstock.embedded import java
from penstock.embedded.errors import JavaNotFound
from penstock.embedded.java import KAFKA, OPENSEARCH, SPARK, Need, find_java


def pretend(home: Path, version: str) -> Path:
    """Make a Java that says a version, as old ones and new ones do."""
    executable = home / "bin" / "java"
    executable.parent.mkdir(parents=True)
    executable.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\" 2020-01-01' >&2\n")
    executable.chmod(0o755)
    return executable


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with no Java but the one that a test puts there."""
    monkeypatch.setattr(java, "_USUAL_FOLDERS", ())
    monkeypatch.setattr(java, "_carried", lambda _: None)
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("JAVA_HOME", raising=False)


def test_this_machine_can_run_every_server_and_spark() -> None:
    for need in (KAFKA, OPENSEARCH, SPARK):
        assert find_java(need).major >= need.minimum


@pytest.mark.usefixtures("bare")
def test_java_home_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = pretend(tmp_path / "ours", "21.0.1")
    theirs = pretend(tmp_path / "theirs", "17.0.2")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "ours"))
    monkeypatch.setenv("PATH", str(theirs.parent), prepend=":")
    assert find_java(KAFKA).executable == ours
    monkeypatch.delenv("JAVA_HOME")
    assert find_java(KAFKA).executable == theirs


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize("version", ["1.8.0_292", "11.0.2", "25.0.1", "nonsense"])
def test_a_version_that_does_not_fit_is_passed_over_and_named(
    version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend(tmp_path / "jdk", version)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "jdk"))
    with pytest.raises(JavaNotFound) as missing:
        find_java(Need("a test", 17, 21))
    assert "Java 17 to 21 (for a test)" in missing.value.message
    assert str(tmp_path / "jdk") in str(missing.value.cause)
    assert "apt-get install" in str(missing.value.fix)


@pytest.mark.usefixtures("bare")
def test_a_java_without_a_needed_module_does_not_fit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend(tmp_path / "jdk", "21.0.1")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "jdk"))
    with pytest.raises(JavaNotFound, match=r"jdk\.incubator\.vector"):
        find_java(SPARK)


@pytest.mark.usefixtures("bare")
def test_with_no_java_at_all_the_message_says_how_to_get_one() -> None:
    with pytest.raises(JavaNotFound) as missing:
        find_java(KAFKA)
    assert "none found" in str(missing.value.cause)
