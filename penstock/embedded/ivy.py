"""Fetching from a Maven repository with the Ivy that PySpark ships."""

import importlib.util
import os
import re
import shutil
import time
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit
from xml.sax.saxutils import quoteattr

from penstock.embedded.bundles import Artifact, Bundle
from penstock.embedded.errors import DownloadFailed, PartMissing
from penstock.embedded.java import KAFKA, find_java
from penstock.embedded.kept import Kept, Launch
from penstock.embedded.places import cache_folder
from penstock.embedded.progress import Advance

MIRROR_VARIABLE: Final = "PENSTOCK_MAVEN_MIRROR"
POLL_SECONDS: Final = 0.2
# A registry that sends nothing for this long will not send anything any more.
SILENCE_SECONDS: Final = 120.0

_TROUBLE: Final = re.compile(
    r"(UnknownHostException|ConnectException|NoRouteToHost|SocketTimeout|SSLHandshake|"
    r"SSLException|CertificateException|Server access error|UNRESOLVED|not found|FAILED)[^\n]*",
    re.IGNORECASE,
)


def retrieve(bundle: Bundle, work: Path, advance: Advance) -> Path:
    """Bring a bundle's files into a folder below ``work``; what is there is reused.

    Ivy runs in ``work``, because it would read brackets in a path as a pattern.
    """
    work.mkdir(parents=True, exist_ok=True)
    files = work / "files"
    shutil.rmtree(files, ignore_errors=True)
    (work / "ivy.xml").write_text(_module(bundle))
    log = work / "ivy.log"
    log.unlink(missing_ok=True)
    command = (
        *(str(find_java(KAFKA).executable), *_proxy(), "-jar", str(_ivy_jar())),
        *("-ivy", "ivy.xml", "-cache", "cache", *_settings(work)),
        *("-retrieve", "files/[artifact]-[revision](-[classifier]).[ext]"),
        *("-types", *(("zip",) if bundle.kind == "zip" else ("jar", "bundle"))),
    )
    process = Kept(Launch(command, grace=2.0), log=log, cwd=work)
    try:
        _watch(process, bundle, work, advance)
    finally:
        process.stop()
    if process.poll() != 0 or not any(files.glob("*")):
        raise DownloadFailed(bundle.title, _reason(log), cache_folder())
    return files


def _watch(process: Kept, bundle: Bundle, work: Path, advance: Advance) -> None:
    seen, heard = -1, time.monotonic()
    while process.poll() is None:
        time.sleep(POLL_SECONDS)
        done = _arrived(work / "cache")
        if done != seen:
            seen, heard = done, time.monotonic()
            advance(done)
        elif time.monotonic() - heard > SILENCE_SECONDS:
            reason = f"nothing arrived for {SILENCE_SECONDS:.0f} s"
            raise DownloadFailed(bundle.title, reason, cache_folder())


def _arrived(cache: Path) -> int:
    # Ivy renames files while we look at them.
    total = 0
    for file in cache.rglob("*"):
        try:
            total += file.stat().st_size if file.is_file() else 0
        except FileNotFoundError:
            continue
    return total


def _reason(log: Path) -> str:
    found = {match[0].strip(" :\t") for match in _TROUBLE.finditer(log.read_text(errors="replace"))}
    return "; ".join(sorted(found)[:3]) or "Ivy gave no reason"


def _ivy_jar() -> Path:
    # pyspark itself is for apply alone; here only a file of it is wanted.
    spec = importlib.util.find_spec("pyspark")
    if spec is None or spec.origin is None:
        raise PartMissing("pyspark")
    return next((Path(spec.origin).parent / "jars").glob("ivy-*.jar"))


def _module(bundle: Bundle) -> str:
    dependencies = "".join(_dependency(bundle, artifact) for artifact in bundle.artifacts)
    return (
        '<ivy-module version="2.0"><info organisation="penstock" module='
        f"{quoteattr(bundle.name)}/><dependencies>{dependencies}</dependencies></ivy-module>\n"
    )


def _dependency(bundle: Bundle, artifact: Artifact) -> str:
    identity = (
        f"<dependency org={quoteattr(artifact.organisation)} name={quoteattr(artifact.name)} "
        f"rev={quoteattr(artifact.revision)}"
    )
    if bundle.kind == "jars":
        return f'{identity} conf="default"/>'
    file = f'<artifact name={quoteattr(artifact.name)} type="zip" ext="zip"/>'
    return f'{identity} transitive="false">{file}</dependency>'


def _settings(work: Path) -> list[str]:
    mirror = os.environ.get(MIRROR_VARIABLE)
    if not mirror:
        return []
    file = work / "ivysettings.xml"
    file.write_text(
        '<ivysettings><settings defaultResolver="mirror"/><resolvers>'
        f'<ibiblio name="mirror" m2compatible="true" root={quoteattr(mirror)}/>'
        "</resolvers></ivysettings>\n"
    )
    return ["-settings", file.name]


def _proxy() -> list[str]:
    # Java does not know the variables that every other tool obeys.
    options = []
    for scheme in ("http", "https"):
        address = os.environ.get(f"{scheme}_proxy") or os.environ.get(f"{scheme.upper()}_PROXY")
        host, _, port = urlsplit(address or "").netloc.rpartition("@")[2].partition(":")
        if host:
            options.append(f"-D{scheme}.proxyHost={host}")
            options.append(f"-D{scheme}.proxyPort={port or 80}")
    return options
