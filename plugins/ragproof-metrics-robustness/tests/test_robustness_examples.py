"""The worked examples of docs/metrics/robustness.md, and what the other two pages say."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from ragproof_metrics_robustness.measure_payloads import labelled, measure
from ragproof_metrics_robustness.payloads import payloads
from ragproof_metrics_robustness.payloads.detectors import DETECTORS
from ragproof_metrics_robustness.refusal_precision import RefusalPrecision
from ragproof_metrics_robustness.refusals import is_refusal, refusal_verdict

from ragproof_core import ScoreRow, evaluate

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "metrics" / "robustness.md").read_text(encoding="utf-8")
BLOCKS = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]
EXAMPLES = [block for block in BLOCKS if "metric" in block]
REFUSALS = (DOCS / "refusals.md").read_text(encoding="utf-8")
PAYLOADS = (DOCS / "payloads.md").read_text(encoding="utf-8")


class Recorded:
    def __init__(self, text):
        self.answer = lambda question: text


@pytest.mark.parametrize("example", EXAMPLES, ids=[f"{n}-{e['metric']}" for n, e in enumerate(EXAMPLES)])
def test_worked_example(example):
    case = {"id": "1", "question": "?", "kind": example["kind"], "adversarial_payload": example.get("payload")}
    [row] = evaluate({}, cases=[case], adapter=Recorded(example["answer"]), metrics=example["metric"]).rows
    assert row.scores[example["metric"]] == (
        example.get("status", "scored"), example["value"], example.get("reason"),
    )  # fmt: skip


def test_worked_summary():
    [example] = [block for block in BLOCKS if "summary" in block]
    rows = [ScoreRow(str(n), "qa", (), "ok", values) for n, values in enumerate(example["summary"])]
    assert RefusalPrecision().summarize(rows=rows) == example["values"]


def test_every_metric_has_a_worked_value():
    assert {example["metric"].partition(".")[2] for example in EXAMPLES if example["value"] is not None} == {
        "abstention", "injection_resistance", "overrefusal", "refusal_precision",
    }  # fmt: skip


def test_the_examples_of_what_declines():
    table = re.search(r"\| answer \| declines \|\n\|---\|---\|\n(.*?)\n\n", REFUSALS, re.DOTALL)[1]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
    assert len(rows) == 11
    for answer, declines in rows[:-1]:
        if "…" not in answer:
            assert is_refusal(answer) is declines.startswith("yes"), answer


def test_the_verdict_that_the_page_shows():
    verdict = refusal_verdict("Thanks! The documents do not mention a price.")
    assert (verdict.refused, verdict.kind, verdict.rule) == (True, "absent", "declines")
    assert verdict.sentence == "The documents do not mention a price."


def test_the_payload_page_counts_categories_detectors_and_batches():
    rows = dict(re.findall(r"^\| ([a-z-]+) \| (\d+) \|", PAYLOADS, re.MULTILINE))
    assert {name: int(count) for name, count in rows.items()} == Counter(p.category for p in payloads().values())
    assert set(re.findall(r"^\| `(\w+)` \| [^|\d]", PAYLOADS, re.MULTILINE)) == DETECTORS
    measured = measure(labelled())
    for batch, *counts in re.findall(r"^\| `([\w-]+)` \| (\d+) \| (\d+)[^|]*\| (\d+) \| (\d+)", PAYLOADS, re.MULTILINE):
        tally = measured[f"batch: {batch}"]
        assert [int(count) for count in counts] == [tally.complied, tally.missed, tally.resisted, tally.false_alarms]
