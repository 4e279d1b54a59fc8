"""Schemathesis: requests made from the API's own description, answers held against it.

``PENSTOCK_SCHEMATHESIS_EXAMPLES`` sets how many requests each operation gets.
"""

import json
import os
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.specs.openapi.checks import (
    allow_header_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)
from schemathesis.specs.openapi.schemas import OpenApiSchema

from schema_registry.rest.routes import ROUTES, Route
from tests.fixtures.servers import Kafka
from tests.schema_registry.rest.api import Api, user
from tests.schema_registry.rest.conftest import asked, opened

EXAMPLES = int(os.environ.get("PENSTOCK_SCHEMATHESIS_EXAMPLES", "15"))
CHECKS = [
    schemathesis.checks.not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    allow_header_conformance,
    unsupported_method,
]

# What a generated request would hardly ever hit on by itself.
KNOWN_PATHS: dict[str, list[Any]] = {
    "subject": ["known", "deleted"],
    "version": ["1", "2", "latest"],
    "id": [1, 2],
}
SCHEMAS = [user("a"), user("a", "b?"), user("a", "b"), '"string"', "{}", "["]


@pytest.fixture(scope="module")
def described(kafka: Kafka) -> Iterator[tuple[Api, OpenApiSchema]]:
    """A registry that holds something, and its description."""
    with opened(kafka, f"t{uuid.uuid4().hex[:10]}") as registry, asked(registry) as api:
        for subject in ("known", "deleted"):
            api.register(subject, user("a"))
            api.register(subject, user("a", "b?"))
        api.delete("/subjects/deleted")
        yield api, schemathesis.openapi.from_url(f"{api.url}/openapi.json")


def operations() -> Iterator[Any]:
    """Every route with requests as described; and with others, where others can be made."""
    for route in ROUTES:
        name = f"{route.method} {route.path}"
        yield pytest.param(route, GenerationMode.POSITIVE, id=f"{name} as described")
        bounded = "{subject}" in route.path or "{id}" in route.path
        if bounded or route.body or route.flags or route.paged:
            yield pytest.param(route, GenerationMode.NEGATIVE, id=f"{name} otherwise")


@pytest.mark.parametrize(("route", "mode"), list(operations()))
def test_every_answer_is_as_described(
    described: tuple[Api, OpenApiSchema], route: Route, mode: GenerationMode
) -> None:
    api, schema = described
    # An earlier test may have closed it, and then there would be little to see.
    api.put("/mode", mode="READWRITE")
    operation = schema[route.path][route.method]

    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode), data=st.data())
    def ask(case: Case[Any], data: st.DataObject) -> None:
        if mode is GenerationMode.POSITIVE and data.draw(st.booleans()):
            lead_to_what_is_there(case, data)
        case.call_and_validate(checks=CHECKS)

    ask()
    api.put("/mode", mode="READWRITE")
    assert api.get("/health")["lastId"] >= 2


def lead_to_what_is_there(case: Case[Any], data: st.DataObject) -> None:
    paths: dict[str, Any] = case.path_parameters
    for name in paths.keys() & KNOWN_PATHS:
        paths[name] = data.draw(st.sampled_from(KNOWN_PATHS[name]))
    if isinstance(case.body, dict) and "schema" in case.body:
        case.body = {**case.body, "schema": data.draw(st.sampled_from(SCHEMAS))}


def test_the_description_names_every_shape_that_it_uses(common_api: Api) -> None:
    text = common_api.ask("GET", "/openapi.json").body
    shapes = json.loads(text)["components"]["schemas"]
    used = {part.partition('"')[0] for part in text.split("#/components/schemas/")[1:]}
    assert used == set(shapes)
