import json

import pytest
from ragproof_gate import compare_runs, comparison_to_dict, flipped_cases
from ragproof_gate.comparison_text import foot_lines, head_lines, metric_rows, tag_rows

HIT, OVER, MS = "retrieval.hit_rate_at_k", "robustness.overrefusal", "operational.latency_ms"


def first(count, of=20):
    """0/1 scores of `of` cases, the first `count` of which are 1."""
    return {f"q{i:02}": 1.0 if i < count else 0.0 for i in range(of)}


@pytest.fixture
def six_of_twenty(stored):
    """Hard case 29: 6 better, 0 worse, 14 equal."""
    return stored("old", {HIT: first(8)}).scores, stored("new", {HIT: first(14)}).scores


def test_six_better_none_worse(six_of_twenty):
    found = comparison_to_dict(compare_runs(*six_of_twenty))
    (metric,) = found["metrics"]
    spec = ("base_mean", "cand_mean", "difference", "p_value", "p_adjusted", "up", "down", "equal", "verdict")
    # 8/20, 14/20, 6/20; 2 of 2**6 sign patterns are as one-sided; a family of one
    assert [metric[key] for key in spec] == [0.4, 0.7, 0.3, 2 / 64, 2 / 64, 6, 0, 14, "better"]
    assert metric["ci95"] == [0.1, 0.5]
    assert metric["direction"] == "higher"
    assert (found["base"], found["cand"], found["common_cases"]) == ("old", "new", 20)


def test_a_rise_of_a_lower_is_better_metric_is_worse(stored):
    base, cand = stored("b", {OVER: first(8)}), stored("c", {OVER: first(14)})
    (metric,) = compare_runs(base.scores, cand.scores).metrics
    assert (metric.overall.difference, metric.overall.outcome) == (0.3, "worse")


def test_the_family_is_corrected(stored):
    """p = 2/64 and p = 1: Holm doubles the smaller one to 0.0625, and nothing is left to believe."""
    base = stored("b", {HIT: first(8), "retrieval.mrr": first(8)})
    cand = stored("c", {HIT: first(14), "retrieval.mrr": first(8)})
    found = {metric.metric: metric.overall for metric in compare_runs(base.scores, cand.scores).metrics}
    assert (found[HIT].p_value, found[HIT].p_adjusted, found[HIT].outcome) == (0.03125, 0.0625, "inconclusive")


def test_what_changed_comes_first(stored):
    base = stored("b", {"a.same": first(9), "b.better": first(8), "c.worse": first(20), "d.maybe": first(3)})
    cand = stored("c", {"a.same": first(9), "b.better": first(20), "c.worse": first(2), "d.maybe": first(5)})
    names = [metric.metric for metric in compare_runs(base.scores, cand.scores).metrics]
    assert names == ["c.worse", "b.better", "d.maybe", "a.same"]


def test_tags_are_a_family_of_their_own(stored):
    tags = {"numeric": {f"q{i:02}" for i in range(8, 14)}, "rest": {f"q{i:02}" for i in range(8)}, "all": set(first(0))}
    base = stored("b", {HIT: first(8)}, tags=tags)
    cand = stored("c", {HIT: first(14)}, tags=tags)
    (metric,) = compare_runs(base.scores, cand.scores).metrics
    assert metric.overall.p_adjusted == 0.03125  # not corrected for the tags
    assert list(metric.tags) == ["numeric", "rest"]  # "all" is the metric itself again
    assert (metric.tags["numeric"].n, metric.tags["numeric"].up, metric.tags["numeric"].p_value) == (6, 6, 0.03125)
    assert metric.tags["numeric"].p_adjusted == 0.0625  # two tags


def test_cases_of_one_run_only_and_failed_cases_are_told(stored):
    base = stored("b", {HIT: {"a": 1.0, "b": 1.0, "c": 0.0}}, failed=["f"])
    cand = stored("c", {HIT: {"b": 0.0, "c": 0.0, "d": 1.0}}, failed=["f", "a"])
    found = compare_runs(base.scores, cand.scores)
    shape = comparison_to_dict(found)
    assert shape["common_cases"] == 2
    assert shape["only_in"] == {"base": [], "cand": ["d"]}
    assert shape["failed"] == {"base": ["f"], "cand": ["f", "a"]}
    assert shape["metrics"][0]["scored_only_in"] == {"base": 1, "cand": 1}
    text = "\n".join([*head_lines(found), *foot_lines(found, [])])
    assert "failed: f, a" in text
    assert "only in cand: 1 case: d" in text
    assert f"{HIT}: 1 case scored in base only, 1 in cand only, not paired" in text


def test_a_metric_without_common_cases_has_no_numbers(stored):
    base, cand = stored("b", {HIT: {"a": 1.0}, "x.y": {"a": 1.0}}), stored("c", {HIT: {"b": 1.0}, "x.z": {"b": 1.0}})
    found = compare_runs(base.scores, cand.scores)
    shape = comparison_to_dict(found)
    assert shape["metrics"][0]["base_mean"] is None
    assert shape["metrics"][0]["verdict"] == "inconclusive (no common cases)"
    assert shape["metrics_only_in"] == {"base": ["x.y"], "cand": ["x.z"]}
    assert metric_rows(found) == []
    assert f"not scored on a common case: {HIT}" in "\n".join(foot_lines(found, []))
    json.dumps(shape, allow_nan=False)


def test_several_metrics_that_move_together_are_reported(stored):
    names = [f"retrieval.{name}" for name in ("map", "mrr", "ndcg_at_k")]
    base = stored("b", {**dict.fromkeys(names, first(20)), "retrieval.recall_at_k": first(20), "x.alone": first(20)})
    cand = stored("c", {**dict.fromkeys(names, first(2)), "retrieval.recall_at_k": first(20), "x.alone": first(2)})
    lines = list(foot_lines(compare_runs(base.scores, cand.scores), []))
    assert "retrieval: of 4 metrics 3 worse (map, mrr, ndcg_at_k)" in lines
    assert "x: of 1 metric 1 worse (alone)" in lines


def test_the_tag_table_lists_what_differs(stored):
    tags = {"numeric": {f"q{i:02}" for i in range(10)}, "other": {"q19"}}
    base, cand = stored("b", {HIT: first(20)}, tags=tags), stored("c", {HIT: dict.fromkeys(first(0), 0.0)}, tags=tags)
    assert [row[:2] for row in tag_rows(compare_runs(base.scores, cand.scores))] == [(HIT, "numeric")]


def test_flipped_cases_are_listed_worst_first(stored, no_keywords):
    base = stored("b", {HIT: {"a": 1.0, "b": 1.0, "c": 0.0, "e": 1.0}, OVER: {"a": 0.0}, MS: {"a": 1.0, "b": 2.0}})
    cand = stored(
        "c",
        {HIT: {"a": 0.0, "b": 1.0, "c": 1.0}, OVER: {"a": 1.0}, MS: {"a": 5.0, "b": 9.0}},
        outcomes={HIT: {"e": no_keywords}},
        failed=["b2"],
    )
    found = flipped_cases(compare_runs(base.scores, cand.scores), base.scores, cand.scores)
    assert [case.case_id for case in found] == ["b2", "a", "e", "c"]  # failed, worse twice, lost, better
    assert [(c.metric, c.base, c.cand, c.change) for c in found[1].changes] == [
        (HIT, 1.0, 0.0, "worse"),
        (OVER, 0.0, 1.0, "worse"),
    ]
    assert (found[2].changes[0].change, found[2].changes[0].cand) == ("lost", None)
    assert found[3].changes[0].change == "better"
