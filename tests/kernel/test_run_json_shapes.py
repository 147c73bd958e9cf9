"""The JSON keys that scripts rely on, as the command line's reference lists them."""

from __future__ import annotations

import json
import math

import pytest

from ragproof_core.models.outcome import scored, skipped
from ragproof_core.models.response import Chunk
from ragproof_core.models.run import CaseResult, DatasetInfo, RunRecord, RunSettings, Summary, TagSummary
from ragproof_core.reporting.failures import failures, lost_by_stage
from ragproof_core.reporting.json_shapes import (
    chunk_to_dict,
    result_to_dict,
    run_to_dict,
    run_to_row,
    summary_to_dict,
    with_results,
)  # fmt: skip
from ragproof_core.reporting.json_text import dumps
from ragproof_core.reporting.text import plain_text
from ragproof_core.reporting.trend import spark, trend

RUN_KEYS = {
    "run_id", "status", "project", "label", "dataset", "labels", "k", "describe", "cases", "judge", "cost_usd",
    "duration_s", "plugins", "metrics",
}  # fmt: skip
METRIC_KEYS = {
    "metric", "direction", "mean", "ci95", "p50", "p95", "scored", "skipped", "not_applicable", "errors", "values",
    "skip_reasons", "tags",
}  # fmt: skip
RESULT_KEYS = {
    "case_id", "status", "error", "answer_text", "retrieved_ids", "citations", "duration_ms", "scores",
    "judge_raw_json",
}  # fmt: skip
ROW_KEYS = {"run_id", "label", "status", "started_at", "dataset", "cases", "judge"}


def summary(metric="m.share", mean=0.5, **changes):
    fields = {
        "direction": "higher", "unit": "share", "p50": 0.5, "p95": 1.0, "p99": 1.0, "ci95": (0.25, 0.75), "scored": 2,
        "skipped": 1, "not_applicable": 0, "errors": 1, "skip_reasons": {"no answer": 1},
        "tags": {"numeric": TagSummary(0.5, 2)},
    }  # fmt: skip
    return Summary(metric=metric, mean=mean, **{**fields, **changes})


def run(**changes):
    fields = {
        "run_id": "r1", "project": "p", "label": None, "status": "completed", "started_at": "2026-01-02T03:04:05+00:00",
        "dataset": DatasetInfo("cases.jsonl", "f00", 4, {"qa": 4}), "settings": RunSettings(k=3), "describe": {"a": 1},
        "judge": None, "plugins": {"x": "1.0"}, "metrics": ("m.share",), "fingerprint": {},
        "summaries": (summary(),), "cases": {"total": 4, "ok": 3, "error": 1, "timeout": 0},
    }  # fmt: skip
    return RunRecord(**{**fields, **changes})


def result(**changes):
    fields = {
        "index": 0, "case_id": "c1", "kind": "qa", "status": "ok",
        "scores": {"m.share": scored(0.5, "note"), "n": skipped("why")}, "answer_text": "a",
        "retrieved": (Chunk(id="x", text="t"),), "citations": ("x",), "judge_raw": {"m": "{}"},
    }  # fmt: skip
    return CaseResult(**{**fields, **changes})


def test_a_run():
    found = run_to_dict(run())
    assert set(found) >= RUN_KEYS
    assert {key: found[key] for key in ("run_id", "labels", "k", "judge", "label")} == {
        "run_id": "r1", "labels": "chunk", "k": 3, "judge": None, "label": None,
    }  # fmt: skip
    assert found["dataset"] == {"name": "cases.jsonl", "sha256": "f00", "cases": 4, "kinds": {"qa": 4}}
    assert found["cases"] == {"total": 4, "ok": 3, "error": 1, "timeout": 0}
    json.loads(dumps(found))


def test_a_summary():
    found = summary_to_dict(summary())
    assert set(found) >= METRIC_KEYS
    assert found["ci95"] == [0.25, 0.75]
    assert found["tags"] == {"numeric": {"mean": 0.5, "scored": 2}}
    empty = summary_to_dict(summary(mean=None, p50=None, p95=None, p99=None, ci95=None, scored=0))
    assert [empty[key] for key in ("mean", "p50", "p95", "p99", "ci95")] == [None] * 5


