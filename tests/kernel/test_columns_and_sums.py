"""Columns of outcomes and the summary over them, with the arithmetic in sight."""

from __future__ import annotations

import copy
import dataclasses
import math
import pickle
import random

import pytest
from hypothesis import given, strategies as st

from ragproof_core.config.schema import MetricChoice
from ragproof_core.engine.columns import Columns
from ragproof_core.engine.selection import choose
from ragproof_core.engine.summing import summarize
from ragproof_core.models.case import Case
from ragproof_core.models.outcome import Outcome, Scores, error, judge_error, not_applicable, scored, skipped
from ragproof_core.models.response import Chunk
from ragproof_core.models.run import CaseResult, RunSettings, TagSummary
from ragproof_core.plugins.catalog import scan


def cases(count, tags=()):
    return [Case(id=f"c{n}", question="q", tags=tuple(tags[n]) if tags else ()) for n in range(count)]


def result(index, scores, status="ok", **more):
    return CaseResult(index=index, case_id=f"c{index}", kind="qa", status=status, scores=scores, **more)


@pytest.fixture
def metrics(distributions, tmp_path):
    distributions("ok")
    return choose([MetricChoice(use="ok.half"), MetricChoice(use="ok.after")], scan(), tmp_path, pytest.fail)


def summed(metrics, columns, warn=pytest.fail):
    return {summary.metric: summary for summary in summarize(metrics, columns, RunSettings(), warn)}


def test_the_mean_is_over_scored_cases_and_every_other_one_is_counted(metrics):
    outcomes = [
        scored(0.25), scored(1.0, "a note"), skipped("no answer"), skipped("no answer"), not_applicable("no claims"),
        error("ok.half raised ValueError"), judge_error("truncated"),
    ]  # fmt: skip
    columns = Columns(["ok.half", "ok.after"], cases(9))
    for index, outcome in enumerate(outcomes):
        columns.add(result(index, {"ok.half": outcome, "ok.after": scored(2.0)}))
    columns.add(result(7, {}, "error", error="RuntimeError"))
    columns.add(result(8, {}, "timeout", error="late"))

    half = summed(metrics, columns)["ok.half"]
    assert half.mean == (0.25 + 1.0) / 2
    assert (half.p50, half.p95, half.p99) == (0.25, 1.0, 1.0)
    assert (half.scored, half.skipped, half.not_applicable, half.errors) == (2, 2, 1, 2 + 2)
    assert half.scored + half.skipped + half.not_applicable + half.errors == 9
    assert half.skip_reasons == {"no answer": 2, "no claims": 1}
    assert half.error_reasons == {"ok.half raised ValueError": 1, "truncated": 1}
    assert half.values == {"half.cases": 9.0}
    after = summed(metrics, columns)["ok.after"]
    assert (after.mean, after.scored, after.errors, after.direction) == (2.0, 7, 2, "lower")
    assert columns.statuses == {"ok": 7, "error": 1, "timeout": 1}
    assert (columns.done, columns.failed, columns.missing()) == (9, 2, [])


def test_nothing_scored_is_null_everywhere(metrics):
    columns = Columns(["ok.half", "ok.after"], cases(1))
    columns.add(result(0, {}, "error", error="x"))
    half = summed(metrics, columns)["ok.half"]
    assert (half.mean, half.p50, half.p95, half.p99, half.ci95) == (None,) * 5
    assert (half.scored, half.errors) == (0, 1)


def test_nearest_rank_percentiles_of_twenty(metrics):
    columns = Columns(["ok.half", "ok.after"], cases(20))
    for index in random.Random(3).sample(range(20), 20):
        columns.add(result(index, {"ok.half": scored((index + 1) / 20)}))
    half = summed(metrics, columns)["ok.half"]
    # position max(1, ceil(fraction * 20)): 10, 19, 20
    assert (half.p50, half.p95, half.p99) == (10 / 20, 19 / 20, 20 / 20)
    assert half.mean == math.fsum(n / 20 for n in range(1, 21)) / 20 == 0.525


def test_tags_have_their_own_mean(metrics):
    columns = Columns(["ok.half", "ok.after"], cases(4, [["a"], ["b", "a"], ["b", "b"], []]))
    for index, outcome in enumerate([scored(1.0), scored(0.5), skipped("x"), scored(0.0)]):
        columns.add(result(index, {"ok.half": outcome}))
    half = summed(metrics, columns)["ok.half"]
    assert half.tags == {"a": TagSummary((1.0 + 0.5) / 2, 2), "b": TagSummary(0.5, 1)}
    assert list(half.tags) == ["a", "b"]
    assert summed(metrics, columns)["ok.after"].tags == {"a": TagSummary(None, 0), "b": TagSummary(None, 0)}


def test_at_most_a_hundred_reasons_are_told_apart(metrics):
    columns = Columns(["ok.half", "ok.after"], cases(130))
    for index in range(130):
        columns.add(result(index, {"ok.half": error(f"reason {index}")}))
    half = summed(metrics, columns)["ok.half"]
    assert half.errors == 130
    assert len(half.error_reasons) == 101
    assert half.error_reasons["other reasons"] == 30
    assert next(iter(half.error_reasons)) == "other reasons"


def test_shared_outcomes_keep_their_reason_however_many_others_there_are(metrics):
    columns = Columns(["ok.half", "ok.after"], cases(150))
    shared = {"ok.half": skipped("case has no keywords")}
    for index in range(150):
        if index % 10:
            scores = {"ok.half": error(f"reason {index}"), "ok.after": scored(1.0)}
        else:
            scores = Scores(shared)
            scores["ok.after"] = scored(1.0)
        columns.add(result(index, scores))
    half = summed(metrics, columns)["ok.half"]
    assert (half.skipped, half.errors) == (15, 135)
    assert half.skip_reasons == {"case has no keywords": 15}


