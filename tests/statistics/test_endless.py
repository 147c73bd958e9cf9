"""The limit of endless resamples against exact arithmetic and against real resampling."""

import numpy as np
import pytest

from ragproof_core.statistics.bootstrap import intervals_of, mean_interval
from ragproof_core.statistics.endless import endless_interval


def test_two_values_are_exact_binomial_percentiles() -> None:
    # X ~ Binomial(4, 1/2): P(X <= 0) = 1/16 = 0.0625 > 0.025, P(X <= 3) = 15/16 = 0.9375 < 0.975
    assert endless_interval([0.0, 0.0, 1.0, 1.0], 0.95) == (0.0, 1.0)
    # at 80 %: P(X <= 0) = 0.0625 < 0.1 <= P(X <= 1) = 0.3125, P(X <= 2) = 0.6875 < 0.9 <= P(X <= 3)
    assert endless_interval([0.0, 0.0, 1.0, 1.0], 0.8) == (0.25, 0.75)
    # other values than 0 and 1 are the same counts on another scale: 2 + 4 * k/4
    assert endless_interval([2.0, 2.0, 6.0, 6.0], 0.8) == (3.0, 5.0)


@pytest.mark.parametrize(
    "values",
    [
        np.random.default_rng(1).lognormal(5, 0.5, 4000),
        np.random.default_rng(2).random(1500),
        np.random.default_rng(3).choice([0.0, 0.5, 1.0], 3000, p=[0.1, 0.2, 0.7]),
        1 / np.random.default_rng(4).integers(1, 6, 200),
        np.random.default_rng(5).lognormal(0, 1, 300),
    ],
    ids=["latency", "uniform", "bands", "reciprocal ranks", "skewed"],
)
def test_agrees_with_resampling_within_its_noise(values: np.ndarray) -> None:
    found = endless_interval(values.tolist(), 0.95)
    (resampled,) = intervals_of([values], confidence=0.95, resamples=40_000, seed=7)
    assert found is not None
    assert resampled is not None
    # a 2.5 % percentile of 40,000 resamples has a standard error of about 0.013 standard errors of the mean
    noise = 4 * 0.013 * values.std() / len(values) ** 0.5
    assert found == pytest.approx(resampled, abs=noise)


def test_few_bands_differ_by_less_than_half_a_step() -> None:
    values = [1.0] * 95 + [0.5] * 20 + [0.0] * 5
    found = endless_interval(values, 0.95)
    (resampled,) = intervals_of([np.array(values)], confidence=0.95, resamples=40_000, seed=7)
    assert found == pytest.approx(resampled, abs=0.5 * 0.5 / 120 + 0.0005)


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ([0.0, 0.5, 1.0] * 33, "99 cases"),
        ([0.0, 1e-9] * 999 + [1.0], "one value rules: skewness of the mean is about 1"),
        ([0.5], "one case says nothing about spread"),
        ([], "no case"),
    ],
)
def test_leaves_the_rest_to_resampling(values: list[float], why: str) -> None:
    assert endless_interval(values, 0.95) is None, why


def test_no_spread_has_no_width() -> None:
    assert endless_interval([0.1] * 10, 0.95) == (0.1, 0.1)


def test_usual_columns_need_no_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "numpy", None)
    low, high = mean_interval([0.0, 0.5, 1.0] * 700) or (0, 0)
    assert 0.48 < low < 0.5 < high < 0.52
