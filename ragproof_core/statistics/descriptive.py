"""Mean and nearest-rank percentiles: pure Python, no numpy."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache


def mean(values: Sequence[float]) -> float | None:
    """Arithmetic mean from a correctly rounded sum, never outside [min, max]; None for no values."""
    if not values:
        return None
    try:
        total = math.fsum(values)
    except OverflowError:  # sums of values near the largest float: in halves of a power of two, which are exact
        return 2.0**64 * (mean([value / 2.0**64 for value in values]) or 0.0)
    return min(max(total / len(values), min(values)), max(values))


@lru_cache(maxsize=64)
def _as_written(fraction: float) -> Fraction:
    return Fraction(repr(fraction))


def rank_of(fraction: float | Fraction, n: int) -> int:
    """The nearest rank max(1, ceil(fraction * n)), counted from 1.

    The fraction is taken as the decimal number that it is written as: 0.07 of 100 is rank 7, although the binary
    product 0.07 * 100 is above 7. ValueError unless 0 <= fraction <= 1.
    """
    exact = fraction if isinstance(fraction, Fraction) else _as_written(float(fraction))
    if not 0 <= exact <= 1:
        raise ValueError(f"a percentile is a fraction between 0 and 1, got {fraction}")
    return max(1, math.ceil(exact * n))


def nearest_rank(values: Iterable[float], fraction: float | Fraction) -> float | None:
    """The percentile by nearest rank: always one of the values, never interpolated; None for no values."""
    return percentiles(values, (fraction,))[0]


def percentiles(values: Iterable[float], fractions: Sequence[float | Fraction]) -> tuple[float | None, ...]:
    """Several nearest-rank percentiles of the same values with one sort."""
    ordered = sorted(values)
    if not ordered:
        return tuple(None for _ in fractions)
    if any(map(math.isnan, ordered)):
        raise ValueError("values must be numbers, got NaN")
    return tuple(ordered[rank_of(fraction, len(ordered)) - 1] for fraction in fractions)
