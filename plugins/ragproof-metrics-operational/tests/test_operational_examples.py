"""The worked examples of docs/metrics/operational.md."""

import json
import re
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from ragproof_core import Answer, Response

PAGE = Path(__file__).parents[3] / "docs" / "metrics" / "operational.md"
EXAMPLES = [
    json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
]
METRICS = {
    entry.name: entry.load()
    for entry in entry_points(group="ragproof.metrics")
    if entry.value.startswith("ragproof_metrics_operational.")
}


def response(given):
    answer = given.get("answer")
    return Response(answer=answer and Answer(**answer), timings_ms=given.get("timings_ms", {}))


@pytest.mark.parametrize("example", EXAMPLES, ids=[f"{n}-{e['metric']}" for n, e in enumerate(EXAMPLES)])
def test_worked_example(example):
    outcome = METRICS[example["metric"]]().score(response(example["response"]))
    if example["value"] is None:
        assert outcome == (example["status"], None, example["reason"])
    else:
        assert outcome == example["value"]


def test_every_metric_has_a_worked_value():
    assert {example["metric"] for example in EXAMPLES if example["value"] is not None} == set(METRICS)
