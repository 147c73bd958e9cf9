"""From an interval and a p-value to a word.

- adjusted p <= alpha: the difference is real, `better` or `worse` by the metric's direction (`higher` or `lower` for a
  metric without one).
- else, when the whole interval lies within the margin, and so does what could hide behind hardly any changed case:
  `no difference larger than X` is shown, X being the margin.
- else `inconclusive`: not a proof of "no difference". It says about how many cases would settle it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .paired import Direction
from .power import ALPHA, cases_needed, cases_to_exclude, deviation, unseen_change

Outcome = Literal["better", "worse", "higher", "lower", "same", "inconclusive"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """A verdict for programs (`outcome`) and for people (`text`); `needed` is a number of cases, None when settled."""

    outcome: Outcome
    text: str
    needed: int | None = None


def decide(
    differences: Sequence[float],
    interval: tuple[float, float] | None,
    p_adjusted: float,
    *,
    direction: Direction,
    margin: float,
    step: float,
    alpha: float = ALPHA,
    family_size: int = 1,
) -> Verdict:
    """The verdict on paired differences (candidate minus base), their mean's interval and adjusted p-value.

    `margin` is the largest difference that counts as none, `step` what one changed case can be worth. The cases needed
    are for a test at alpha / family_size, so that they also suffice after the correction.
    """
    mean = math.fsum(differences) / len(differences)
    if p_adjusted <= alpha and mean != 0.0:
        return _moved(mean, direction)
    changed = sum(d != 0.0 for d in differences)
    unseen = unseen_change(changed, len(differences), step=step, alpha=alpha)
    if interval is not None and max(-interval[0], interval[1], unseen) <= margin:
        return Verdict("same", f"no difference larger than {margin:.3g}")
    # the difference seen, or the room left to the margin: whichever is larger is settled with fewer cases
    effect = max(abs(mean), margin - abs(mean))
    needed = cases_needed(effect, deviation(differences), alpha=alpha / family_size)
    if needed is not None and abs(mean) < margin:
        needed = max(needed, cases_to_exclude(margin, changed, len(differences), step=step, alpha=alpha) or 0)
    return _inconclusive(needed, len(differences))


def _moved(mean: float, direction: Direction) -> Verdict:
    if direction == "none":
        outcome: Outcome = "higher" if mean > 0.0 else "lower"
    else:
        outcome = "better" if (mean > 0.0) == (direction == "higher") else "worse"
    return Verdict(outcome, outcome)


def _inconclusive(needed: int | None, n: int) -> Verdict:
    if needed is None:
        return Verdict("inconclusive", "inconclusive")
    needed = max(needed, n + 1)
    return Verdict("inconclusive", f"inconclusive (would need about {round_up(needed)} cases)", needed)


def round_up(count: int) -> int:
    """Up to two significant digits: 59 stays, 1234 becomes 1300."""
    unit: int = 10 ** max(0, len(str(count)) - 2)
    return -(-count // unit) * unit
