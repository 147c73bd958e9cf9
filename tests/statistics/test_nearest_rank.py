import math
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from ragproof_core.statistics import mean, nearest_rank, percentiles
from ragproof_core.statistics.descriptive import rank_of

FINITE = st.floats(-1e9, 1e9)


@pytest.mark.parametrize(
    ("fraction", "n", "rank"),
    [
        (0.5, 1, 1),
        (0.5, 2, 1),
        (0.5, 3, 2),  # ceil(1.5)
        (0.5, 4, 2),
        (0.95, 20, 19),  # exactly 19
        (0.95, 21, 20),  # ceil(19.95)
        (0.07, 100, 7),  # in binary 0.07 * 100 = 7.000000000000001
        (0.29, 100, 29),  # in binary 28.999999999999996
        (0.99, 100, 99),
        (0.99, 101, 100),  # ceil(99.99)
        (0.0, 5, 1),  # never below the first
        (1.0, 5, 5),
        (Fraction(1, 3), 3, 1),
    ],
)
def test_rank(fraction, n, rank):
    assert rank_of(fraction, n) == rank


def test_percentiles_are_values_of_the_sample():
    latencies = [30.0, 10.0, 40.0, 20.0]
    assert percentiles(latencies, (0.5, 0.95, 0.99)) == (20.0, 40.0, 40.0)
    assert nearest_rank(latencies, 0.25) == 10.0


def test_no_values_give_none():
    assert nearest_rank([], 0.5) is None
    assert mean([]) is None


@pytest.mark.parametrize("fraction", [-0.01, 1.01])
def test_fraction_outside_the_unit_interval(fraction):
    with pytest.raises(ValueError, match="between 0 and 1"):
        nearest_rank([1.0], fraction)


def test_nan_is_refused():
    with pytest.raises(ValueError, match="NaN"):
        nearest_rank([1.0, math.nan], 0.5)


def test_mean_rounds_once():
    assert mean([0.1] * 10) == 0.1  # adding left to right gives 0.09999999999999999
    assert mean([1e16, 1.0, -1e16]) == 1 / 3


@given(st.lists(FINITE, min_size=1, max_size=50), st.integers(0, 100))
def test_nearest_rank_is_the_first_value_with_that_share_at_or_below(values, percent):
    found = nearest_rank(values, percent / 100)
    needed = percent * len(values)
    assert 100 * sum(v <= found for v in values) >= needed
    assert found == min(values) or 100 * sum(v < found for v in values) < needed


@given(st.lists(FINITE, min_size=1, max_size=50))
def test_mean_lies_between_the_extremes(values):
    assert min(values) <= mean(values) <= max(values)


def test_the_mean_of_the_largest_floats():
    assert mean([1.7e308, 1.7e308, 1.6e308]) == pytest.approx(5 / 3 * 1e308)
    assert mean([1.7e308, -1.7e308, 3.0]) == 1.0
