import pytest
from ragproof_metrics_generation.answer_correctness import AnswerCorrectness
from ragproof_metrics_generation.answer_relevance import AnswerRelevance
from ragproof_metrics_generation.completeness import Completeness

from ragproof_core import JudgeError

BANDS = [
    (AnswerRelevance, "relevant", 1.0),
    (AnswerRelevance, "partial", 0.5),
    (AnswerRelevance, "irrelevant", 0.0),
    (AnswerCorrectness, "correct", 1.0),
    (AnswerCorrectness, "partial", 0.5),
    (AnswerCorrectness, "wrong", 0.0),
    (Completeness, "complete", 1.0),
    (Completeness, "partial", 0.5),
    (Completeness, "missing", 0.0),
]
METRICS = [AnswerRelevance, AnswerCorrectness, Completeness]


@pytest.mark.parametrize(("metric", "verdict", "value"), BANDS)
def test_verdict_to_value(judged, metric, verdict, value):
    outcome, _ = judged(metric(), {"verdict": verdict}, expected_answer="So.")
    assert (outcome.status, outcome.value) == ("scored", value)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("verdict", ["Relevant", "yes", "", None, 1, "relevant|partial"])
def test_any_other_verdict_is_unusable(judged, metric, verdict):
    with pytest.raises(JudgeError):
        judged(metric(), {"verdict": verdict}, expected_answer="So.")


@pytest.mark.parametrize("metric", METRICS)
def test_a_blank_answer_gets_zero_without_asking(judged, metric):
    outcome, judge = judged(metric(), {"verdict": "partial"}, expected_answer="So.", answer=" \n")
    assert (outcome.value, outcome.reason, judge.variables) == (0.0, "answer is blank", [])


@pytest.mark.parametrize("metric", METRICS)
def test_band_metrics_skip_without_answer_or_judge(judged, metric):
    assert (
        judged(metric(), {"verdict": "partial"}, answer=None, expected_answer="So.")[0].reason
        == "adapter does not expose answers"
    )
    assert "RAGPROOF_JUDGE_MODEL" in judged(metric(), None, expected_answer="So.")[0].reason


@pytest.mark.parametrize("metric", [AnswerCorrectness, Completeness])
@pytest.mark.parametrize("expected", [None, "", "  "])
def test_without_an_expected_answer_there_is_nothing_to_compare(judged, metric, expected):
    outcome, judge = judged(metric(), {"verdict": "partial"}, expected_answer=expected)
    assert (outcome.status, outcome.reason) == ("skipped", "case has no expected_answer")
    assert judge.variables == []


def test_the_judge_sees_no_more_than_it_needs(judged):
    _, judge = judged(AnswerRelevance(), {"verdict": "partial"}, expected_answer="So.", context=("c1",))
    assert judge.variables == [{"question": "Why?", "answer": "An answer."}]
    _, judge = judged(Completeness(), {"verdict": "partial"}, expected_answer="So.")
    assert judge.variables == [{"question": "Why?", "expected_answer": "So.", "answer": "An answer."}]
