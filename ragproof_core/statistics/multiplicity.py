"""Correction for asking many questions of the same two runs."""

from __future__ import annotations

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down adjusted p-values, in the order given: each is at least its raw value and at most 1.

    The i-th smallest of m (i from 0) is multiplied by m - i, then made no smaller than the one before it. Rejecting
    those at or below alpha keeps the chance of even one false alarm in the family at alpha, whatever the dependence.
    Source: S. Holm, Scandinavian Journal of Statistics 6 (1979).
    """
    if not all(0.0 <= p <= 1.0 for p in p_values):
        raise ValueError("p-values lie between 0 and 1")
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for passed, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - passed) * p_values[index]))
        adjusted[index] = highest
    return adjusted
