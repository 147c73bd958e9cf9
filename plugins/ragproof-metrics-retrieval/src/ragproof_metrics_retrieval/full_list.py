"""Reciprocal rank and average precision over everything that was retrieved."""

from __future__ import annotations

from collections.abc import Sequence

from ragproof_metrics_retrieval.metric import FullListMetric


class MeanReciprocalRank(FullListMetric):
    """1 / rank of the first relevant id in the full list, 0 if there is none."""

    description = "1 / rank of the first expected source in the full list, 0 if there is none"
    source = "Voorhees: The TREC-8 Question Answering Track Report (1999)"

    def value(self, ranked: Sequence[str], relevant: frozenset[str], k: int) -> float:  # noqa: ARG002 - full list
        """Return the reciprocal rank."""
        for rank, source in enumerate(ranked, 1):
            if source in relevant:
                return 1 / rank
        return 0.0


class MeanAveragePrecision(FullListMetric):
    """(1/|relevant|) Σ precision@i over the ranks i of the full list that hold a relevant id."""

    description = "average precision: mean over the expected sources of the precision at each one's rank, 0 if missing"
    source = "Buckley, Voorhees: Evaluating Evaluation Measure Stability (2000); trec_eval map"

    def value(self, ranked: Sequence[str], relevant: frozenset[str], k: int) -> float:  # noqa: ARG002 - full list
        """Return the average precision."""
        found = 0
        total = 0.0
        for rank, source in enumerate(ranked, 1):
            if source in relevant:
                found += 1
                total += found / rank
        return total / len(relevant)
