"""A folder that happens to be called ``capture`` must not be taken for ours."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from penstock.siblings import SIBLINGS

ROOT = Path(__file__).parents[2]


def imported(path: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "import penstock.config"],
        cwd=path,
        env={**os.environ, "PYTHONPATH": f"{path}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_alone_it_is_imported(tmp_path: Path) -> None:
    assert imported(tmp_path).returncode == 0


@pytest.mark.parametrize("name", SIBLINGS)
@pytest.mark.parametrize("kind", ["package", "module"])
def test_a_stranger_in_a_siblings_place_is_named(name: str, kind: str, tmp_path: Path) -> None:
    stranger = tmp_path / name if kind == "package" else tmp_path / f"{name}.py"
    if kind == "package":
        stranger.mkdir()
        (stranger / "__init__.py").touch()
    else:
        stranger.touch()
    refused = imported(tmp_path)
    assert refused.returncode == 1
    last = refused.stderr.splitlines()[-1]
    assert last.startswith("ImportError: the package ")
    assert str(stranger) in last
    assert str(ROOT / name) in last
