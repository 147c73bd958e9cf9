"""Distribution-free confidence interval of a percentile, read off the order statistics.

The number of values at or below the true percentile is Binomial(n, fraction) whatever the distribution of the
values, so two ranks of the sorted values enclose it with at least the stated confidence. That is exact, needs no
resampling, no numpy and no seed, and it says so when a sample is too small. A bootstrap of p95 can never look beyond
the largest value seen, and silently covers far less than it states.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction

from .binomial import probability
from .numerics import DEFAULT_CONFIDENCE, check_confidence


def quantile_interval(
    values: Iterable[float], fraction: float | Fraction, *, confidence: float = DEFAULT_CONFIDENCE
) -> tuple[float, float] | None:
    """Interval for the percentile `fraction` (0.5 for p50), in the unit of the values; both ends are values seen.

    None for fewer than two values, and when no value is far enough out to bound the percentile: at 95 % confidence
    p50 needs 6 cases, p95 needs 72, p99 needs 368. Two or more identical values v give (v, v).
    """
    check_confidence(confidence)
    ordered = sorted(values)
    if not all(math.isfinite(value) for value in ordered):
        raise ValueError("values must be finite numbers")
    if len(ordered) <= 1:
        return None
    if ordered[0] == ordered[-1]:
        return ordered[0], ordered[-1]
    ranks = enclosing_ranks(len(ordered), float(fraction), (1.0 - confidence) / 2)
    return None if ranks is None else (ordered[ranks[0] - 1], ordered[ranks[1] - 1])


def enclosing_ranks(n: int, fraction: float, tail: float) -> tuple[int, int] | None:
    """Ranks (from 1) of the two order statistics, each missing with probability at most `tail`; None if there are none.

    The lower one is the largest l with P(X < l) <= tail, the upper the smallest u with P(X >= u) <= tail,
    X ~ Binomial(n, fraction).
    """
    if not 0.0 < fraction < 1.0:
        raise ValueError(f"an interval needs a percentile strictly between 0 and 1, got {fraction}")
    low = _largest_rank_below(n, fraction, tail)
    high = n + 1 - _largest_rank_below(n, 1.0 - fraction, tail)
    return (low, high) if low >= 1 and high <= n else None


def _largest_rank_below(n: int, fraction: float, tail: float) -> int:
    """The largest l with P(X <= l - 1) <= tail; 0 when even P(X = 0) is above it."""
    reach = 40.0 * math.sqrt(n * fraction * (1.0 - fraction)) + 1.0  # nothing that counts lies below this
    k = max(0, math.floor(n * fraction - reach))
    below = 0.0
    while True:
        below += probability(k, n, fraction)
        if below > tail:
            return k
        k += 1
