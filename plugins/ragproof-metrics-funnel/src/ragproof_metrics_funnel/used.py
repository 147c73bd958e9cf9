"""The third stage: the answer cites every expected source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ragproof_core import Case, Outcome, Response, RunSettings, ScoreRow, hookimpl, skipped
from ragproof_core.engine.needs import NEEDS
from ragproof_metrics_funnel.stage import Stage, all_found, survival


class Used(Stage):
    """Every expected source is cited."""

    description = "1 when the answer cites every expected source, else 0"
    source = "counting citations; no judge"
    needs = ("answer", "citations", "expected_sources")

    @hookimpl
    def score(self, case: Case, response: Response, run: RunSettings) -> Outcome:
        """Compare the expected sources with those that the answer cites."""
        if response.answer is None:
            return skipped(NEEDS["answer"])
        if not response.answer.citations:
            return skipped(NEEDS["citations"])
        if not case.relevant:
            return skipped(NEEDS["expected_sources"])
        cited = [citation.chunk_id for citation in response.answer.citations]
        if run.source_match == "document":
            cited = list(_documents(cited, response))
        return all_found(case.relevant, cited, "cited")

    @hookimpl
    def summarize(self, rows: Sequence[ScoreRow]) -> Mapping[str, float | None]:
        """Return the share of the cases with their sources in the context that cite them all."""
        return {"used_given_in_context": survival(rows, "funnel.used", "funnel.in_context")}


def _documents(cited: Sequence[str], response: Response) -> Iterator[str]:
    """Map cited chunks to their documents; an id that no chunk has may name a document and stays as it is."""
    chunks = {chunk.id: chunk for found in (response.retrieved, response.context) for chunk in found or ()}
    for chunk_id in cited:
        chunk = chunks.get(chunk_id)
        yield chunk_id if chunk is None else chunk.document_id
