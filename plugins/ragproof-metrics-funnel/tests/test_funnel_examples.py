"""The worked examples of docs/metrics/funnel.md."""

import json
import re
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from ragproof_core import Outcome, RunSettings, ScoreRow, evaluate

PAGE = Path(__file__).parents[3] / "docs" / "metrics" / "funnel.md"
BLOCKS = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)]
EXAMPLES = [block for block in BLOCKS if "metric" in block]
SUMMARIES = [block for block in BLOCKS if "summary" in block]
METRICS = {
    entry.name: entry.load()
    for entry in entry_points(group="ragproof.metrics")
    if entry.value.startswith("ragproof_metrics_funnel.")
}


class Recorded:
    """An adapter with just the hooks that the example's response has a field for."""

    def __init__(self, response):
        if "answer" in response:
            self.answer = lambda question: response["answer"]
        if "retrieved" in response:
            found = [{"id": chunk} if isinstance(chunk, str) else chunk for chunk in response["retrieved"]]
            self.retrieve = lambda question: found


def outcome_of(example):
    name = example["metric"]
    if "outcomes" in example:
        earlier = {
            metric: Outcome("skipped" if value is None else "scored", value)
            for metric, value in example["outcomes"].items()
        }
        return METRICS[name]().score(outcomes=earlier)
    cases = [{"id": "1", "question": "?"} | example["case"]]
    config = {"run": example.get("run", {})}
    [row] = evaluate(config, cases=cases, adapter=Recorded(example["response"]), metrics=name).rows
    return row.scores[name]


@pytest.mark.parametrize("example", EXAMPLES, ids=[f"{n}-{e['metric']}" for n, e in enumerate(EXAMPLES)])
def test_worked_example(example):
    assert outcome_of(example) == (example.get("status", "scored"), example["value"], example.get("reason"))


@pytest.mark.parametrize("example", SUMMARIES)
def test_worked_summary(example):
    rows = [ScoreRow(str(n), "qa", (), "ok", values) for n, values in enumerate(example["summary"])]
    found = {}
    for metric in METRICS.values():
        if hasattr(metric, "summarize"):
            found |= metric().summarize(rows=rows)
    assert found == example["values"]


def test_every_stage_has_a_worked_value():
    assert {example["metric"] for example in EXAMPLES if example["value"] is not None} == set(METRICS)
    assert RunSettings().k == 5  # the default that the examples without "run" rely on
