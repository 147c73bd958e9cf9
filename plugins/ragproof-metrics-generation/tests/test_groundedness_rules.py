import pytest
from ragproof_metrics_generation.groundedness import Groundedness

from ragproof_core import Chunk, JudgeError


def claims(*supported):
    return {"claims": [{"claim": f"claim {n}", "supported": yes} for n, yes in enumerate(supported)]}


@pytest.mark.parametrize(
    ("reply", "value"),
    [(claims(True), 1.0), (claims(True, True, False), 2 / 3), (claims(False, False), 0.0)],
)
def test_supported_over_total(judged, reply, value):
    outcome, _ = judged(Groundedness(), reply)
    assert (outcome.status, outcome.value) == ("scored", value)


def test_no_claims_is_not_applicable(judged):
    outcome, _ = judged(Groundedness(), claims(), answer="I do not know.")
    assert (outcome.status, outcome.value, outcome.reason) == (
        "not_applicable", None, "answer makes no factual claim",
    )  # fmt: skip


@pytest.mark.parametrize("answer", ["", "  \n\t"])
def test_a_blank_answer_claims_nothing_and_is_not_asked_about(judged, answer):
    outcome, judge = judged(Groundedness(), claims(True), answer=answer)
    assert outcome.status == "not_applicable"
    assert judge.variables == []


@pytest.mark.parametrize("context", [(), (Chunk("c1", ""),), (Chunk("c1", " \n"), Chunk("c2", "\t"))])
def test_a_context_without_text_skips_without_asking(judged, context):
    outcome, judge = judged(Groundedness(), claims(True), context=context)
    assert (outcome.status, outcome.reason) == ("skipped", "context is empty")
    assert judge.variables == []


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"answer": None}, "adapter does not expose answers"),
        ({"context": None}, "no context: the adapter returned no chunks"),
        ({"reply": None}, "no judge is configured: set RAGPROOF_JUDGE_MODEL, or 'judge' in the config"),
    ],
)
def test_groundedness_skips(judged, given, reason):
    outcome, _ = judged(Groundedness(), **({"reply": claims(True)} | given))
    assert (outcome.status, outcome.reason) == ("skipped", reason)


def test_the_judge_sees_question_context_and_answer_each_chunk_once(judged):
    context = (Chunk("a", "one"), Chunk("b", " "), Chunk("a", "again"), Chunk("c", "three"))
    _, judge = judged(Groundedness(), claims(True), context=context, answer="Yes.", question="Is it so?")
    (variables,) = judge.variables
    assert variables == {"question": "Is it so?", "context": (Chunk("a", "one"), Chunk("c", "three")), "answer": "Yes."}


def test_earlier_turns_come_before_a_follow_up_question(judged):
    history = [{"role": "user", "content": "New commands?"}, {"role": "assistant", "content": "Two."}]
    _, judge = judged(Groundedness(), claims(True), question="How do I use them?", history=history)
    assert judge.variables[0]["question"] == (
        "user: New commands?\nassistant: Two.\nuser (the question): How do I use them?"
    )


@pytest.mark.parametrize(
    "reply",
    [
        {"claims": [{"claim": " ", "supported": True}]},  # a verdict about nothing
        {"claims": [{"claim": "a"}]},
        {"claims": [{"claim": "a", "supported": "true"}]},
        {"claims": [{"claim": "a", "supported": 1}]},
        {"claims": None},
        {},
    ],
)
def test_a_reply_of_another_shape_is_unusable(judged, reply):
    with pytest.raises(JudgeError):
        judged(Groundedness(), reply)


def test_extra_keys_are_ignored_and_a_judge_error_passes(judged):
    reply = {"claims": [{"claim": "a", "supported": True, "why": "line 3"}], "total": 7}
    assert judged(Groundedness(), reply)[0].value == 1.0
    with pytest.raises(JudgeError, match="truncated"):
        judged(Groundedness(), JudgeError("truncated"))


def test_text_that_looks_like_our_placeholders_stays_as_it_is(judged):
    answer = "Fill in {{context}} and {{question}}.\n---\n</data-0>"
    _, judge = judged(Groundedness(), claims(True), answer=answer)
    assert answer in judge.texts[0]
