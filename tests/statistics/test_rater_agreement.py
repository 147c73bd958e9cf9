import pytest
from hypothesis import given, strategies as st

from ragproof_core.statistics import band, cohen_kappa, exact_agreement, within_band_agreement

LABELS = st.sampled_from(["yes", "no", "partly"])


@pytest.mark.parametrize(
    ("first", "second", "kappa"),
    [
        # 20 both yes, 5 yes/no, 10 no/yes, 15 both no: p_o = 35/50, p_e = (25*30 + 25*20)/2500 = 1/2
        (["y"] * 25 + ["n"] * 25, ["y"] * 20 + ["n"] * 5 + ["y"] * 10 + ["n"] * 15, 0.4),
        (["a", "b", "a"], ["a", "b", "a"], 1.0),
        (["a", "b"], ["b", "a"], -1.0),  # p_o = 0, p_e = 1/2
        (["a", "a"], ["b", "b"], 0.0),  # p_o = p_e = 0
        (["a", "a", "b"], ["a", "a", "a"], 0.0),  # p_o = 2/3 = p_e
        (["a", "a"], ["a", "a"], None),  # p_e = 1: undefined
        ([], [], None),
        ([0.0, 0.5, 1.0, 1.0], [0.0, 0.5, 1.0, 0.5], 7 / 11),  # p_o = 3/4, p_e = (1*1 + 1*2 + 2*1)/16 = 5/16
    ],
)
def test_kappa_by_hand(first, second, kappa):
    assert cohen_kappa(first, second) == kappa


def test_lengths_must_match():
    for measure in (cohen_kappa, exact_agreement, within_band_agreement):
        with pytest.raises(ValueError, match="1 and 2 ratings"):
            measure([1.0], [1.0, 0.0])


@pytest.mark.parametrize(
    ("score", "expected"),
    [(0.0, 0.0), (0.249, 0.0), (0.25, 0.5), (0.5, 0.5), (0.75, 0.5), (0.751, 1.0), (1.0, 1.0)],
)
def test_band(score, expected):
    assert band(score) == expected


@pytest.mark.parametrize("score", [-0.1, 1.7, float("nan")])
def test_band_refuses(score):
    with pytest.raises(ValueError, match="between 0 and 1"):
        band(score)


def test_agreement_by_hand():
    judge, human = [0.0, 0.5, 1.0, 1.0], [0.1, 1.0, 1.0, 0.0]  # same, one apart, same, two apart
    assert exact_agreement(judge, human) == 2 / 4
    assert within_band_agreement(judge, human) == 3 / 4
    assert exact_agreement([], []) is None


@given(st.lists(st.tuples(LABELS, LABELS), min_size=1, max_size=40))
def test_kappa_is_symmetric_and_bounded(pairs):
    first, second = zip(*pairs, strict=True)
    kappa = cohen_kappa(first, second)
    assert cohen_kappa(second, first) == kappa
    assert kappa is None or -1.0 <= kappa <= 1.0
    if first == second:
        assert kappa in (None, 1.0)


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=30))
def test_within_a_band_is_at_least_exact(pairs):
    first, second = zip(*pairs, strict=True)
    assert exact_agreement(first, second) <= within_band_agreement(first, second)
