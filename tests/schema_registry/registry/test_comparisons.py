"""Large comparisons hold nobody up, and hostile ones end."""

import json
import threading

import pytest

from schema_registry.registry import comparisons
from schema_registry.registry.comparisons import Comparison
from schema_registry.registry.drafts import Draft
from schema_registry.registry.records import Config, Level
from schema_registry.registry.refusals import IncompatibleSchema, Problem, Refusal
from schema_registry.registry.service import SchemaRegistry


def wide(columns: int, doc: str, kind: str = "int") -> str:
    fields = [{"name": f"f{n}", "type": ["null", kind], "default": None} for n in range(columns)]
    return json.dumps({"type": "record", "name": "W", "doc": doc, "fields": fields})


def tangled(records: int, step: int) -> str:
    """Records that refer to each other in so many ways that every pair is met."""
    fields = []
    for n in range(records):
        inner = [
            {"name": f"g{m}", "type": ["null", f"n{(n * (m + 1 + step) + m) % (n + 1)}.R"]}
            for m in range(3)
        ]
        kind = {"type": "record", "name": "R", "namespace": f"n{n}", "fields": inner}
        fields.append({"name": f"p{n}", "type": kind})
    return json.dumps({"type": "record", "name": "Root", "fields": fields})


def test_a_comparison_that_takes_too_long_is_refused(registry: SchemaRegistry) -> None:
    registry.register("s", Draft(tangled(1200, 0)))
    with pytest.raises(Refusal, match="takes too long") as refused:
        registry.register("s", Draft(tangled(1200, 3)))
    assert refused.value.error_code == 42201


def test_others_are_answered_while_schemas_are_compared(
    registry: SchemaRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    registry.register("s", Draft(wide(3, "first")))
    comparing, answered = threading.Event(), threading.Event()
    real = comparisons._compared

    # A fake in place of a schema so large that its comparison takes long for sure.
    def slowly(comparison: Comparison) -> list[Problem]:
        comparing.set()
        assert answered.wait(60)
        return real(comparison)

    monkeypatch.setattr(comparisons, "_compared", slowly)
    thread = threading.Thread(target=registry.register, args=("s", Draft(wide(4, "second"))))
    thread.start()
    assert comparing.wait(60)
    assert registry.subjects() == ["s"]
    assert registry.register("t", Draft(wide(2, "other"))).version == 1
    answered.set()
    thread.join()
    assert registry.versions("s") == [1, 2]


def test_a_transitive_level_names_the_newest_version_that_does_not_fit(
    registry: SchemaRegistry,
) -> None:
    registry.set_config("s", Config(Level.NONE))
    for number, kind in enumerate(["string", "int", "int"]):
        registry.register("s", Draft(wide(2, str(number), kind)))
    registry.set_config("s", Config(Level.BACKWARD))
    assert registry.test("s", Draft(wide(2, "new", "long"))).compatible
    registry.set_config("s", Config(Level.BACKWARD_TRANSITIVE))
    with pytest.raises(IncompatibleSchema, match="version 1") as refused:
        registry.register("s", Draft(wide(2, "new", "long")))
    assert {problem.version for problem in refused.value.problems} == {1}
