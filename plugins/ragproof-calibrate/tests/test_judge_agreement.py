import pytest
from hypothesis import given, strategies as st
from ragproof_calibrate.agreement import agreement, stability
from ragproof_calibrate.asking import Verdict

SCORES = st.none() | st.floats(0, 1)
VERDICTS = st.builds(Verdict, SCORES) | st.builds(Verdict, st.none(), st.text(min_size=1))


def verdicts(*scores):
    return [Verdict(None, "no JSON") if score == "unusable" else Verdict(score) for score in scores]


def test_hand_computed():
    # human:  1 1 1 1 .5 .5 0 0 0 0     judge: 1 1 1 .5 .5 0 0 0 0 1
    found = agreement([1, 1, 1, 1, 0.5, 0.5, 0, 0, 0, 0], verdicts(1, 1, 1, 0.5, 0.5, 0, 0, 0, 0, 1))
    assert (found.n, found.unusable) == (10, 0)
    assert found.exact == 7 / 10
    assert found.within_band == 9 / 10  # only 0 against 1 is two bands away
    # by chance, from 4, 2 and 4 of 10 on both sides: 0.16 + 0.04 + 0.16 is 0.36
    assert found.kappa == pytest.approx((0.7 - 0.36) / (1 - 0.36))


@pytest.mark.parametrize(
    ("expected", "score", "exact", "within"),
    [
        (1.0, 0.76, 1, 1),
        (1.0, 0.75, 0, 1),  # half-way counts as 0.5
        (0.5, 0.25, 1, 1),
        (0.0, 0.24, 1, 1),
        (0.0, 1.0, 0, 0),
        (None, None, 1, 1),
        (None, 0.0, 0, 0),  # not applicable is no band away from anything
        (0.5, None, 0, 0),
        (0.0, "unusable", 0, 0),
        (None, "unusable", 0, 0),
    ],
)
def test_one_pair(expected, score, exact, within):
    found = agreement([expected], verdicts(score))
    assert (found.exact, found.within_band) == (exact, within)
    assert found.unusable == (score == "unusable")


def test_an_unusable_reply_lowers_kappa_like_a_disagreement():
    # p_o 3/4; chance: human 1: 2/4, 0: 2/4; judge 1: 2/4, 0: 1/4, unusable 1/4 -> 1/4 + 1/8 = 3/8
    found = agreement([1, 1, 0, 0], verdicts(1, 1, 0, "unusable"))
    assert found.exact == 3 / 4
    assert found.kappa == pytest.approx((3 / 4 - 3 / 8) / (1 - 3 / 8))


def test_undefined_where_there_is_nothing_to_tell():
    assert agreement([], []).exact is None
    assert agreement([1, 1], verdicts(1, 1)).kappa is None  # one label throughout


@given(st.lists(st.tuples(SCORES, VERDICTS), min_size=1))
def test_ranges(pairs):
    found = agreement([one for one, _ in pairs], [other for _, other in pairs])
    assert 0.0 <= found.exact <= found.within_band <= 1.0
    assert found.kappa is None or -1.0 <= found.kappa <= 1.0
    assert found.unusable <= found.n - found.exact * found.n + 1e-9


def test_variance_of_repeats():
    repeats = [verdicts(1, 0), verdicts(1, 1), verdicts(0.5, "unusable"), verdicts(None, None)]
    found = stability(repeats)
    # 0.25 and 0; one numeric score alone has no variance, not applicable has none
    assert found.variance == pytest.approx((0.25 + 0) / 2)
    assert found.unchanged == 2 / 4


def test_without_repeats_there_is_no_variance():
    assert stability([verdicts(1), verdicts(0)]).variance is None
    assert stability([verdicts(1)]).unchanged is None


@given(st.lists(st.lists(VERDICTS, min_size=1, max_size=5), min_size=1, max_size=8))
def test_variance_of_shares_is_at_most_a_quarter(repeats):
    found = stability(repeats)
    assert found.variance is None or -1e-12 <= found.variance <= 0.25 + 1e-12
    assert found.unchanged is None or 0.0 <= found.unchanged <= 1.0
