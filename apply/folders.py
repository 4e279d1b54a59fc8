"""Can a file be written here? Tried for real, and nothing stays."""

import tempfile
from pathlib import Path


def nearest(path: Path) -> Path:
    """Give the path itself, or the closest folder above it that exists."""
    absolute = path.absolute()
    return next(place for place in (absolute, *absolute.parents) if place.exists())


def why_not_writable(folder: Path) -> str | None:
    """Write a file and remove it. None if that worked, otherwise the reason.

    Permission bits alone would not tell: file systems may be mounted read-only,
    full, or have rules of their own.
    """
    try:
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".penstock-") as file:
            file.write(b"\0")
            file.flush()
    except OSError as error:
        return error.strerror or type(error).__name__
    return None
