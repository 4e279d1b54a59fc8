"""Folders that appear under their name whole, or not at all."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path


def made_once(folder: Path, make: Callable[[Path], object]) -> Path:
    """Give a folder, made beside its place and then moved there if it is missing."""
    if folder.exists():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    half = folder.with_name(f".{folder.name}.{os.getpid()}")
    try:
        make(half)
        half.rename(folder)
    except OSError:
        shutil.rmtree(half, ignore_errors=True)
        if not folder.exists():  # else another process was quicker; its folder is as good
            raise
    return folder
