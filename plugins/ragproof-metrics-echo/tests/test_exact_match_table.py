import pytest
from ragproof_metrics_echo import ExactMatch

from ragproof_core import Answer, Case, Outcome, Response
from ragproof_core.plugins.contract import register


def score(answer, expected):
    response = Response(answer=None if answer is None else Answer(answer))
    return ExactMatch().score(Case("1", "?", expected_answer=expected), response)


@pytest.mark.parametrize(
    ("answer", "expected", "value"),
    [
        ("27", "27", 1.0),
        (" 27\n", "27", 1.0),
        ("27", "\t27 ", 1.0),
        ("27\u00a0", "27", 1.0),  # a no-break space is white space
        ("Yes", "yes", 0.0),
        ("yes", "Yes", 0.0),
        ("27.", "27", 0.0),
        ("27  days", "27 days", 0.0),  # white space inside counts
        ("2", "27", 0.0),
        ("", "27", 0.0),  # an empty answer is an answer
        ("   ", "27", 0.0),
        ("e\u0301", "\u00e9", 0.0),  # no Unicode normalisation
        ("二十七", "二十七", 1.0),
    ],
)
def test_equal_after_stripping_both_ends(answer, expected, value):
    assert score(answer, expected) == Outcome("scored", value, None)


def test_skips_without_either_text():
    assert score(None, "27") == Outcome("skipped", None, "needs an answer and an expected_answer")
    assert score("27", None) == Outcome("skipped", None, "needs an answer and an expected_answer")


def test_fits_the_contract():
    _, hooks = register("metric", ExactMatch(), "echo.exact_match")
    assert hooks == {"score"}
    assert (ExactMatch.direction, ExactMatch.range, ExactMatch.unit) == ("higher", (0.0, 1.0), "share")
    assert ExactMatch.needs == ("answer", "expected_answer")
