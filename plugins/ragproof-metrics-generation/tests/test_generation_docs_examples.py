"""The worked examples of the documentation give the values that are printed there."""

import json
import re
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from ragproof_core import Chunk

DOCS = Path(__file__).parents[3] / "docs" / "metrics"
METRICS = {
    entry.name: entry.load()
    for entry in entry_points(group="ragproof.metrics")
    if entry.value.startswith("ragproof_metrics_generation.")
}


def examples():
    for page in ("generation.md", "context.md"):
        if not (DOCS / page).exists():
            continue
        metric = None
        for heading, block in re.findall(
            r"^## (\S+)$|^```json\n(.*?)^```$", (DOCS / page).read_text(), re.MULTILINE | re.DOTALL
        ):
            metric = heading or metric
            if block:
                yield metric, json.loads(block)


EXAMPLES = list(examples())
pytestmark = pytest.mark.skipif(not DOCS.exists(), reason="the documentation is not beside this package")


def test_every_metric_has_an_example():
    assert {name for name, _ in EXAMPLES} == set(METRICS)


@pytest.mark.parametrize(("name", "example"), EXAMPLES, ids=[name for name, _ in EXAMPLES])
def test_example(judged, name, example):
    response = example["response"]
    context = response.get("context")
    outcome, _ = judged(
        METRICS[name](),
        example["verdict"],
        answer=response.get("answer"),
        citations=response.get("citations", ()),
        context=None if context is None else tuple(Chunk(*item) for item in context.items()),
        **example["case"],
    )
    assert (outcome.status, outcome.value) == (example.get("status", "scored"), example["value"])
