import pytest
from ragproof_metrics_generation.answer_tokens import AnswerTokens

from ragproof_core import Answer, Response, Usage


@pytest.mark.parametrize(
    ("text", "usage", "value", "note"),
    [
        ("abcdefgh", None, 2, "estimated: 4 characters a token"),
        ("abcdefghi", None, 3, "estimated: 4 characters a token"),  # 9 / 4, rounded up
        ("", None, 0, "estimated: 4 characters a token"),
        ("abcdefgh", Usage(input_tokens=9), 2, "estimated: 4 characters a token"),
        ("abcdefgh", Usage(output_tokens=17), 17, None),
        ("abcdefgh", Usage(output_tokens=0), 0, None),
    ],
)
def test_reported_tokens_else_an_estimate(text, usage, value, note):
    outcome = AnswerTokens().score(Response(answer=Answer(text, usage=usage)))
    assert (outcome.value, outcome.reason) == (value, note)


def test_no_answer_skips_and_no_direction():
    assert AnswerTokens().score(Response()).status == "skipped"
    assert AnswerTokens.direction == "none"
