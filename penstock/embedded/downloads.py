"""Bringing a bundle into the user's cache: once, whole and as pinned."""

import hashlib
import os
import shutil
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from filelock import FileLock

from penstock.embedded import ivy
from penstock.embedded.accounts import make_open, open_to_all
from penstock.embedded.bundles import Bundle, Pin
from penstock.embedded.errors import ChecksumMismatch, DownloadFailed, FolderNotUsable
from penstock.embedded.places import CACHE_VARIABLE, cache_folder
from penstock.embedded.progress import download_shown

_CHUNK: Final = 1 << 20


def is_there(bundle: Bundle) -> bool:
    """Tell whether the bundle needs no download."""
    with _usable(cache_folder()) as cache:
        return (cache / bundle.folder_name).exists()


def fetch(bundle: Bundle) -> Path:
    """Give the folder of a bundle, after downloading it if need be.

    A folder appears under its name only when it is whole, so a crash leaves
    nothing that looks finished, and a second process waits for the first.
    """
    with _usable(cache_folder()) as cache:
        home = cache / bundle.folder_name
        if home.exists():
            return home
        make_open(cache)
        with FileLock(cache / f"{bundle.name}.lock"):
            if not home.exists():
                _download(bundle, cache, home)
        return home


@contextmanager
def _usable(cache: Path) -> Iterator[Path]:
    try:
        if os.pathsep in str(cache):
            raise OSError(f"its path holds a {os.pathsep!r}, at which Java would cut it")
        yield cache
    except OSError as error:
        raise FolderNotUsable(cache, error.strerror or str(error), CACHE_VARIABLE) from error


def _download(bundle: Bundle, cache: Path, home: Path) -> None:
    # 1. Let Ivy bring the files. What it has stays until all is well, so that a
    #    second try goes on where the first one stopped.
    work = cache / f"{bundle.name}.download"
    with download_shown(bundle.title, bundle.size) as advance:
        files = ivy.retrieve(bundle, work, advance)
    # 2. Believe only what was pinned.
    if differences := list(_differences(files, bundle.pins)):
        shutil.rmtree(work)
        raise ChecksumMismatch(bundle.title, differences)
    # 3. Give it its name at once and whole.
    tree = _unpacked(bundle, files, work / "tree") if bundle.kind == "zip" else files
    open_to_all(tree)
    tree.rename(home)
    shutil.rmtree(work)


def pins_of(files: Path) -> list[Pin]:
    """Read what a folder of downloaded files holds."""
    return [Pin(file.stat().st_size, _sha256(file), file.name) for file in sorted(files.iterdir())]


def _differences(files: Path, pins: Iterable[Pin]) -> Iterable[str]:
    there = {pin.name: pin for pin in pins_of(files)}
    for pin in pins:
        found = there.pop(pin.name, None)
        if found is None:
            yield f"{pin.name} is missing"
        elif found != pin:
            yield f"{pin.name} has another checksum"
    yield from (f"{name} was not asked for" for name in there)


def _sha256(file: Path) -> str:
    digest = hashlib.sha256()
    with file.open("rb") as content:
        while chunk := content.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def _unpacked(bundle: Bundle, files: Path, tree: Path) -> Path:
    # The archive's checksum is ours, so its paths are known to be harmless;
    # zipfile refuses absolute ones and parents all the same.
    shutil.rmtree(tree, ignore_errors=True)
    (archive,) = files.iterdir()
    with zipfile.ZipFile(archive) as zipped:
        zipped.extractall(tree)
    tops = list(tree.iterdir())
    if len(tops) != 1:
        raise DownloadFailed(bundle.title, "the archive has no single top folder", cache_folder())
    return tops[0]
