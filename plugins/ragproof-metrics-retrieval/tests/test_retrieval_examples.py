"""The worked examples of docs/metrics/retrieval.md, through the engine."""

import json
import re
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from ragproof_core import evaluate

PAGE = Path(__file__).parents[3] / "docs" / "metrics" / "retrieval.md"
EXAMPLES = [
    json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
]
HOOKS = {"retrieved": "retrieve", "exact": "retrieve_exact"}


class Recorded:
    """An adapter with just the hooks that the example's response has a field for."""

    def __init__(self, response):
        for field, chunks in response.items():
            found = [{"id": chunk} if isinstance(chunk, str) else chunk for chunk in chunks]
            setattr(self, HOOKS[field], lambda found=found, **_: found)


@pytest.mark.parametrize("example", EXAMPLES, ids=[f"{n}-{e['metric']}" for n, e in enumerate(EXAMPLES)])
def test_worked_example(example):
    [row] = evaluate(
        {"run": example["run"]},
        cases=[{"id": "1", "question": "?"} | example["case"]],
        adapter=Recorded(example["response"]),
        metrics=example["metric"],
    ).rows
    outcome = row.scores[example["metric"]]
    assert (outcome.status, outcome.reason) == (example.get("status", "scored"), example.get("reason"))
    assert outcome.value == (None if example["value"] is None else pytest.approx(example["value"], abs=1e-15))


def test_every_metric_has_a_worked_value():
    installed = {
        entry.name
        for entry in entry_points(group="ragproof.metrics")
        if entry.value.startswith("ragproof_metrics_retrieval.")
    }
    assert {example["metric"] for example in EXAMPLES if example["value"] is not None} == installed
