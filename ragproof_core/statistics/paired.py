"""The scores of one metric in two runs, matched by case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from .numerics import as_floats, snap

if TYPE_CHECKING:
    from .numerics import Floats

Direction = Literal["higher", "lower", "none"]


@dataclass(frozen=True, slots=True)
class PairedScores:
    """Scores of the common cases, in the base run's order, and the ids that only one of the runs scored.

    `span` is the width of the metric's declared range (1 for 0..1), None when unbounded. `margin` is the largest
    difference that still counts as none, in the metric's unit; None leaves it to `default_margin`.
    """

    case_ids: tuple[str, ...]
    base: tuple[float, ...]
    cand: tuple[float, ...]
    only_base: tuple[str, ...]
    only_cand: tuple[str, ...]
    direction: Direction = "higher"
    span: float | None = None
    margin: float | None = None


def pair(
    base: Mapping[str, float],
    cand: Mapping[str, float],
    *,
    direction: Direction = "higher",
    span: float | None = None,
    margin: float | None = None,
) -> PairedScores:
    """Match the scored cases (case id -> score) of two runs; a case that one of them did not score is set apart."""
    for name, width in (("span", span), ("margin", margin)):
        if width is not None and not 0.0 <= width < float("inf"):
            raise ValueError(f"{name} must be a finite width of at least 0, got {width}")
    common = tuple(case_id for case_id in base if case_id in cand)
    return PairedScores(
        case_ids=common,
        base=tuple(base[case_id] for case_id in common),
        cand=tuple(cand[case_id] for case_id in common),
        only_base=tuple(case_id for case_id in base if case_id not in cand),
        only_cand=tuple(case_id for case_id in cand if case_id not in base),
        direction=direction,
        span=span,
        margin=margin,
    )


def differences(pairs: PairedScores) -> Floats:
    """Candidate minus base for each common case, to 12 significant digits of the largest score (needs numpy).

    Differences smaller than that are float noise and become exactly 0.
    """
    import numpy as np

    base, cand = as_floats(pairs.base), as_floats(pairs.cand)
    scale = max(np.abs(base).max(initial=0.0), np.abs(cand).max(initial=0.0))
    return snap(cand - base, float(scale))


def observed_span(pairs: PairedScores) -> float:
    """What one changed case can be worth: the declared span, else the spread of the scores seen, else their size."""
    if pairs.span:
        return pairs.span
    scores = (*pairs.base, *pairs.cand)
    if not scores:
        return 1.0
    return max(scores) - min(scores) or abs(scores[0]) or 1.0


def default_margin(pairs: PairedScores, base_mean: float) -> float:
    """The margin asked for, else 5 % of the metric's range, else (unbounded) 5 % of the base run's mean."""
    if pairs.margin is not None:
        return pairs.margin
    return 0.05 * (pairs.span or abs(base_mean))
