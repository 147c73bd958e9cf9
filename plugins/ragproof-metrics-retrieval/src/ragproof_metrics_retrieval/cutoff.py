"""Precision, recall, F1 and hit rate at k, as in Manning, Raghavan and Schütze (2008), chapter 8."""

from __future__ import annotations

from collections.abc import Sequence

from ragproof_metrics_retrieval.metric import CutoffMetric, hits

_SOURCE = "Manning, Raghavan, Schütze: Introduction to Information Retrieval (2008), ch. 8"


class PrecisionAtK(CutoffMetric):
    """hits(k) / k. The denominator is k, also when fewer came back."""

    description = "share of the first k that is relevant; k counts in full when fewer came back"
    source = _SOURCE

    def value(self, ranked: Sequence[str], relevant: frozenset[str], k: int) -> float:
        """Return hits(k) / k."""
        return hits(ranked, relevant, k) / k


class RecallAtK(CutoffMetric):
    """hits(k) / |relevant|."""

    description = "share of the expected sources that is among the first k"
    source = _SOURCE

    def value(self, ranked: Sequence[str], relevant: frozenset[str], k: int) -> float:
        """Return hits(k) / |relevant|."""
        return hits(ranked, relevant, k) / len(relevant)


class F1AtK(CutoffMetric):
    """2PR/(P+R) of precision and recall at k; 0 when both are 0."""

    description = "harmonic mean of precision and recall at k"
    source = _SOURCE

    def value(self, ranked: Sequence[str], relevant: frozenset[str], k: int) -> float:
        """Return 2·hits / (k + |relevant|), which is 2PR/(P+R) with h = hits, P = h/k, R = h/|relevant|."""
        return 2 * hits(ranked, relevant, k) / (k + len(relevant))


class HitRateAtK(CutoffMetric):
    """1 if any of the first k is relevant, else 0."""

    description = "1 when at least one expected source is among the first k, else 0"
    source = "success@k of TREC"

    def value(self, ranked: Sequence[str], relevant: frozenset[str], k: int) -> float:
        """Return 1.0 if hits(k) > 0, else 0.0."""
        return 1.0 if hits(ranked, relevant, k) else 0.0
