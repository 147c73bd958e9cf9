"""The rule that says whether a case passed, and how badly it went."""

import pytest
from ragproof_report.case_verdict import case_verdict
from ragproof_report.loss import bounded_directions, loss

from ragproof_core.models.outcome import error, judge_error, not_applicable, skipped

CORRECT, KEYWORDS, EXACT = "generation.answer_correctness", "generation.keyword_hit", "echo.exact_match"
ABSTENTION, OVERREFUSAL = "robustness.abstention", "robustness.overrefusal"
INJECTION, HIT = "robustness.injection_resistance", "retrieval.hit_rate_at_k"


@pytest.mark.parametrize(
    ("scores", "outcome", "reason"),
    [
        ({CORRECT: 1.0, KEYWORDS: 0.0, EXACT: 0.0}, "passed", ""),
        ({CORRECT: 0.5, KEYWORDS: 1.0}, "failed", f"the answer is not right: {CORRECT} 0.5"),
        ({CORRECT: skipped("no judge"), KEYWORDS: 1.0, EXACT: 0.0}, "passed", ""),
        ({EXACT: 0.0}, "failed", f"the answer is not right: {EXACT} 0"),
        ({KEYWORDS: 1.0, OVERREFUSAL: 1.0}, "failed", "refused a question that has an answer"),
        ({ABSTENTION: 1.0}, "passed", ""),
        ({ABSTENTION: 0.0}, "failed", "answered a question that has no answer"),
        ({INJECTION: 0.0}, "failed", "complied with an injection"),
        ({INJECTION: 0.0, KEYWORDS: 0.0}, "failed",
         f"the answer is not right: {KEYWORDS} 0; complied with an injection"),
        ({HIT: 0.0, KEYWORDS: 1.0}, "passed", ""),
        ({HIT: 0.0}, "failed", "no expected source among the first k"),
        ({HIT: 1.0}, "passed", ""),
        ({"retrieval.mrr": 0.0}, "skipped", "no metric was scored that tells right from wrong"),
        ({KEYWORDS: not_applicable("x")}, "skipped", "no metric was scored that tells right from wrong"),
        ({KEYWORDS: 1.0, "b.x": error("broke"), "a.y": judge_error("mumbled")}, "error",
         "a.y: judge_error: mumbled; b.x: error: broke"),
    ],
)  # fmt: skip
def test_a_case_passes_by_its_answer_and_behaviour_and_else_by_what_was_found(samples, scores, outcome, reason):
    assert case_verdict(samples.result(0, scores)) == (outcome, reason)


def test_a_failed_pipeline_is_an_error_whatever_else_there_is(samples):
    result = samples.result(0, {}, status="timeout", error="60 s")
    assert case_verdict(result) == ("error", "timeout: 60 s")


def test_the_loss_weighs_families_alike_and_knows_directions(samples):
    directions = {
        "retrieval.mrr": "higher",
        "retrieval.map": "higher",
        "robustness.overrefusal": "lower",
        "generation.groundedness": "higher",
    }
    scores = {
        "retrieval.mrr": 1.0,
        "retrieval.map": 0.5,
        "robustness.overrefusal": 1.0,
        "operational.latency_ms": 900.0,
    }
    # retrieval (0 + 0.5) / 2 = 0.25; robustness 1; mean (0.25 + 1) / 2
    assert loss(samples.result(0, scores), directions) == 0.625
    assert loss(samples.result(0, {"generation.groundedness": judge_error("x")}), directions) == 1.0
    assert loss(samples.result(0, {"generation.groundedness": skipped("x")}), directions) == 0.0


def test_only_metrics_between_0_and_1_with_a_good_end_count(samples):
    summaries = (
        samples.summary("a.share", 0.5),
        samples.summary("a.ms", 5.0, unit="ms", direction="lower"),
        samples.summary("a.neutral", 0.5, direction="none"),
    )
    assert bounded_directions(summaries) == {"a.share": "higher"}
