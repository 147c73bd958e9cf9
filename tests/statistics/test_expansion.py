"""The expansion against hand arithmetic and against real resampling."""

import numpy as np
import pytest

from ragproof_core.statistics.bootstrap import intervals_of, mean_interval
from ragproof_core.statistics.expansion import expanded_interval


def test_half_ones_by_hand() -> None:
    # mean 0.5, s² = 0.25, n = 10,000: skewness 0, kurtosis (1 - 3) / 10,000 = -0.0002
    # 0.5 ± 0.005 · (1.959964 + (1.959964³ - 3 · 1.959964) · -0.0002 / 24) = 0.5 ± 0.009799751
    low, high = expanded_interval([0.0] * 5000 + [1.0] * 5000, 0.95) or (0, 0)
    assert low == pytest.approx(0.5 - 0.009799751, abs=1e-8)
    assert high == pytest.approx(0.5 + 0.009799751, abs=1e-8)


@pytest.mark.parametrize(
    "values",
    [
        np.random.default_rng(1).lognormal(5, 0.5, 4000),
        np.random.default_rng(2).random(1500),
        np.random.default_rng(3).choice([0.0, 0.5, 1.0], 3000, p=[0.1, 0.2, 0.7]),
    ],
    ids=["latency", "uniform", "bands"],
)
def test_agrees_with_resampling_within_its_noise(values: np.ndarray) -> None:
    expanded = expanded_interval(list(values), 0.95)
    (resampled,) = intervals_of([values], confidence=0.95, resamples=20_000, seed=7)
    assert expanded is not None
    assert resampled is not None
    # a 2.5 % quantile of 20,000 resamples has a standard error of about 0.019 standard errors of the mean
    noise = 4 * 0.019 * values.std() / len(values) ** 0.5
    assert expanded == pytest.approx(resampled, abs=noise)


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ([0.0, 1.0] * 499, "fewer than 1,000 cases"),
        ([0.0] * 1999 + [1.0], "skewness of the mean is about 44.7 / 44.7 = 1"),
    ],
)
def test_leaves_the_rest_to_resampling(values: list[float], why: str) -> None:
    assert expanded_interval(values, 0.95) is None, why


def test_no_spread_has_no_width() -> None:
    assert expanded_interval([0.1] * 1000, 0.95) == (0.1, 0.1)


def test_large_columns_need_no_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "numpy", None)
    low, high = mean_interval([0.0, 1.0] * 1000) or (0, 0)
    assert 0.47 < low < 0.5 < high < 0.53
