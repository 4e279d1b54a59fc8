"""What is in the wheel that people install."""

import subprocess
import sys
import zipfile
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> set[PurePosixPath]:
    folder = tmp_path_factory.mktemp("wheel")
    built = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return {PurePosixPath(name) for name in archive.namelist()}


def test_the_wheel_holds_our_packages_and_nothing_else(files: set[PurePosixPath]) -> None:
    ours = {entry.parent.name for entry in ROOT.glob("*/__init__.py")} - {"tests"}
    assert len(ours) >= 7
    top = {file.parts[0] for file in files}
    assert {name for name in top if not name.endswith(".dist-info")} == ours


@pytest.mark.parametrize(
    ("folder", "pattern", "inside"),
    [
        ("docs/runbooks", "*.md", "penstock/runbooks"),
        ("penstock/embedded/pins", "*.txt", "penstock/embedded/pins"),
    ],
)
def test_the_wheel_holds_the_files_that_the_code_reads(
    files: set[PurePosixPath], folder: str, pattern: str, inside: str
) -> None:
    expected = {PurePosixPath(inside, file.name) for file in (ROOT / folder).glob(pattern)}
    assert expected
    assert expected <= files


def test_the_wheel_explains_a_code_and_knows_the_checksums_of_kafka(
    files: set[PurePosixPath],
) -> None:
    assert PurePosixPath("penstock/runbooks/PEN-203.md") in files
    assert PurePosixPath("penstock/embedded/pins/kafka.txt") in files
