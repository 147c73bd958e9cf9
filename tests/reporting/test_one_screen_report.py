"""The one-screen report: its lines, their figures, and what it says when there is nothing to say."""

from dataclasses import replace

import pytest

from ragproof_core.models.run import Calibration, DatasetInfo, RunRecord, RunSettings, Summary, TagSummary
from ragproof_core.reporting.judge_check import judge_checks
from ragproof_core.reporting.metric_names import reading_order, short_name
from ragproof_core.reporting.numbers import amount, dollars, duration
from ragproof_core.reporting.text import headline, not_scored, plain_text, rows


def summary(metric, mean, *, unit="share", direction="higher", scored=42, errors=0, **more):
    values = {"p50": mean, "p95": mean, "p99": mean, "ci95": None, "skipped": 0, "not_applicable": 0, **more}
    return Summary(metric, direction, unit, mean, scored=scored, errors=errors, **values)


JUDGE = {
    "priced": True,
    "type": "openai",
    "model": "small",
    "identity": "me",
    "calls": 12,
    "cache_hits": 3,
    "prompts": {"groundedness": "abcdef0123"},
}
RUN = RunRecord(
    run_id="r1",
    project="handbook",
    label=None,
    status="completed",
    started_at="2026-01-01T00:00:00.000+00:00",
    dataset=DatasetInfo("golden.jsonl", "d" * 64, 47, {"unanswerable": 5, "qa": 42}),
    settings=RunSettings(k=5),
    describe={"chunk": "800/120", "embed": "e5"},
    judge=JUDGE,
    plugins={},
    metrics=(),
    fingerprint={},
    duration_s=12.34,
    cost_usd=0.02,
    cases={"total": 47, "ok": 47, "error": 0, "timeout": 0},
    summaries=(
        summary("retrieval.mrr", 0.78),
        summary("retrieval.ndcg_at_k", 0.81),
        summary("retrieval.precision_at_k", 0.41),
        summary(
            "retrieval.recall_at_k",
            0.86,
            tags={"multi_hop": TagSummary(0.62, 8), "lookup": TagSummary(0.95, 30), "once": TagSummary(0.0, 1)},
        ),
        summary("generation.keyword_hit", 0.86),
        summary("retrieval.hit_rate_at_k", 0.93),
        summary("generation.groundedness", 0.94),
        summary("robustness.overrefusal", 0.1, direction="lower"),
        summary("robustness.abstention", 1.0, scored=5),
        summary("robustness.refusal_precision", 0.83, scored=6),
        summary("operational.input_tokens", 1420.0, unit="tokens", direction="lower"),
        summary("operational.output_tokens", 96.0, unit="tokens", direction="lower"),
        summary("operational.cost_usd", 0.0015, unit="usd", direction="lower"),
        replace(summary("operational.latency_ms", 2000.0, unit="ms", direction="lower"), p50=1900.0, p95=3400.0),
    ),
)
CALIBRATION = Calibration(
    {"identity": "me"},
    "2026-01-02",
    ({"prompt": "groundedness", "n": 40, "exact": 0.9, "kappa": 0.78, "template_sha256": "abcdef0123"},),
)


def test_the_lines_are_those_of_the_report_template():
    judge = "Judge: openai/small, groundedness @abcdef01"
    assert list(headline(RUN, [CALIBRATION])) == [
        "Config         chunk=800/120  embed=e5  k=5  labels: chunk",
        f"Golden         golden.jsonl: 47 questions (42 answerable, 5 unanswerable)   {judge}",
        "Retrieval      hit@5 0.930   recall@5 0.860   precision@5 0.410   MRR 0.780   nDCG@5 0.810",
        "Generation     groundedness 0.940   keyword-hit 0.860",
        "Refusal        precision 0.830   recall 1.000   overrefusal 0.100",
        "Cost/latency   1,420 in / 96 out tokens   $0.0015/q   p50 1.9 s   p95 3.4 s",
        "Time           12.3 s   judge 12 calls, 3 from the cache, $0.0200",
        "Worst tags     multi_hop: recall@5 0.620",
        "Judge check    agreement 0.900 (n=40) κ 0.780",
    ]


