"""Where downloads and data of the embedded servers live on this machine."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import platformdirs

CACHE_VARIABLE: Final = "PENSTOCK_CACHE"

# Postgres and OpenSearch refuse to run as root, and the user they run as then
# cannot enter root's home: what root downloads and starts lies in /var.
_ROOT_CACHE: Final = Path("/var/cache/penstock")
_ROOT_STATE: Final = Path("/var/lib/penstock")
# On a disk: /tmp is often memory, and smaller than a server's data.
_SCRATCH: Final = Path("/var/tmp")  # noqa: S108


def cache_folder() -> Path:
    """Tell where downloads are kept, for all projects of this user."""
    if chosen := os.environ.get(CACHE_VARIABLE):
        return Path(chosen).absolute()
    return _ROOT_CACHE if _is_root() else platformdirs.user_cache_path("penstock")


def dev_folder() -> Path:
    """Tell where ``penstock dev`` keeps its servers unless ``--dir`` says otherwise."""
    state = _ROOT_STATE if _is_root() else platformdirs.user_state_path("penstock")
    return state / "dev"


def _is_root() -> bool:
    return os.geteuid() == 0


@contextmanager
def scratch_folder(purpose: str) -> Iterator[Path]:
    """Make a folder that the servers' user can enter, and remove it at the end."""
    folder = Path(tempfile.mkdtemp(prefix=f"penstock-{purpose}-", dir=_SCRATCH))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)
