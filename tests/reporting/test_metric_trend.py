"""A metric over the stored runs, as a line in the terminal."""

from ragproof_core.models.run import DatasetInfo, RunRecord, RunSettings, Summary
from ragproof_core.reporting.trend import spark, trend, trend_points, trend_text


def run_with(name, mean, *, dataset="d", k=5, direction="higher"):
    summary = Summary("retrieval.mrr", direction, "share", mean, mean, mean, mean, None, 3, 0, 0, 0)
    return RunRecord(
        run_id=name, project="p", label=None, status="completed", started_at="", dataset=DatasetInfo("x", dataset, 3),
        settings=RunSettings(k=k), describe={}, judge=None, plugins={}, metrics=(), fingerprint={},
        summaries=(summary,),
    )  # fmt: skip


def test_the_line_runs_from_the_oldest_to_the_newest_and_skips_runs_without_a_value():
    newest_first = [run_with("c", 1.0), run_with("nothing", None), run_with("b", 0.5), run_with("a", 0.0)]
    assert list(trend(newest_first, "retrieval.mrr")) == [("a", 0.0), ("b", 0.5), ("c", 1.0)]
    assert trend_text(trend_points(newest_first, "retrieval.mrr")) == "▁▅█  0.000 to 1.000, newest 1.000 (+0.500)"


def test_a_run_that_measured_something_else_breaks_the_line_and_gives_no_step():
    newest_first = [run_with("c", 0.5, k=3), run_with("b", 0.25, dataset="e"), run_with("a", 0.25)]
    points = trend_points(newest_first, "retrieval.mrr")
    assert [point.changed for point in points] == [False, True, True]
    assert trend_text(points) == ("▁│▁│█  0.250 to 0.500, newest 0.500; │ = another dataset, k, labels or judge")


def test_a_metric_where_lower_is_better_says_so():
    points = trend_points([run_with("a", 0.5, direction="lower")], "retrieval.mrr")
    assert trend_text(points) == "▅  0.500 to 0.500, newest 0.500, lower is better"


def test_equal_values_are_a_flat_line():
    assert spark([0.3, 0.3]) == "▅▅"
