"""Agreement of a judge with reference scores, over categories: the bands 0, 0.5, 1 and *not applicable*."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, pvariance

from ragproof_calibrate.asking import UNUSABLE, Category, Verdict, category_of
from ragproof_core.statistics import cohen_kappa

_ONE_BAND = 0.5


@dataclass(frozen=True, slots=True)
class Agreement:
    """Shares are 0 to 1, ``kappa`` at most 1 and ``None`` where undefined; everything is over ``n`` examples."""

    n: int
    exact: float | None
    within_band: float | None
    kappa: float | None
    unusable: int


def agreement(expected: Sequence[float | None], verdicts: Sequence[Verdict]) -> Agreement:
    """Compare reference scores with verdicts.

    *Not applicable* agrees with itself only and is no band away from anything; an unusable reply agrees with nothing.
    Kappa is Cohen's, over the categories, an unusable reply being one that the reference never has.
    """
    reference = [category_of(score) for score in expected]
    judge = [verdict.category for verdict in verdicts]
    n = len(reference)
    pairs = list(zip(reference, judge, strict=True))
    return Agreement(
        n=n,
        exact=sum(one == other for one, other in pairs) / n if n else None,
        within_band=sum(_near(one, other) for one, other in pairs) / n if n else None,
        kappa=cohen_kappa(reference, judge),
        unusable=judge.count(UNUSABLE),
    )


def _near(one: Category, other: Category) -> bool:
    if isinstance(one, str) or isinstance(other, str):
        return one == other
    return abs(one - other) <= _ONE_BAND


@dataclass(frozen=True, slots=True)
class Stability:
    """How much verdicts on the same input differ: ``variance`` of the scores, and the share that never changed."""

    variance: float | None
    unchanged: float | None


def stability(repeats: Sequence[Sequence[Verdict]]) -> Stability:
    """Compare the repeats of each example.

    ``variance`` is the mean over the examples of the population variance of their numeric scores (0 to 0.25), for
    examples with two or more; ``unchanged`` is the share of examples whose repeats all fall into one category.
    """
    scores = [[v.score for v in verdicts if v.problem is None and v.score is not None] for verdicts in repeats]
    variances = [pvariance(values) for values in scores if len(values) > 1]
    same = [len({verdict.category for verdict in verdicts}) == 1 for verdicts in repeats if len(verdicts) > 1]
    return Stability(fmean(variances) if variances else None, fmean(same) if same else None)
