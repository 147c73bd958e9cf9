"""Two runs compared, metric by metric, on the cases that both scored."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from .bootstrap import Interval, intervals_of
from .descriptive import mean
from .multiplicity import holm
from .numerics import DEFAULT_CONFIDENCE, DEFAULT_RESAMPLES, DEFAULT_SEED
from .paired import PairedScores, default_margin, differences, observed_span
from .power import detectable_difference
from .sign_flip import sign_flip_tests
from .verdicts import Outcome, decide

if TYPE_CHECKING:
    from .numerics import Floats

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Comparison:
    """One metric in two runs; `difference` is candidate minus base in the metric's unit, positive = up.

    Means are over the `n` common cases. `up`, `down` and `equal` count cases by value, whichever way is better.
    `ci95` is the interval at the confidence asked for; `p_adjusted` is Holm's over the family. `detectable` is the
    difference that so many cases would have found with 80 % power after the correction, None when none could be.
    `needed` is the number of cases that would settle an inconclusive verdict. Without common cases all numbers are
    None.
    """

    base_mean: float | None
    cand_mean: float | None
    difference: float | None
    ci95: Interval | None
    p_value: float | None
    p_adjusted: float | None
    up: int
    down: int
    equal: int
    verdict: str
    detectable: float | None
    outcome: Outcome
    needed: int | None
    margin: float | None
    exact_p: bool
    n: int
    only_base: tuple[str, ...]
    only_cand: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """The statistical keys of one metric in `compare --json`."""
        return {
            "base_mean": self.base_mean,
            "cand_mean": self.cand_mean,
            "difference": self.difference,
            "ci95": None if self.ci95 is None else list(self.ci95),
            "p_value": self.p_value,
            "p_adjusted": self.p_adjusted,
            "up": self.up,
            "down": self.down,
            "equal": self.equal,
            "verdict": self.verdict,
            "detectable": self.detectable,
        }


def compare(
    pairs: PairedScores,
    *,
    confidence: float = DEFAULT_CONFIDENCE,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = DEFAULT_SEED,
) -> Comparison:
    """Compare one metric alone: a family of one."""
    return compare_family({0: pairs}, confidence=confidence, resamples=resamples, seed=seed)[0]


def compare_family(
    family: Mapping[Key, PairedScores],
    *,
    confidence: float = DEFAULT_CONFIDENCE,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = DEFAULT_SEED,
) -> dict[Key, Comparison]:
    """Compare several metrics (or metrics by tag) and correct their p-values together.

    Only `p_adjusted`, and what rests on it (`verdict`, `needed`, `detectable`), depends on the size of the family.
    Deterministic for a seed. Needs numpy (ImportError without: ask `available()`). ValueError for scores that are
    not finite.
    """
    columns = {key: differences(pairs) for key, pairs in family.items()}
    filled = [key for key, column in columns.items() if column.size]
    arrays = [columns[key] for key in filled]
    intervals = intervals_of(arrays, confidence=confidence, resamples=resamples, seed=seed)
    tests = sign_flip_tests(arrays, resamples=resamples, seed=seed + 1)
    adjusted = holm([test.p_value for test in tests])
    found = {key: _without_cases(pairs) for key, pairs in family.items()}
    for key, column, interval, test, p_adjusted in zip(filled, arrays, intervals, tests, adjusted, strict=True):
        settled = _settle(family[key], column, interval, p_adjusted, 1.0 - confidence, len(filled))
        found[key] = replace(settled, p_value=test.p_value, exact_p=test.exact)
    return found


def _settle(
    pairs: PairedScores, column: Floats, interval: Interval | None, p_adjusted: float, alpha: float, family_size: int
) -> Comparison:
    moves = column.tolist()
    base_mean, cand_mean = mean(pairs.base), mean(pairs.cand)
    margin, step = default_margin(pairs, base_mean or 0.0), observed_span(pairs)
    verdict = decide(
        moves,
        interval,
        p_adjusted,
        direction=pairs.direction,
        margin=margin,
        step=step,
        alpha=alpha,
        family_size=family_size,
    )
    return replace(
        _without_cases(pairs),
        base_mean=base_mean,
        cand_mean=cand_mean,
        difference=math.fsum(moves) / len(moves),
        ci95=interval,
        p_adjusted=p_adjusted,
        up=int((column > 0.0).sum()),
        down=int((column < 0.0).sum()),
        equal=int((column == 0.0).sum()),
        verdict=verdict.text,
        detectable=detectable_difference(moves, step=step, alpha=alpha / family_size),
        outcome=verdict.outcome,
        needed=verdict.needed,
        margin=margin,
        n=len(moves),
    )


def _without_cases(pairs: PairedScores) -> Comparison:
    return Comparison(
        base_mean=None,
        cand_mean=None,
        difference=None,
        ci95=None,
        p_value=None,
        p_adjusted=None,
        up=0,
        down=0,
        equal=0,
        verdict="inconclusive (no common cases)",
        detectable=None,
        outcome="inconclusive",
        needed=None,
        margin=pairs.margin,
        exact_p=False,
        n=0,
        only_base=pairs.only_base,
        only_cand=pairs.only_cand,
    )
