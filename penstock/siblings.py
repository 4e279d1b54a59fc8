"""The packages beside this one, and that nobody else's stand in their place.

They have plain names (``capture``, ``apply``): a folder of that name earlier on
the path would be imported instead, and the error would be a riddle. Importing
``penstock`` runs this check once.
"""

import importlib.util
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Final

SIBLINGS: Final = ("apply", "capture", "diagnosis", "schema_registry", "snapshot", "transport")


def refuse_strangers(root: Path) -> None:
    """Raise an ImportError unless every sibling lies in the folder that holds us."""
    for name in SIBLINGS:
        spec = importlib.util.find_spec(name)
        found = _folder(spec)
        if found != root / name:
            raise ImportError(
                f"the package {name!r} of Penstock is shadowed: it should be {root / name}, but "
                f"Python finds {found or 'nothing'}. Rename or remove that one, or take its "
                "folder off PYTHONPATH and sys.path",
                name=name,
            )


def _folder(spec: ModuleSpec | None) -> Path | None:
    if spec is None:
        return None
    if spec.origin is not None:
        file = Path(spec.origin)
        return file.parent if file.name == "__init__.py" else file
    # A folder without __init__.py is importable too, and is no package of ours.
    return next((Path(place) for place in spec.submodule_search_locations or ()), None)


refuse_strangers(Path(__file__).parent.parent)
