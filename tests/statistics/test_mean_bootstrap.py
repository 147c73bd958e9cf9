import math
import random

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats

from ragproof_core.statistics import mean_interval, mean_intervals
from ragproof_core.statistics.resampling import BYTES_PER_WEIGHT, FEW_DISTINCT, SMALL, resampled_means


def continuous(n, seed=3):
    rng = random.Random(seed)
    return [rng.lognormvariate(6.0, 0.5) for _ in range(n)]


@pytest.mark.parametrize(
    ("values", "interval"),
    [
        ([], None),
        ([0.7], None),
        ([0.3, 0.3], (0.3, 0.3)),
        ([0.1] * 30, (0.1, 0.1)),
    ],
)
def test_without_spread(values, interval):
    assert mean_interval(values) == interval


@pytest.mark.parametrize(("hits", "n"), [(14, 20), (6, 20), (90, 100), (28, 31), (5_000, 10_000)])
def test_zero_one_scores_give_the_binomial_quantiles(hits, n):
    """The number of hits in a resample is Binomial(n, hits/n), so the limit is known."""
    low, high = mean_interval([1.0] * hits + [0.0] * (n - hits), resamples=200_000)
    expected = stats.binom.ppf([0.025, 0.975], n, hits / n) / n
    assert low == pytest.approx(expected[0], abs=0.021 * math.sqrt(1 / n))
    assert high == pytest.approx(expected[1], abs=0.021 * math.sqrt(1 / n))


def test_six_of_twenty_by_hand():
    """Binomial(20, 0.3): P(X <= 1) = 0.0076, P(X <= 2) = 0.0355, P(X <= 9) = 0.9520, P(X <= 10) = 0.9829."""
    assert mean_interval([1.0] * 6 + [0.0] * 14) == (2 / 20, 10 / 20)


@pytest.mark.parametrize("n", [30, SMALL, SMALL + 1, 1_000])
def test_agrees_with_scipy(n):
    values = continuous(n)
    reference = stats.bootstrap((values,), np.mean, n_resamples=20_000, method="percentile", rng=5, batch=1_000)
    low, high = mean_interval(values, resamples=20_000)
    noise = 0.1 * reference.standard_error  # about 4 standard errors of a 2.5 % quantile from 20,000 resamples, twice
    assert low == pytest.approx(reference.confidence_interval.low, abs=noise)
    assert high == pytest.approx(reference.confidence_interval.high, abs=noise)


@pytest.mark.parametrize("n", [40, SMALL + 1, 3_000])
@pytest.mark.parametrize("bands", [True, False])
def test_resampled_means_have_the_spread_of_the_theory(n, bands):
    """The bootstrap standard error of a mean is the population standard deviation over sqrt(n)."""
    values = np.array([random.Random(i).choice((0.0, 0.5, 1.0)) for i in range(n)] if bands else continuous(n))
    (means,) = resampled_means([values], resamples=20_000, seed=1)
    expected = values.std() / math.sqrt(n)
    assert means.std() == pytest.approx(expected, rel=0.02)
    assert means.mean() == pytest.approx(values.mean(), abs=4 * expected / math.sqrt(20_000))


def test_weights_have_mean_and_variance_one():
    assert sum(BYTES_PER_WEIGHT) == 256
    assert sum(w * count for w, count in enumerate(BYTES_PER_WEIGHT)) == 256
    assert sum((w - 1) ** 2 * count for w, count in enumerate(BYTES_PER_WEIGHT)) == 256


def test_weighted_and_drawn_resamples_agree_at_the_boundary():
    """The same data go one way with SMALL cases and another with one more: the intervals are nearly the same."""
    values = continuous(SMALL + 1)
    drawn, weighted = mean_interval(values[:SMALL], resamples=50_000), mean_interval(values, resamples=50_000)
    width = drawn[1] - drawn[0]
    assert weighted == pytest.approx(drawn, abs=0.03 * width + abs(np.mean(values) - np.mean(values[:SMALL])))


def test_many_columns_get_what_each_gets_alone():
    columns = {
        "bands": [0.0, 0.5, 1.0] * 200,
        "short": continuous(50),
        "long": continuous(700, seed=1),
        "longer": continuous(2_000, seed=2),
        "one": [3.0],
        "flat": [2.0, 2.0],
    }
    together = mean_intervals(columns, resamples=500)
    for name, values in columns.items():
        alone = mean_interval(values, resamples=500)
        assert together[name] == (None if alone is None else pytest.approx(alone, rel=1e-6))


def test_a_seed_decides():
    values = [0.0, 0.387, 0.63, 1.0] * 2  # too few, and on no lattice: resampled
    assert mean_interval(values) == mean_interval(values)
    assert mean_interval(values, seed=1, resamples=99) != mean_interval(values, seed=2, resamples=99)


def test_huge_offset_keeps_precision():
    values = [1e9 + v for v in continuous(1_000)]
    low, high = mean_interval(values)
    shifted = mean_interval(continuous(1_000))
    assert (low - 1e9, high - 1e9) == pytest.approx(shifted, abs=1e-3)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_values_that_are_not_finite_are_refused(bad):
    with pytest.raises(ValueError, match="position 1"):
        mean_interval([0.5, bad, 0.5])


@pytest.mark.parametrize("options", [{"confidence": 0.0}, {"confidence": 1.0}, {"confidence": 95}, {"resamples": 0}])
def test_options_out_of_range(options):
    with pytest.raises(ValueError, match=r"confidence|resamples"):
        mean_interval([0.0, 1.0], **options)


@settings(max_examples=60)
@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=FEW_DISTINCT * 3))
def test_interval_lies_within_the_values(values):
    low, high = mean_interval(values, resamples=200)
    assert min(values) <= low <= high <= max(values)


@settings(max_examples=30)
@given(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=2, max_size=60))
def test_more_confidence_is_never_narrower_and_order_is_irrelevant(values):
    wide, narrow = (
        mean_interval(values, confidence=0.99, resamples=500),
        mean_interval(values, confidence=0.8, resamples=500),
    )
    assert wide[0] <= narrow[0] <= narrow[1] <= wide[1]
    assert mean_interval(sorted(values), resamples=500) == mean_interval(values, resamples=500)
