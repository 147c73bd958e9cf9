"""Normalised discounted cumulative gain at k, binary and graded (Järvelin and Kekäläinen, 2002)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from heapq import nlargest
from itertools import accumulate
from math import log2
from typing import ClassVar

from ragproof_core import Case, Outcome, Response, RunSettings, hookimpl, skipped
from ragproof_metrics_retrieval.metric import CutoffMetric, CutoffSettings

_SOURCE = "Järvelin, Kekäläinen: Cumulated Gain-Based Evaluation of IR Techniques (2002), linear gain, log2 discount"


@lru_cache(maxsize=64)
def _discounts(k: int) -> tuple[float, ...]:
    """1 / log2(rank + 1) of the ranks 1 to k."""
    return tuple(1 / log2(rank + 1) for rank in range(1, k + 1))


@lru_cache(maxsize=64)
def _ideal(k: int) -> tuple[float, ...]:
    """The DCG of 0, 1, … k relevant ids ranked first."""
    return tuple(accumulate(_discounts(k), initial=0.0))


class NdcgAtK(CutoffMetric):
    """DCG@k / IDCG@k with gain 1 for every relevant id."""

    description = "gain 1 an expected source, discounted by log2 of its rank + 1, over the best possible within k"
    source = _SOURCE

    def value(self, ranked: Sequence[str], relevant: frozenset[str], k: int) -> float:
        """Return DCG / IDCG; IDCG = Σ 1/log2(i+1) for i = 1 … min(k, |relevant|)."""
        gain = 0.0
        for source, discount in zip(ranked, _discounts(k), strict=False):
            if source in relevant:
                gain += discount
        return gain / _ideal(k)[min(k, len(relevant))]


class GradedNdcgAtK:
    """DCG@k / IDCG@k with the case's ``expected_source_grades`` as linear gains; IDCG over the k largest grades."""

    api_version = 1
    direction = "higher"
    range: ClassVar = (0.0, 1.0)
    unit = "share"
    description = "graded gains discounted by log2 of the rank + 1, over the best possible order within k"
    source = _SOURCE
    needs = ("retrieval", "expected_grades")
    Settings = CutoffSettings

    def __init__(self, settings: CutoffSettings | None = None) -> None:
        self._k = settings.k if settings is not None else None

    @hookimpl
    def score(self, case: Case, response: Response, run: RunSettings) -> float | Outcome:
        """Return the graded nDCG, 0 to 1; skipped when no grade is above 0."""
        grades = case.expected_source_grades
        if response.ranked is None or not grades:
            return skipped("needs a ranking and expected_source_grades")
        ideal = _dcg(nlargest(self._k or run.k, grades.values()), self._k or run.k)
        if ideal == 0:
            return skipped("no grade in expected_source_grades is above 0")
        return min(1.0, _dcg(_gains(response.ranked, grades), self._k or run.k) / ideal)


def _gains(ranked: Sequence[str], grades: Mapping[str, float]) -> list[float]:
    return [grades.get(source, 0.0) for source in ranked]


def _dcg(gains: Sequence[float], k: int) -> float:
    return sum(gain * discount for gain, discount in zip(gains, _discounts(k), strict=False))
