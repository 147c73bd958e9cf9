import math

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats

from ragproof_core.statistics import cases_needed, detectable_difference
from ragproof_core.statistics.binomial import cumulative, proportion_reaching, upper_bound
from ragproof_core.statistics.power import cases_to_exclude, changes_needed, deviation, unseen_change


def t_test_power(effect, spread, n, alpha=0.05):
    """Power of the two-sided paired t-test, the exact reference for normal differences."""
    shift, edge = effect / spread * math.sqrt(n), stats.t.ppf(1 - alpha / 2, n - 1)
    return stats.nct.sf(edge, n - 1, shift) + stats.nct.cdf(-edge, n - 1, shift)


@pytest.mark.parametrize(
    ("alpha", "k"),
    [(0.05, 6), (0.03125, 6), (0.03124, 7), (0.05 / 10, 9), (0.0625, 5)],  # 2/2**6 = 0.03125, 2/2**9 = 0.0039
)
def test_changes_needed(alpha, k):
    assert changes_needed(alpha) == k


@pytest.mark.parametrize("n", [10, 20, 50, 200])
def test_detectable_has_eighty_percent_power_in_a_t_test(n):
    differences = np.linspace(-1.0, 1.01, n).tolist()
    effect = detectable_difference(differences)
    if n > 10:  # with 10 cases the floor of the sign-flip test is the higher one
        assert t_test_power(effect, deviation(differences), n) == pytest.approx(0.8, abs=0.01)
    else:
        assert t_test_power(effect, deviation(differences), n) >= 0.79


def test_detectable_by_hand():
    """100 differences of +1 and -1: s**2 = 100/99, 2.80159 * s / sqrt(100 - 1.92073) = 0.28431."""
    assert detectable_difference([1.0, -1.0] * 50) == pytest.approx(0.28431, abs=5e-6)


@pytest.mark.parametrize("n", [6, 20, 100, 1_000])
def test_nothing_changed_leaves_the_floor_of_the_test(n):
    """So large a share of changed cases that 6 or more of n change with 80 % probability."""
    share = detectable_difference([0.0] * n)
    assert stats.binom.sf(5, n, share) == pytest.approx(0.8, abs=1e-9)
    assert detectable_difference([0.0] * n, step=0.5) == share / 2


def test_rare_changes_keep_the_floor():
    """One case of 20 moved by 1: s = 0.2236 alone would promise 0.147, yet 3 changed cases can never reach 5 %."""
    assert detectable_difference([1.0] + [0.0] * 19) == detectable_difference([0.0] * 20) > 6 / 20


@pytest.mark.parametrize("n", [0, 1, 5])
def test_fewer_than_six_cases_detect_nothing(n):
    assert detectable_difference([0.5] * n) is None


@pytest.mark.parametrize(
    ("effect", "spread", "needed"),
    [
        (0.1, 0.5, 199),  # (2.80159 * 5)**2 + 1.92073 = 196.222 + 1.921 = 198.14
        (-0.1, 0.5, 199),
        (0.3, 0.47016, 22),  # (2.80159 * 1.5672)**2 + 1.92073 = 21.20
        (1.0, 0.0, 6),
        (1e-9, 1.0, 10_000_000),
        (0.0, 0.5, None),
    ],
)
def test_cases_needed(effect, spread, needed):
    assert cases_needed(effect, spread) == needed


@given(st.floats(0.05, 1.0), st.floats(0.1, 2.0))
def test_cases_needed_reach_the_power(effect, spread):
    n = cases_needed(effect, spread)
    if n > 10:
        assert t_test_power(effect, spread, n) >= 0.79
        assert t_test_power(effect, spread, n - 2) <= 0.81


@pytest.mark.parametrize(("successes", "n", "alpha"), [(0, 20, 0.05), (1, 20, 0.05), (5, 300, 0.01), (3, 3, 0.05)])
def test_clopper_pearson(successes, n, alpha):
    expected = stats.binomtest(successes, n, alternative="less").proportion_ci(1 - alpha, method="exact").high
    assert upper_bound(successes, n, alpha) == pytest.approx(expected, rel=1e-9)


def test_rule_of_three():
    assert upper_bound(0, 100, 0.05) == pytest.approx(1 - 0.05 ** (1 / 100), rel=1e-12)
    assert unseen_change(0, 59, step=1.0) <= 0.05 < unseen_change(0, 58, step=1.0)
    assert cases_to_exclude(0.05, 0, 20, step=1.0) == 59
    assert unseen_change(6, 20, step=1.0) == 0.0
    assert cases_to_exclude(0.0, 0, 20, step=1.0) is None


@given(st.integers(0, 40), st.integers(1, 40), st.floats(0.0, 1.0))
def test_binomial_tail(k, n, p):
    assert cumulative(k, n, p) == pytest.approx(stats.binom.cdf(k, n, p), abs=1e-12)


def test_more_than_all_cannot_be_reached():
    assert proportion_reaching(7, 6, 0.8) is None


@pytest.mark.parametrize("bad", [{"alpha": 0.0}, {"power": 1.0}])
def test_options_out_of_range(bad):
    with pytest.raises(ValueError, match="between 0 and 1"):
        cases_needed(0.1, 0.5, **bad)


@given(st.lists(st.floats(-10, 10), min_size=2, max_size=40))
def test_deviation(values):
    assert deviation(values) == pytest.approx(np.std(values, ddof=1), abs=1e-9)
