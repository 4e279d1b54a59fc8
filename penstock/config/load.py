"""From a path to a checked connector: read, parse, substitute, check."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from diagnosis.secrets import conceal
from penstock.config import document
from penstock.config.errors import InvalidContent, Problem, UnreadableFile, nearest, printable
from penstock.config.explain import explain, without_value
from penstock.config.model import Connector
from penstock.config.origin import LiteralSecret, Origin
from penstock.config.references import substitute
from penstock.config.secret_places import ELSEWHERE, Place, key_text, sensitive_parts
from penstock.config.tree import Mapped, Scalar, plain, walk


@dataclass(frozen=True, slots=True)
class LoadedConnector:
    """A connector, and where each part of it stands in the file."""

    connector: Connector
    origin: Origin


def load(path: Path, environ: Mapping[str, str] = os.environ) -> Connector:
    """Read a connector file, or raise a ConfigError that names file, line and key."""
    return load_with_origin(path, environ).connector


def load_with_origin(path: Path, environ: Mapping[str, str] = os.environ) -> LoadedConnector:
    """Read a connector file, and keep where everything stands."""
    return load_content(_content(path), path, environ)


def load_content(
    content: bytes, path: Path, environ: Mapping[str, str] = os.environ
) -> LoadedConnector:
    """Check what stands, or is to stand, in a connector file."""
    file, folder = str(path), Path(os.path.abspath(path)).parent
    # 1. Text to a tree that knows its lines, within bounds.
    written = document.parse(content, file)
    # 2. Variables and files into its values, now that they can't change its shape.
    root = substitute(written, file, folder, environ)
    # 3. No text may show its secrets from here on, least of all the next errors.
    secrets = _secrets(root)
    for secret in secrets:
        conceal(secret)
    # 4. The tree to a connector.
    connector = _checked(root, file, folder, secrets)
    lines = {key_text(place): line for place, line, _ in walk(root) if place}
    return LoadedConnector(connector, Origin(path, lines, _literal_secrets(root)))


def _content(path: Path) -> bytes:
    what, hint = "", None
    try:
        with path.open("rb") as opened:
            return opened.read(document.LARGEST_FILE + 1)
    except FileNotFoundError:
        what, hint = "the file does not exist", _similar(path)
    except IsADirectoryError:
        what, hint = "this is a folder", "name the connector file in it"
    except (OSError, ValueError) as error:
        what = f"the file can't be read: {getattr(error, 'strerror', None) or 'not a path'}"
    raise UnreadableFile(Problem(str(path), None, "", what, hint))


def _similar(path: Path) -> str | None:
    try:
        # The suffix says too little: every file here may be called .yaml.
        names = {entry.stem: entry.name for entry in path.parent.iterdir() if entry.is_file()}
    except (OSError, ValueError):
        return None
    close = nearest(path.stem, names)
    return f"did you mean {printable(str(path.with_name(names[close])), 200)}?" if close else None


def _secrets(root: Mapped) -> frozenset[str]:
    return frozenset(
        part
        for place, _, node in walk(root)
        if isinstance(node, Scalar)
        for part in sensitive_parts(place, node.text)
    )


def _checked(root: Mapped, file: str, folder: Path, secrets: frozenset[str]) -> Connector:
    connector: Connector | None = None
    problems: list[Problem] = []
    try:
        connector = Connector.model_validate(plain(root), context=folder)
    except ValidationError as error:
        problems = explain(error, root, file, secrets)
    else:
        problems = without_value(root, file)
    if connector is None or problems:
        # Raised out here, so that no context with the input hangs on the error.
        raise InvalidContent(problems)
    return connector


def _literal_secrets(root: Mapped) -> tuple[LiteralSecret, ...]:
    return tuple(
        LiteralSecret(key_text(place), line)
        for place, line, node in walk(root)
        if isinstance(node, Scalar) and _is_literal(place, node)
    )


def _is_literal(place: Place, node: Scalar) -> bool:
    """Tell whether any secret part stands in the file itself, be it as a default."""
    text = node.literal if node.literal is not None else node.text
    return any(part.strip(ELSEWHERE) for part in sensitive_parts(place, text))
