import math
import random

import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats

from ragproof_core.statistics import nearest_rank, quantile_interval
from ragproof_core.statistics.order_interval import enclosing_ranks


@pytest.mark.parametrize(
    ("fraction", "smallest_n"),
    [
        (0.5, 6),  # 0.5**5 = 0.03125 > 0.025 >= 0.5**6
        (0.95, 72),  # 0.95**71 = 0.0262, 0.95**72 = 0.0249
        (0.99, 368),  # 0.99**367 = 0.02501, 0.99**368 = 0.02476
        (0.05, 72),
    ],
)
def test_cases_needed_for_any_interval(fraction, smallest_n):
    assert quantile_interval(range(smallest_n - 1), fraction) is None
    assert quantile_interval(range(smallest_n), fraction) is not None


def test_median_of_ten_by_hand():
    """Binomial(10, 1/2): P(X <= 1) = 11/1024 <= 0.025 < P(X <= 2) = 56/1024: ranks 2 and 9."""
    assert enclosing_ranks(10, 0.5, 0.025) == (2, 9)
    assert quantile_interval([10, 9, 8, 7, 6, 5, 4, 3, 2, 1], 0.5) == (2, 9)


@pytest.mark.parametrize(("values", "expected"), [([], None), ([1.0], None), ([2.0, 2.0], (2.0, 2.0))])
def test_small_and_identical(values, expected):
    assert quantile_interval(values, 0.5) == expected


@pytest.mark.parametrize("fraction", [0.05, 0.5, 0.9, 0.95, 0.99])
@pytest.mark.parametrize("n", [80, 400, 1_000, 20_000])
def test_ranks_are_the_tightest_that_hold(n, fraction):
    ranks = enclosing_ranks(n, fraction, 0.025)
    if ranks is None:
        assert min(stats.binom.pmf(0, n, fraction), 1) > 0.025 or stats.binom.sf(n - 1, n, fraction) > 0.025
        return
    low, high = ranks
    assert stats.binom.cdf(low - 1, n, fraction) <= 0.025 < stats.binom.cdf(low, n, fraction)
    assert stats.binom.sf(high - 1, n, fraction) <= 0.025 < stats.binom.sf(high - 2, n, fraction)


def test_agrees_with_scipy_quantile_test():
    rng = random.Random(4)
    values = [rng.lognormvariate(6, 0.5) for _ in range(500)]
    reference = stats.quantile_test(values, p=0.95).confidence_interval(confidence_level=0.95)
    assert quantile_interval(values, 0.95) == pytest.approx((reference.low, reference.high))


@pytest.mark.parametrize("fraction", [0.0, 1.0, -1.0])
def test_fraction_must_be_inside(fraction):
    with pytest.raises(ValueError, match="strictly between"):
        quantile_interval([1.0, 2.0], fraction)


def test_not_finite_is_refused():
    with pytest.raises(ValueError, match="finite"):
        quantile_interval([1.0, math.nan], 0.5)


@settings(max_examples=50)
@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=200), st.sampled_from([0.1, 0.5, 0.9, 0.95]))
def test_interval_encloses_the_nearest_rank_percentile(values, fraction):
    interval = quantile_interval(values, fraction)
    if interval is not None:
        assert interval[0] <= nearest_rank(values, fraction) <= interval[1]
