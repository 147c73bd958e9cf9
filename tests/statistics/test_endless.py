"""The limit of endless resamples against exact arithmetic and against real resampling."""

from collections import defaultdict
from fractions import Fraction

import numpy as np
import pytest

from ragproof_core.statistics.bootstrap import intervals_of, mean_interval, mean_intervals
from ragproof_core.statistics.endless import endless_interval, lattice_step


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
        np.random.default_rng(6).lognormal(0, 1, 20),
        np.random.default_rng(7).random(12),
        np.append(np.random.default_rng(8).lognormal(0, 0.3, 2000), [300.0]),
        np.append(np.random.default_rng(9).lognormal(0, 0.3, 2000), [300.0, 200.0, 80.0, 50.0, 40.0, 30.0]),
        np.random.default_rng(10).pareto(1.5, 1000),
        np.random.default_rng(11).choice([0.0, 0.63, 0.5, 0.387, 1.0], 87),
    ],
    ids=[
        "latency", "uniform", "bands", "reciprocal ranks", "skewed", "skewed few", "uniform few", "one value rules",
        "six values rule", "heavy tail", "few cases, few values",
    ],
)  # fmt: skip
def test_agrees_with_resampling_within_its_noise(values: np.ndarray) -> None:
    found = endless_interval(values.tolist(), 0.95)
    (resampled,) = intervals_of([values], confidence=0.95, resamples=40_000, seed=7)
    assert found is not None
    assert resampled is not None
    # a 2.5 % percentile of 40,000 resamples has a standard error of about 0.013 standard errors of the mean
    noise = 4 * 0.013 * values.std() / len(values) ** 0.5
    assert found == pytest.approx(resampled, abs=noise)


@pytest.mark.parametrize(
    ("bands", "n"),
    [
        ({0.0: 5, 0.5: 20, 1.0: 95}, 120),
        ({0.0: 2, 0.5: 3, 1.0: 15}, 20),
        ({0.0: 30, 1 / 3: 1, 0.5: 1, 1.0: 30}, 62),
        ({0.2: 9, 1 / 3: 20, 0.5: 30, 1.0: 100}, 159),
        ({-1.5: 3, 2.5: 4}, 7),
    ],
)
def test_bands_are_exact(bands: dict[float, int], n: int) -> None:
    """Against the convolution of n draws, in rational numbers."""
    low, high = endless_interval([band for band, times in bands.items() for _ in range(times)], 0.95) or (0, 0)
    draw = {Fraction(band).limit_denominator(100): Fraction(times, n) for band, times in bands.items()}
    sums = {Fraction(0): Fraction(1)}
    for _ in range(n):
        step: dict[Fraction, Fraction] = defaultdict(Fraction)
        for total, chance in sums.items():
            for band, share in draw.items():
                step[total + band] += chance * share
        sums = step
    for found, fraction in ((low, Fraction(1, 40)), (high, Fraction(39, 40))):
        reached = Fraction(0)
        for total in sorted(sums):
            reached += sums[total]
            if reached >= fraction:
                assert found == pytest.approx(float(total / n), abs=1e-12)
                break


@pytest.mark.parametrize(
    ("ordered", "step"),
    [
        ([0.0, 1.0], 1.0),
        ([0.0, 0.5, 1.0], 0.5),
        ([0.0, 0.1 + 0.2, 0.5], 0.1),
        ([0.2, 0.25, 1 / 3, 0.5, 1.0], 1 / 60),
        ([2.0, 7.0, 9.0], 1.0),
        ([-3.0, 5.0], 8.0),
        ([0.0, 0.387, 0.63, 1.0], None),
        ([0.0, 1e-9, 1.0], None),
        ([1.0, 121.0, 122.0], None),
    ],
)
def test_lattices_are_seen(ordered: list[float], step: float | None) -> None:
    assert lattice_step(ordered) == (None if step is None else pytest.approx(step, rel=1e-12))


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ([0.0, 0.387, 1.0] * 3, "9 cases"),
        ([0.0, 1e-9] * 999 + [1.0], "one value rules, and the others do not smooth its steps"),
        ([0.5], "one case says nothing about spread"),
        ([], "no case"),
    ],
)
def test_leaves_the_rest_to_resampling(values: list[float], why: str) -> None:
    assert endless_interval(values, 0.95) is None, why


@pytest.mark.parametrize(
    "values",
    [
        [*(n * 0.0011 for n in range(7)), *(0.9931 + n * 0.0011 for n in range(6))],
        [*(n * 0.001 for n in range(7)), *(0.994 + n * 0.001 for n in range(7))],
    ],
)
def test_clusters_are_not_smooth(values: list[float]) -> None:
    """Their characteristic function vanishes and comes back: sums of a few clusters have steps."""
    assert endless_interval(values, 0.95) is None


@pytest.mark.parametrize("scale", [1.0, 2.0**900, 2.0**-900])
def test_scale_changes_nothing(scale: float) -> None:
    values = np.random.default_rng(3).lognormal(0, 1, 50).tolist()
    low, high = endless_interval(values, 0.95) or (0, 0)
    scaled = endless_interval([value * scale for value in values], 0.95)
    assert scaled == pytest.approx((low * scale, high * scale), rel=1e-12, abs=0.0)


@pytest.mark.parametrize(
    ("values", "interval"),
    [
        ([-1.7e308, 1.7e308], (-1.7e308, 1.7e308)),
        ([0.0] * 11 + [1.2e308], (0.0, 3 / 12 * 1.2e308)),  # P(X <= 2) = 0.938, P(X <= 3) = 0.988 for B(12, 1/12)
    ],
)
def test_values_near_the_largest_float(values: list[float], interval: tuple[float, float]) -> None:
    assert endless_interval(values, 0.95) == pytest.approx(interval)


def test_no_spread_has_no_width() -> None:
    assert endless_interval([0.1] * 10, 0.95) == (0.1, 0.1)


def test_usual_columns_need_no_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "numpy", None)
    assert mean_intervals({"never scored": [], "once": [0.5], "always 1": [1.0, 1.0]}) == {
        "never scored": None,
        "once": None,
        "always 1": (1.0, 1.0),
    }
    low, high = mean_interval([0.0, 0.5, 1.0] * 700) or (0, 0)
    assert 0.48 < low < 0.5 < high < 0.52
