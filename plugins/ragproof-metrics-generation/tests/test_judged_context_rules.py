import pytest
from hypothesis import given, strategies as st
from ragproof_metrics_generation.context_precision import ContextPrecision, average_precision
from ragproof_metrics_generation.context_recall import ContextRecall
from ragproof_metrics_generation.context_utilization import ContextUtilization

from ragproof_core import Chunk, JudgeError


def useful(**verdicts):
    return {"chunks": [{"chunk_id": name, "useful": yes} for name, yes in verdicts.items()]}


def listed(key, word, verdict, *values):
    return {key: [{word: f"{word} {n}", verdict: yes} for n, yes in enumerate(values)]}


@pytest.mark.parametrize(
    ("verdicts", "value"),
    [
        ([True], 1.0),
        ([True, False], 1.0),  # (1/1) / 1
        ([False, True], 1 / 2),  # (1/2) / 1
        ([True, False, True], (1 + 2 / 3) / 2),
        ([False, False, True], 1 / 3),
        ([True, True, True], 1.0),
        ([False, False], 0.0),
        ([], 0.0),
    ],
)
def test_average_precision(verdicts, value):
    assert average_precision(verdicts) == value


@given(st.lists(st.booleans()))
def test_average_precision_is_one_only_when_useful_chunks_come_first(verdicts):
    value = average_precision(verdicts)
    assert 0.0 <= value <= 1.0
    assert (value == 1.0) == (any(verdicts) and verdicts == sorted(verdicts, reverse=True))


@pytest.mark.parametrize(
    ("reply", "value", "note"),
    [
        (useful(c1=True, c2=False, c3=True), (1 + 2 / 3) / 2, None),
        (useful(c3=True, c2=False, c1=True), (1 + 2 / 3) / 2, None),  # the reply's order means nothing
        (useful(c2=True), 1 / 2, "no verdict for c1, c3: counted as no"),
        (useful(c1=False, c2=False, c3=False, c9=True), 0.0, "verdict for unknown c9: ignored"),
    ],
)
def test_context_precision(judged, reply, value, note):
    outcome, _ = judged(ContextPrecision(), reply, context=("c1", "c2", "c3"), expected_answer="So.")
    assert (outcome.status, outcome.value, outcome.reason) == ("scored", value, note)


def test_a_chunk_without_text_keeps_its_rank(judged):
    context = (Chunk("c1", ""), Chunk("c2", "text"), Chunk("c2", "text"))
    outcome, judge = judged(ContextPrecision(), useful(c2=True), context=context, expected_answer="So.")
    assert outcome.value == 1 / 2
    assert judge.variables[0]["context"] == (Chunk("c2", "text"),)


def test_contradicting_verdicts_are_unusable(judged):
    reply = {"chunks": [{"chunk_id": "c1", "useful": True}, {"chunk_id": "c1", "useful": False}]}
    with pytest.raises(JudgeError, match="two different verdicts"):
        judged(ContextPrecision(), reply, expected_answer="So.")


@pytest.mark.parametrize("metric", [ContextPrecision, ContextRecall])
@pytest.mark.parametrize("context", [(), (Chunk("c1", " "),)])
def test_an_empty_context_holds_nothing_of_the_answer(judged, metric, context):
    outcome, judge = judged(metric(), {}, context=context, expected_answer="So.")
    assert (outcome.value, outcome.reason, judge.variables) == (0.0, "context is empty", [])


def test_context_recall(judged):
    reply = listed("statements", "statement", "supported", True, False, True)
    assert judged(ContextRecall(), reply, expected_answer="So.")[0].value == 2 / 3
    outcome, _ = judged(ContextRecall(), {"statements": []}, expected_answer="Unknown.")
    assert (outcome.status, outcome.reason) == ("not_applicable", "expected answer makes no factual statement")


def test_context_recall_and_precision_need_no_answer(judged):
    reply = listed("statements", "statement", "supported", True)
    assert judged(ContextRecall(), reply, expected_answer="So.", answer=None)[0].value == 1.0
    assert judged(ContextPrecision(), useful(c1=True, c2=True), expected_answer="So.", answer=None)[0].value == 1.0


def test_context_utilization(judged):
    reply = listed("claims", "claim", "used", True, False, False, True)
    assert judged(ContextUtilization(), reply)[0].value == 1 / 2
    outcome, _ = judged(ContextUtilization(), {"claims": []})
    assert outcome.status == "not_applicable"


def test_a_blank_answer_uses_nothing_whatever_the_judge_says(judged):
    reply = listed("claims", "claim", "used", True)
    outcome, _ = judged(ContextUtilization(), reply, answer=" ")
    assert (outcome.value, outcome.reason) == (0.0, "answer is blank")


def test_context_utilization_without_context_skips(judged):
    assert judged(ContextUtilization(), {"claims": []}, context=())[0].reason == "context is empty"
    assert judged(ContextUtilization(), {"claims": []}, context=None)[0].status == "skipped"


@pytest.mark.parametrize("metric", [ContextPrecision, ContextRecall])
def test_without_a_reference_there_is_nothing_to_look_for(judged, metric):
    assert judged(metric(), {})[0].reason == "case has no expected_answer"