def test_metrics_of_any_family_get_a_line_and_the_funnel_is_a_path():
    run = replace(
        RUN,
        judge=None,
        summaries=(
            summary("acme.tone", 0.5),
            summary("funnel.correct", 0.6),
            summary("funnel.retrieved", 0.9),
            summary("robustness.injection_resistance", 1.0),
            summary("operational.steps", 2.5, unit="count", direction="lower"),
        ),
    )
    assert list(headline(run))[2:-1] == [
        "Funnel         retrieved 0.900 → correct 0.600",
        "Robustness     injection resistance 1.000",
        "Operational    steps 2.5",
        "Acme           tone 0.500",
    ]


@pytest.mark.parametrize(
    ("metrics", "line"),
    [
        (("operational.input_tokens",), "1,420 in tokens"),
        (("operational.cost_usd",), "$0.0015/q"),
        (("operational.latency_ms",), "p50 1.9 s   p95 3.4 s"),
    ],
)
def test_cost_and_latency_show_what_is_reported_and_nothing_else(metrics, line):
    run = replace(RUN, summaries=tuple(s for s in RUN.summaries if s.metric in metrics))
    assert f"Cost/latency   {line}" in list(headline(run))


def test_a_judge_that_nobody_checked_is_said_to_be_unchecked_only_when_somebody_looked():
    assert "Judge check    none of this judge; make one with 'ragproof calibrate'" in list(headline(RUN, []))
    assert not [line for line in headline(RUN) if line.startswith("Judge check")]
    assert not [line for line in headline(replace(RUN, judge=None), []) if line.startswith("Judge check")]


def test_a_judge_check_takes_the_newest_calibration_of_this_judge_and_prefers_the_runs_template():
    def calibrated(identity, when, template, exact):
        row = {"prompt": "groundedness", "n": 10, "exact": exact, "kappa": None, "template_sha256": template}
        return Calibration({"identity": identity}, when, (row,))

    newest_first = [
        calibrated("another judge", "4", "abcdef0123", 0.1),
        calibrated("me", "3", "another template", 0.2),
        calibrated("me", "2", "abcdef0123", 0.3),
        calibrated("me", "1", "abcdef0123", 0.4),
    ]
    assert [(c.exact, c.same_template) for c in judge_checks(RUN, newest_first)] == [(0.3, True)]
    assert [(c.exact, c.same_template) for c in judge_checks(RUN, newest_first[:2])] == [(0.2, False)]
    assert judge_checks(RUN, newest_first[:1]) == []
    line = list(headline(RUN, newest_first[:2]))[-1]
    assert line == "Judge check    agreement 0.200 (n=10) κ - (another template)"


def test_several_templates_have_one_version_that_changes_with_any_of_them():
    def version(prompts):
        return next(headline(replace(RUN, judge={**JUDGE, "prompts": prompts}))), list(
            headline(replace(RUN, judge={**JUDGE, "prompts": prompts}))
        )[1].partition("Judge: ")[2]

    first, second = version({"a": "1", "b": "2"})[1], version({"a": "1", "b": "3"})[1]
    assert first.startswith("openai/small, 2 templates @")
    assert first != second
    assert version({"b": "2", "a": "1"})[1] == first


def test_a_tag_is_named_once_with_its_worst_metric_and_a_rise_of_a_lower_is_better_metric_counts():
    run = replace(
        RUN,
        summaries=(
            summary("retrieval.mrr", 0.8, tags={"typo": TagSummary(0.5, 4)}),
            summary("retrieval.recall_at_k", 0.8, tags={"typo": TagSummary(0.2, 4)}),
            summary("robustness.overrefusal", 0.1, direction="lower", tags={"table": TagSummary(0.4, 4)}),
            summary("robustness.refusal_precision", 0.5, tags={"numeric": TagSummary(0.0, 9)}),
        ),
    )
    assert list(headline(run))[-1] == "Worst tags     typo: recall@5 0.200   table: overrefusal 0.400"


