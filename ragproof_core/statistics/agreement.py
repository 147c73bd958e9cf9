"""Agreement of two raters, such as a judge and a person: pure Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence

LOW_BELOW, HIGH_ABOVE = 0.25, 0.75  # half-way between the bands 0, 0.5 and 1


def cohen_kappa(first: Sequence[Hashable], second: Sequence[Hashable]) -> float | None:
    """Cohen's kappa (p_o - p_e) / (1 - p_e) of two equally long lists of labels, at most 1.

    p_o is the share of equal labels, p_e the share expected from how often each rater uses each label. None when it
    is undefined: no labels, or p_e = 1 (both raters gave one and the same label throughout, so that agreeing cannot be
    told from chance). ValueError when the lengths differ.
    """
    n = _same_length(first, second)
    agreed = sum(a == b for a, b in zip(first, second, strict=True))
    uses, others = Counter(first), Counter(second)
    by_chance = sum(count * others[label] for label, count in uses.items())  # p_e * n * n, a whole number
    if by_chance == n * n:
        return None
    return (n * agreed - by_chance) / (n * n - by_chance)


def band(score: float) -> float:
    """The nearest of 0, 0.5 and 1; a score half-way (0.25, 0.75) goes to 0.5. ValueError outside [0, 1]."""
    if not 0.0 <= score <= 1.0:
        raise ValueError(f"a banded score lies between 0 and 1, got {score}")
    if score < LOW_BELOW:
        return 0.0
    return 1.0 if score > HIGH_ABOVE else 0.5


def exact_agreement(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Share of the pairs of scores in the same band, 0 to 1; None for no pairs."""
    return _share_within(first, second, 0.0)


def within_band_agreement(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Share of the pairs of scores at most one band apart, 0 to 1; None for no pairs."""
    return _share_within(first, second, 0.5)


def _share_within(first: Sequence[float], second: Sequence[float], distance: float) -> float | None:
    n = _same_length(first, second)
    near = sum(abs(band(a) - band(b)) <= distance for a, b in zip(first, second, strict=True))
    return near / n if n else None


def _same_length(first: Sequence[object], second: Sequence[object]) -> int:
    if len(first) != len(second):
        raise ValueError(f"two raters must rate the same items, got {len(first)} and {len(second)} ratings")
    return len(first)
