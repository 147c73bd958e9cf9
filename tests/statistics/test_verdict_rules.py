import pytest
from hypothesis import given, strategies as st

from ragproof_core.statistics.verdicts import decide, round_up


@pytest.mark.parametrize(
    ("difference", "direction", "outcome"),
    [
        (0.2, "higher", "better"),
        (-0.2, "higher", "worse"),
        (0.2, "lower", "worse"),  # overrefusal or latency rises: a regression
        (-0.2, "lower", "better"),
        (0.2, "none", "higher"),
        (-0.2, "none", "lower"),
    ],
)
def test_direction(difference, direction, outcome):
    verdict = decide([difference] * 10, (difference, difference), 0.01, direction=direction, margin=0.05, step=1.0)
    assert (verdict.outcome, verdict.text, verdict.needed) == (outcome, outcome, None)


@pytest.mark.parametrize(
    ("interval", "n", "margin", "outcome"),
    [
        ((-0.04, 0.03), 200, 0.05, "same"),
        ((-0.04, 0.05), 200, 0.05, "same"),
        ((-0.04, 0.06), 200, 0.05, "inconclusive"),
        ((-0.06, 0.01), 200, 0.05, "inconclusive"),
        ((0.01, 0.03), 200, 0.05, "same"),  # not significant after correction, and within the margin
        (None, 1, 0.05, "inconclusive"),
    ],
)
def test_margin(interval, n, margin, outcome):
    differences = ([0.3, -0.3] * n)[:n]
    verdict = decide(differences, interval, 0.4, direction="higher", margin=margin, step=1.0)
    assert verdict.outcome == outcome


@pytest.mark.parametrize(
    ("changed", "n", "outcome"),
    [
        (0, 20, "inconclusive"),  # up to 14 % of the cases might change
        (0, 58, "inconclusive"),
        (0, 59, "same"),  # 1 - 0.05**(1/59) = 0.0495
        (1, 92, "inconclusive"),  # Clopper-Pearson: one of 92 leaves 0.0506 possible
        (1, 93, "same"),
    ],
)
def test_a_flat_interval_of_few_cases_shows_nothing(changed, n, outcome):
    differences = [0.001] * changed + [0.0] * (n - changed)
    verdict = decide(differences, (0.0, 0.001), 1.0, direction="higher", margin=0.05, step=1.0)
    assert verdict.outcome == outcome


def test_texts():
    same = decide([0.1, -0.1] * 100, (-0.02, 0.02), 0.9, direction="higher", margin=0.05, step=1.0)
    assert same.text == "no difference larger than 0.05"
    unsure = decide([0.0] * 20, (0.0, 0.0), 1.0, direction="higher", margin=0.05, step=1.0)
    assert (unsure.text, unsure.needed) == ("inconclusive (would need about 59 cases)", 59)
    unknown = decide([0.0] * 20, (0.0, 0.0), 1.0, direction="higher", margin=0.05, step=0.0)
    assert unknown.outcome == "same"  # a change that is worth nothing cannot hide


def test_a_family_needs_more_cases():
    differences = [1.0] * 6 + [0.0] * 14
    alone = decide(differences, (0.1, 0.5), 0.06, direction="higher", margin=0.05, step=1.0)
    of_ten = decide(differences, (0.1, 0.5), 0.3125, direction="higher", margin=0.05, step=1.0, family_size=10)
    # s = 0.47016: (2.80159 * 1.5672)**2 + 1.92 = 21.2; at 0.5 %: (3.64866 * 1.5672)**2 + 3.94 = 36.6
    assert (alone.needed, of_ten.needed) == (22, 37)


@pytest.mark.parametrize(
    ("count", "rounded"), [(6, 6), (59, 59), (100, 100), (101, 110), (1_234, 1_300), (9_950, 10_000)]
)
def test_round_up(count, rounded):
    assert round_up(count) == rounded


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=40), st.floats(0.0, 0.5), st.floats(0.051, 1.0))
def test_inconclusive_always_asks_for_more(differences, margin, p_value):
    verdict = decide(differences, (-1.0, 1.0), p_value, direction="higher", margin=margin, step=1.0)
    assert verdict.outcome == "inconclusive"
    assert verdict.needed is None or verdict.needed > len(differences)