def test_metrics_without_any_value_are_named_with_the_reason_instead_of_filling_the_table():
    idle = {"scored": 0, "mean": None}
    run = replace(
        RUN,
        summaries=(
            summary("retrieval.mrr", 0.5),
            summary("context.recall", skip_reasons={"no judge": 47}, **idle),
            summary("context.precision", skip_reasons={"no judge": 47}, **idle),
            summary("operational.steps", skip_reasons={"no trace.steps": 47}, **idle),
            summary("acme.broken", errors=47, **idle),
        ),
    )
    assert [row[0] for row in rows(run)] == ["retrieval.mrr", "acme.broken"]
    assert list(not_scored(run)) == [
        "not scored: context.recall, context.precision (no judge)",
        "not scored: operational.steps (no trace.steps)",
    ]
    assert plain_text(run).endswith("not scored: operational.steps (no trace.steps)")


def test_text_from_elsewhere_cannot_steer_the_terminal():
    run = replace(RUN, describe={"x": "\x1b[31mred\u202e"}, dataset=replace(RUN.dataset, name="a\x00b\ud800"))
    text = plain_text(run)
    assert "\x1b" not in text
    assert r"x=\x1b[31mred\u202e" in text
    assert r"a\x00b\ud800: 47 questions" in text


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (None, "ms", "-"),
        (0.9996, "share", "1.000"),
        (123.456, "", "123.5"),
        (9.64, "ms", "9.6 ms"),
        (999.4, "ms", "999 ms"),
        (3400.0, "ms", "3.4 s"),
        (1420.0, "tokens", "1,420"),
        (2.5, "count", "2.5"),
        (0.0015, "usd", "$0.0015"),
        (0.000012, "usd", "$0.000012"),
        (12.5, "usd", "$12.50"),
        (0.0, "usd", "$0"),
    ],
)
def test_amounts_are_shown_in_their_unit(value, unit, text):
    assert amount(value, unit) == text


def test_durations_and_dollars_never_show_a_small_amount_as_nothing():
    assert duration(0.04) == "0.0 ms"
    assert dollars(2e-8) == "$0.00000002"


@pytest.mark.parametrize(
    ("metric", "name"),
    [
        ("retrieval.recall_at_k", "recall@5"),
        ("retrieval.recall_at_20", "recall@20"),
        ("retrieval.mrr", "MRR"),
        ("operational.answer_latency_ms", "answer latency"),
        ("acme", "acme"),
    ],
)
def test_metrics_have_short_names(metric, name):
    assert short_name(metric, 5) == name


def test_families_come_in_the_order_of_the_pipeline_and_unknown_ones_last():
    names = ["acme.b", "funnel.used", "retrieval.map", "retrieval.hit_rate_at_k", "generation.groundedness"]
    assert sorted(names, key=reading_order) == [
        "retrieval.hit_rate_at_k",
        "retrieval.map",
        "generation.groundedness",
        "funnel.used",
        "acme.b",
    ]


def test_named_values_stand_with_their_metric():
    run = replace(RUN, summaries=(summary("a.refusals", 0.5, values={"f1": 0.25, "risk": None, "coverage": 1.0}),))
    assert "Named          refusals: f1 0.250, coverage 1.000" in list(headline(run))


def test_a_cost_without_prices_is_unknown_and_not_nothing():
    run = replace(RUN, judge={**JUDGE, "priced": False}, cost_usd=0.0)
    line = next(line for line in headline(run, []) if line.startswith("Time"))
    assert line.endswith("judge 12 calls, 3 from the cache, cost unknown (no prices given)")
