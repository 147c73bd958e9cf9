"""The bootstrap interval of a mean in the limit of endless resamples, for many cases: no drawing, no numpy.

The bootstrap distribution of a mean has cumulants that follow from the values themselves: variance s²/n, skewness
g1/√n, excess kurtosis g2/n. Cornish and Fisher's expansion turns them into its percentiles, with an error far below
the Monte Carlo noise of 10,000 resamples while skewness and kurtosis of the mean are small.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import fsum, isfinite, sqrt
from statistics import NormalDist

ENOUGH_CASES = 1000
SMALL_SHAPE = 0.1
"""The largest skewness and excess kurtosis of the mean that the expansion is used for."""


def expanded_interval(values: Sequence[float], confidence: float) -> tuple[float, float] | None:
    """Return the interval, within the range of the values, or ``None`` where the values want resampling.

    That is below 1,000 cases, and for a mean whose distribution is still visibly skewed or heavy-tailed.
    """
    n = len(values)
    if n < ENOUGH_CASES:
        return None
    counts = Counter(values)
    mean = fsum(value * count for value, count in counts.items()) / n if len(counts) > 1 else float(values[0])
    if not isfinite(mean):
        return None
    second, third, fourth = _moments(counts, mean, n)
    if len(counts) == 1:
        return mean, mean
    if second <= 0:
        return None
    skewness = third / second**1.5 / sqrt(n)
    kurtosis = (fourth / second**2 - 3) / n
    if max(abs(skewness), abs(kurtosis)) > SMALL_SHAPE:
        return None
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    scale = sqrt(second / n)
    low, high = (mean + scale * _cornish_fisher(side * z, skewness, kurtosis) for side in (-1, 1))
    return max(low, min(counts)), min(high, max(counts))


def _moments(counts: Counter[float], mean: float, n: int) -> tuple[float, float, float]:
    second = third = fourth = 0.0
    for value, count in counts.items():
        off = value - mean
        square = off * off
        second += count * square
        third += count * square * off
        fourth += count * square * square
    return second / n, third / n, fourth / n


def _cornish_fisher(z: float, skewness: float, kurtosis: float) -> float:
    return z + (z**2 - 1) * skewness / 6 + (z**3 - 3 * z) * kurtosis / 24 - (2 * z**3 - 5 * z) * skewness**2 / 36
