"""The first two stages: the expected sources are found, and the generator gets to see them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ragproof_core import Case, Outcome, Response, RunSettings, ScoreRow, hookimpl, skipped
from ragproof_core.engine.needs import NEEDS
from ragproof_metrics_funnel.stage import Stage, all_found, survival


class Retrieved(Stage):
    """All expected sources are among the first k."""

    description = "1 when every expected source is among the first k retrieved, else 0"
    source = "recall at k, all or nothing"
    needs = ("retrieval", "expected_sources")

    @hookimpl
    def score(self, case: Case, response: Response, run: RunSettings) -> Outcome:
        """Compare the expected sources with the first ``run.k`` of the ranked source ids."""
        if response.ranked is None:
            return skipped(NEEDS["retrieval"])
        if not case.relevant:
            return skipped(NEEDS["expected_sources"])
        return all_found(case.relevant, response.ranked[: run.k], f"among the first {run.k}")


class InContext(Stage):
    """All expected sources are in the context that the generator got."""

    description = "1 when every expected source is in the context of the answer, else 0"
    source = "recall of the context, all or nothing"
    needs = ("answer", "context", "expected_sources")

    @hookimpl
    def score(self, case: Case, response: Response) -> Outcome:
        """Compare the expected sources with the context's source ids; an empty context has none of them."""
        if response.answer is None:
            return skipped(NEEDS["answer"])
        if response.context_ids is None:
            return skipped(NEEDS["context"])
        if not case.relevant:
            return skipped(NEEDS["expected_sources"])
        return all_found(case.relevant, response.context_ids, "in the context")

    @hookimpl
    def summarize(self, rows: Sequence[ScoreRow]) -> Mapping[str, float | None]:
        """Return the share of the retrieved cases whose sources reach the context."""
        return {"in_context_given_retrieved": survival(rows, "funnel.in_context", "funnel.retrieved")}
