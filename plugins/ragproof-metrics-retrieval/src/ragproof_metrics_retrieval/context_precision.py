"""Precision of the first k weighted by rank, from labels."""

from __future__ import annotations

from collections.abc import Sequence

from ragproof_metrics_retrieval.metric import CutoffMetric


class ContextPrecisionAtK(CutoffMetric):
    """Σ_{i≤k} P@i·rel(i) / hits(k); 0 when hits(k) = 0."""

    description = "mean precision at the ranks of the expected sources found among the first k; from labels, no judge"
    source = "the context precision of ragas, computed from labels"

    def value(self, ranked: Sequence[str], relevant: frozenset[str], k: int) -> float:
        """Return the mean of precision@i over the relevant ranks i ≤ k."""
        found = 0
        total = 0.0
        for rank, source in enumerate(ranked[:k], 1):
            if source in relevant:
                found += 1
                total += found / rank
        return total / found if found else 0.0