def test_a_result_that_is_handed_over_twice_counts_once(metrics):
    columns = Columns(["ok.half", "ok.after"], cases(1))
    assert columns.add(result(0, {"ok.half": scored(1.0)}))
    assert not columns.add(result(0, {"ok.half": scored(0.0)}))
    assert (columns.done, summed(metrics, columns)["ok.half"].mean) == (1, 1.0)


def test_copies_of_scores_are_plain_dicts():
    scores = Scores({"a": skipped("x")})
    scores["b"] = scored(1.0)
    assert dict(scores.own()) == {"b": scored(1.0)}
    for copied in (
        copy.deepcopy(scores),
        pickle.loads(pickle.dumps(scores)),
        dataclasses.asdict(result(0, scores))["scores"],
    ):
        assert copied == {"a": skipped("x"), "b": scored(1.0)}
        assert pickle.loads(pickle.dumps(copied)) == copied


def test_outcomes_of_metrics_that_are_not_in_the_run_are_left_out(metrics):
    columns = Columns(["ok.half"], cases(1))
    columns.add(result(0, {"ok.half": scored(1.0), "gone": scored(5.0)}))
    assert columns.rows()[0].values == {"ok.half": 1.0}


def test_rows_for_summaries_are_in_dataset_order_and_lazy():
    columns = Columns(["m", "n"], cases(4, [["t"], [], [], []]))
    columns.add(result(2, {"m": scored(0.5), "n": skipped("x")}))
    columns.add(result(0, {"m": scored(1.0), "n": scored(0.0)}))
    columns.add(result(3, {}, "timeout"))
    rows = columns.rows()
    assert len(rows) == 3
    assert [(row.case_id, row.status, dict(row.values)) for row in rows] == [
        ("c0", "ok", {"m": 1.0, "n": 0.0}), ("c2", "ok", {"m": 0.5}), ("c3", "timeout", {}),
    ]  # fmt: skip
    assert rows[0].tags == ("t",)
    assert [row.case_id for row in rows[1:]] == ["c2", "c3"]
    assert rows[-1].case_id == "c3"
    assert "n" not in rows[1].values
    assert rows[1].values.get("n") is None
    assert columns.missing() == [1]


NO_SUMMARIES = [
    ({"half": math.nan}, "TypeError: a named value is nan; expected a finite number or None"),
    ({"half": True}, "TypeError: a named value is True; expected a finite number or None"),
    ({"half": "1"}, "TypeError: a named value is '1'; expected a finite number or None"),
    (None, "TypeError: 'NoneType' object is not iterable"),
]


@pytest.mark.parametrize(("returned", "reason"), NO_SUMMARIES)
def test_a_summary_that_is_no_mapping_of_numbers_is_a_warning(distributions, tmp_path, monkeypatch, returned, reason):
    distributions("metrics")
    (metric,) = choose([MetricChoice(use="bad.summary")], scan(), tmp_path, pytest.fail)
    monkeypatch.setattr(type(metric.component.instance), "returned", returned)
    warnings: list[str] = []
    columns = Columns(["bad.summary"], cases(1))
    columns.add(result(0, {"bad.summary": scored(1.0)}))
    assert summed([metric], columns, warnings.append)["bad.summary"].values == {}
    assert warnings == [f"bad.summary: its summary failed: {reason}"]


def chunks(*ids):
    return tuple(Chunk(id=each, metadata={"document_id": f"doc-{each}"}) for each in ids)


@pytest.mark.parametrize(
    ("expected", "retrieved", "by_document", "other"),
    [
        ([("x",)] * 3, [("a",)] * 3, False, True),
        ([("x",)] * 2, [("a",)] * 2, False, False),  # two cases prove nothing
        ([("x",), ("x",), ("a",)], [("a",)] * 3, False, False),
        ([("doc-a",)] * 3, [("a",)] * 3, False, True),
        ([("doc-a",)] * 3, [("a",)] * 3, True, False),
        ([("x",)] * 3, [()] * 3, False, False),  # nothing came back: nothing to compare
        ([()] * 3, [("a",)] * 3, False, False),
    ],
)
def test_no_overlap_over_the_whole_run_looks_like_other_ids(expected, retrieved, by_document, other):
    columns = Columns(["m"], cases(len(expected)), by_document=by_document)
    for index, (wanted, ids) in enumerate(zip(expected, retrieved, strict=True)):
        columns.add(result(index, {}, expected_source_ids=wanted, retrieved=chunks(*ids)))
    assert columns.looks_like_other_ids is other


OUTCOMES = st.one_of(
    st.floats(-1e6, 1e6).map(scored),
    st.sampled_from([skipped("s"), not_applicable("n"), judge_error("j"), error("e")]),
)


@given(
    st.lists(st.tuples(OUTCOMES, st.sampled_from(["ok", "error", "timeout"])), min_size=1, max_size=30), st.randoms()
)
def test_every_case_is_counted_once_whatever_the_order(found, shuffler):
    columns, other = (Columns(["m"], cases(len(found))) for _ in range(2))
    results = [
        result(index, {"m": outcome} if status == "ok" else {}, status) for index, (outcome, status) in enumerate(found)
    ]
    for each in results:
        columns.add(each)
    shuffler.shuffle(results)
    for each in results:
        other.add(each)
    column = columns.metrics["m"]
    assert len(column.scored()) + sum(column.others.values()) + columns.failed == len(found)
    assert column.scored() == other.metrics["m"].scored()
    assert column.others == other.metrics["m"].others


def test_an_outcome_is_a_plain_tuple():
    assert scored(0.5, "n") == Outcome("scored", 0.5, "n") == ("scored", 0.5, "n")
