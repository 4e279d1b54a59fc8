from pathlib import Path

import pytest

from apply import lake
from apply.lake import CODES, Lake, inspect
from diagnosis.findings import Severity
from tests.schema_registry.codes import spoken_of


def test_a_folder_that_is_there_is_tried_and_left_as_it_was(tmp_path: Path) -> None:
    (finding,) = inspect(Lake("lake", str(tmp_path)))
    assert finding.severity is Severity.OK
    assert "can be written to" in finding.fact
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_missing_could_be_made_and_is_not(tmp_path: Path) -> None:
    (finding,) = inspect(Lake("lake", str(tmp_path / "a" / "b")))
    assert finding.severity is Severity.OK
    assert "can be made" in finding.fact
    assert list(tmp_path.iterdir()) == []


def test_a_file_uri_means_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "with space"
    folder.mkdir()
    (finding,) = inspect(Lake("lake", folder.as_uri()))
    assert finding.fact == f"{folder} can be written to"


def test_a_relative_folder_is_below_the_current_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (finding,) = inspect(Lake("lake", "./warehouse"))
    assert finding.severity is Severity.OK
    assert list(tmp_path.iterdir()) == []


def test_a_file_where_the_folder_should_be_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for warehouse in (tmp_path / "file", tmp_path / "file" / "below"):
        (finding,) = inspect(Lake("lake", str(warehouse)))
        assert (finding.code, finding.severity) == ("PEN-501", Severity.ERROR)
        assert "is not a folder" in finding.fact


# Root may write wherever the permission bits say no; /proc refuses root as well.
def test_a_folder_that_takes_no_file_is_an_error() -> None:
    (finding,) = inspect(Lake("lake", "/proc"))
    assert (finding.code, finding.severity) == ("PEN-502", Severity.ERROR)


def test_a_folder_that_cannot_be_made_is_an_error() -> None:
    (finding,) = inspect(Lake("lake", "/proc/warehouse"))
    assert (finding.code, finding.severity) == ("PEN-501", Severity.ERROR)
    assert "cannot be made in /proc" in finding.fact


@pytest.mark.parametrize("name", ["a\0b", "x" * 300])
def test_a_name_that_no_folder_can_have_is_an_error(tmp_path: Path, name: str) -> None:
    assert [finding.code for finding in inspect(Lake("lake", f"{tmp_path}/{name}"))] == ["PEN-501"]


def test_a_disk_with_little_room_is_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lake, "LEAST_FREE", 1024**6)
    findings = inspect(Lake("lake", str(tmp_path)))
    assert [finding.severity for finding in findings] == [Severity.OK, Severity.WARNING]
    assert findings[1].code == "PEN-503"


@pytest.mark.parametrize("scheme", ["s3", "s3a", "gs", "abfss", "hdfs"])
def test_object_storage_is_noted_as_not_looked_at(scheme: str) -> None:
    (finding,) = inspect(Lake("lake", f"{scheme}://key:very-secret@bucket/path"))
    assert (finding.code, finding.severity) == ("PEN-504", Severity.NOTE)
    assert "very-secret" not in repr(finding)


def test_every_code_has_a_title_and_a_use() -> None:
    mentions = spoken_of(lake)
    assert set(mentions) == set(CODES)
    assert min(mentions.values()) > 1
