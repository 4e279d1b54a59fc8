"""The rules of the house that no other tool checks."""

import ast
from pathlib import Path

import pytest
import yaml

from penstock.embedded import bundles

ROOT = Path(__file__).parents[1]
PACKAGES = ("apply", "capture", "diagnosis", "penstock", "schema_registry", "snapshot", "transport")
SOURCES = [file for package in PACKAGES for file in sorted((ROOT / package).rglob("*.py"))]


def name_of(file: Path) -> str:
    return str(file.relative_to(ROOT))


@pytest.mark.parametrize("file", [f for f in SOURCES if f.name == "__init__.py"], ids=name_of)
def test_a_package_is_a_map_and_no_code(file: Path) -> None:
    body = ast.parse(file.read_text()).body
    assert ast.get_docstring(ast.Module(body, [])), "its docstring is the map"
    rest = [ast.unparse(node) for node in body[1:]]
    # The one exception: importing penstock refuses strangers in its siblings' place.
    guard = ["from penstock import siblings as siblings"]
    assert rest == (guard if file.parent == ROOT / "penstock" else [])


@pytest.mark.parametrize("file", [f for f in SOURCES if f.name == "__init__.py"], ids=name_of)
def test_the_map_names_every_module(file: Path) -> None:
    docstring = ast.get_docstring(ast.parse(file.read_text())) or ""
    mapped = {line.split()[0] for line in docstring.splitlines() if "  " in line.strip()}
    there = {
        entry.stem
        for entry in file.parent.iterdir()
        if entry != file
        and (entry.suffix == ".py" or (entry.is_dir() and (entry / "__init__.py").exists()))
    }
    assert there <= mapped
    assert mapped - there == set()


def test_the_protocol_of_postgres_is_spoken_nowhere_yet() -> None:
    users = [name_of(file) for file in SOURCES if "psycopg.pq" in file.read_text()]
    assert users == []


def test_compose_gives_the_servers_that_we_embed() -> None:
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    images = {name: service["image"] for name, service in services.items()}
    assert images.keys() >= {
        *("postgres", "postgres16", "kafka", "opensearch", "spark", "prometheus", "grafana")
    }
    assert images["postgres"].startswith("postgres:18")
    assert images["postgres16"].startswith("postgres:16")
    assert images["kafka"].endswith(f":{bundles.KAFKA.version}")
    assert images["opensearch"].endswith(f":{bundles.OPENSEARCH.version}")
    assert ":4.0.0" in images["spark"]
