"""Downloads: once, whole, as pinned; and clear words when that is not to be had."""

import io
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from penstock.embedded import bundles
from penstock.embedded.bundles import Artifact, Bundle
from penstock.embedded.downloads import fetch, is_there
from penstock.embedded.errors import ChecksumMismatch, DownloadFailed
from penstock.embedded.places import CACHE_VARIABLE
from penstock.embedded.ports import free_port
from tests.penstock.embedded.maven import Repository, served

CONTENT = b"not really a jar, but bytes are bytes" * 100

FETCH = """
import sys
from pathlib import Path
from penstock.embedded import bundles
from penstock.embedded.bundles import Artifact, Bundle
from penstock.embedded.downloads import fetch

bundles._PINS = Path(sys.argv[1])
artifacts = (Artifact("org.example", "thing", "1.0"),)
print(fetch(Bundle("thing", "Thing 1.0", "1.0", artifacts, "jars")))
"""


@pytest.fixture
def pins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "pins"
    folder.mkdir()
    monkeypatch.setattr(bundles, "_PINS", folder)
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    return folder


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Repository]:
    (tmp_path / "maven").mkdir()
    with served(tmp_path / "maven") as made:
        monkeypatch.setenv("PENSTOCK_MAVEN_MIRROR", made.url)
        yield made


def bundle_of(kind: str = "jars") -> Bundle:
    artifacts = (Artifact("org.example", "thing", "1.0"),)
    return Bundle("thing", "Thing 1.0", "1.0", artifacts, "zip" if kind == "zip" else "jars")


def pin(pins: Path, sha256: str, content: bytes = CONTENT, suffix: str = "jar") -> None:
    (pins / "thing.txt").write_text(f"{len(content)} {sha256} thing-1.0.{suffix}\n")


def test_a_bundle_is_downloaded_once(pins: Path, repository: Repository) -> None:
    pin(pins, repository.publish(CONTENT))
    bundle = bundle_of()
    assert not is_there(bundle)
    first = fetch(bundle)
    assert (first / "thing-1.0.jar").read_bytes() == CONTENT
    assert fetch(bundle) == first
    assert repository.downloads() == 1


def test_an_archive_is_unpacked(pins: Path, repository: Repository) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as zipped:
        zipped.writestr("thing-1.0/lib/a.txt", "inside")
    sha256 = repository.publish(buffer.getvalue(), "zip")
    pin(pins, sha256, buffer.getvalue(), "zip")
    assert (fetch(bundle_of("zip")) / "lib" / "a.txt").read_text() == "inside"


def test_other_bytes_than_pinned_are_refused_and_not_kept(
    pins: Path, repository: Repository, tmp_path: Path
) -> None:
    sha256 = repository.publish(CONTENT)
    repository.publish(CONTENT + b"!")
    pin(pins, sha256)
    with pytest.raises(ChecksumMismatch, match=r"thing-1\.0\.jar has another checksum"):
        fetch(bundle_of())
    assert not is_there(bundle_of())
    assert not list((tmp_path / "cache").rglob("*.jar"))

    repository.publish(CONTENT)
    assert (fetch(bundle_of()) / "thing-1.0.jar").read_bytes() == CONTENT


def test_a_file_that_was_not_asked_for_is_refused(pins: Path, repository: Repository) -> None:
    repository.publish(CONTENT)
    (pins / "thing.txt").write_text("")
    with pytest.raises(ChecksumMismatch, match="was not asked for"):
        fetch(bundle_of())


def test_without_a_network_the_message_says_so(pins: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pin(pins, "0" * 64)
    monkeypatch.setenv("PENSTOCK_MAVEN_MIRROR", f"http://127.0.0.1:{free_port()}/")
    with pytest.raises(DownloadFailed) as failed:
        fetch(bundle_of())
    assert "refused" in str(failed.value.cause)
    assert "network" in str(failed.value.fix)
    assert not is_there(bundle_of())


def test_an_artifact_that_is_not_there_is_named(pins: Path, repository: Repository) -> None:
    pin(pins, "0" * 64)
    with pytest.raises(DownloadFailed) as failed:
        fetch(bundle_of())
    assert "not found" in str(failed.value.cause)


def test_two_processes_at_once_download_once(pins: Path, repository: Repository) -> None:
    pin(pins, repository.publish(CONTENT))
    both = [
        subprocess.Popen(
            [sys.executable, "-c", FETCH, str(pins)], stdout=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    said = {process.communicate(timeout=60)[0] for process in both}
    assert [process.returncode for process in both] == [0, 0]
    assert len(said) == 1
    assert repository.downloads() == 1


def test_the_pins_name_no_host() -> None:
    for bundle in bundles.BUNDLES:
        assert bundle.pins
        assert "://" not in bundle.pin_file.read_text()
