"""Percentile bootstrap intervals of means."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING, TypeVar

from .endless import endless_interval
from .numerics import (
    DEFAULT_CONFIDENCE,
    DEFAULT_RESAMPLES,
    DEFAULT_SEED,
    as_floats,
    check_confidence,
    check_resamples,
)
from .resampling import resampled_means

if TYPE_CHECKING:
    from .numerics import Floats

Key = TypeVar("Key", bound=Hashable)
Interval = tuple[float, float]


def mean_interval(
    values: Sequence[float],
    *,
    confidence: float = DEFAULT_CONFIDENCE,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = DEFAULT_SEED,
) -> Interval | None:
    """Percentile bootstrap interval of the mean of `values`, in their unit and within their range.

    None for fewer than two values: one case says nothing about spread. Identical values v give (v, v).
    May need numpy (ImportError without it: ask `available()` first). ValueError for a value that is not finite.
    """
    return mean_intervals({0: values}, confidence=confidence, resamples=resamples, seed=seed)[0]


def mean_intervals(
    columns: Mapping[Key, Sequence[float]],
    *,
    confidence: float = DEFAULT_CONFIDENCE,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = DEFAULT_SEED,
) -> dict[Key, Interval | None]:
    """`mean_interval` of several columns at once, with the same results and much faster for continuous values.

    A column is not resampled where the limit of endless resamples is known closely enough (`endless`); only what is
    left needs numpy.
    """
    check_confidence(confidence)
    check_resamples(resamples)
    found = {key: endless_interval(values, confidence) for key, values in columns.items()}
    left = [key for key, interval in found.items() if interval is None]
    left = [key for key in left if len(columns[key]) > 1 or not all(map(isfinite, columns[key]))]
    arrays = {key: as_floats(columns[key]) for key in left}
    if arrays:
        resampled = intervals_of(list(arrays.values()), confidence=confidence, resamples=resamples, seed=seed)
        found.update(zip(arrays, resampled, strict=True))
    return found


def intervals_of(columns: Sequence[Floats], *, confidence: float, resamples: int, seed: int) -> list[Interval | None]:
    """`mean_intervals` on a list of float arrays."""
    import numpy as np

    check_confidence(confidence)
    check_resamples(resamples)
    tail = (1.0 - confidence) / 2
    spread = [i for i, column in enumerate(columns) if column.size > 1 and column.min() < column.max()]
    means = dict(
        zip(spread, resampled_means([columns[i] for i in spread], resamples=resamples, seed=seed), strict=True)
    )
    found: list[Interval | None] = []
    for i, column in enumerate(columns):
        if i in means:
            low, high = np.clip(np.quantile(means[i], (tail, 1.0 - tail)), column.min(), column.max())
            found.append((float(low), float(high)) if isfinite(low) and isfinite(high) else None)
        else:
            found.append((float(column[0]), float(column[0])) if column.size > 1 else None)
    return found