def test_a_result():
    found = result_to_dict(result())
    assert set(found) >= RESULT_KEYS
    assert found["scores"] == {
        "m.share": {"status": "scored", "value": 0.5, "reason": "note"},
        "n": {"status": "skipped", "value": None, "reason": "why"},
    }
    assert (found["retrieved_ids"], found["citations"], found["judge_raw_json"]) == (["x"], ["x"], {"m": "{}"})
    assert result_to_dict(result(retrieved=None))["retrieved_ids"] is None
    assert result_to_dict(result(retrieved=()))["retrieved_ids"] == []


def test_rows_and_results():
    assert set(run_to_row(run())) >= ROW_KEYS
    assert run_to_row(run(judge={"type": "openai", "model": "m"}))["judge"] == "m"
    assert run_to_row(run(judge={"type": "openai", "model": None}))["judge"] == "openai"
    whole = with_results(run(), [result()])
    assert list(whole)[-1] == "results"
    assert [each["case_id"] for each in whole["results"]] == ["c1"]


@pytest.mark.parametrize("score", [math.nan, math.inf, None])
def test_a_chunk_score_that_is_no_number_is_null(score):
    assert chunk_to_dict(Chunk(id="x", score=score)) == {"id": "x", "text": "", "score": None, "metadata": {}}


def test_the_text_names_the_run_and_every_metric_once():
    idle = summary("z.idle", None, p50=None, p95=None, ci95=None, scored=0, errors=0, skip_reasons={"no judge": 4})
    text = plain_text(run(label="main\nx", project="p\x1b[31m", summaries=(summary(), idle)))
    lines = text.splitlines()
    assert lines[0] == r"p\x1b[31m · run r1 (main x) · completed"
    (row,) = [line for line in lines if line.startswith("m.share")]
    assert row.split() == ["m.share", "0.500", "0.250", "to", "0.750", "0.500", "1.000", "2/4", "1", "1"]
    assert "not scored: z.idle (no judge)" in lines
    assert "1 failed" in text


def test_failures_are_failed_errored_and_worst():
    summaries = [summary("up"), summary("down", direction="lower"), summary("ms", unit="ms")]
    results = [
        result(case_id="fine", scores={"up": scored(0.5), "down": scored(0.0), "ms": scored(0.0)}),
        result(case_id="failed", status="error", scores={}),
        result(case_id="worst", scores={"up": scored(0.0)}),
        result(case_id="risen", scores={"down": scored(1.0)}),
        result(case_id="skipped", scores={"up": skipped("x")}),
    ]
    assert [each.case_id for each in failures(results, summaries)] == ["failed", "worst", "risen"]


def test_a_lost_case_is_listed_at_its_first_lost_stage():
    zero, one = scored(0.0), scored(1.0)
    results = [
        result(case_id="a", scores={"funnel.retrieved": zero, "funnel.correct": zero}),
        result(case_id="b", scores={"funnel.retrieved": one, "funnel.used": zero, "funnel.correct": zero}),
        result(case_id="c", scores={"funnel.retrieved": one, "funnel.correct": one}),
        result(case_id="d", scores={"funnel.retrieved": zero}),
    ]
    assert lost_by_stage(results) == [("funnel.retrieved", ["a", "d"]), ("funnel.used", ["b"])]


def test_a_trend_is_oldest_first_and_skips_runs_without_the_metric():
    runs = [
        run(run_id="r3", summaries=(summary(mean=0.75),)),
        run(run_id="r2", summaries=(summary("other"),)),
        run(run_id="r1", summaries=(summary(mean=0.25),)),
        run(run_id="r0", summaries=(summary(mean=None),)),
    ]
    assert list(trend(runs, "m.share")) == [("r1", 0.25), ("r3", 0.75)]


@pytest.mark.parametrize(
    ("values", "drawn"), [([0.0, 1.0], "▁█"), ([0.5, 0.5], "▅▅"), ([0, 0.5, 1], "▁▅█"), ([3], "▅"), ([2, 1], "█▁")]
)
def test_a_spark_line(values, drawn):
    assert spark(values) == drawn
