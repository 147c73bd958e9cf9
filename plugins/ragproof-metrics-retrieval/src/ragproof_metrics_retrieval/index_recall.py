"""How much of an exact search an approximate index finds."""

from __future__ import annotations

from typing import ClassVar

from ragproof_core import Outcome, Response, RunSettings, hookimpl, skipped


class IndexRecallAtK:
    """|approximate top-k ∩ exact top-k| / |exact top-k|; needs no labels."""

    api_version = 1
    direction = "higher"
    range: ClassVar = (0.0, 1.0)
    unit = "share"
    description = "share of the exact top k (the adapter's retrieve_exact) that retrieve found in its top k"
    source = "recall of approximate nearest neighbour search, as in ann-benchmarks"
    needs = ("retrieval", "exact_retrieval")

    @hookimpl
    def score(self, response: Response, run: RunSettings) -> float | Outcome:
        """Return the share of the exact top k that was found; skipped when the exact search finds nothing."""
        if response.ranked is None or response.exact_ranked is None:
            return skipped("adapter does not expose exact retrieval")
        exact = frozenset(response.exact_ranked[: run.k])
        if not exact:
            return skipped("exact search found nothing")
        return len(exact.intersection(response.ranked[: run.k])) / len(exact)
