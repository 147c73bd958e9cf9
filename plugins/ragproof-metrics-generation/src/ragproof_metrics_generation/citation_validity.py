"""Whether the answer cites what was retrieved: ``generation.citation_validity``."""

from __future__ import annotations

from ragproof_core import Outcome, Response, hookimpl, scored
from ragproof_metrics_generation.preconditions import MISSING


class CitationValidity:
    """Share of the cited ids that the context really has."""

    api_version = 1
    direction = "higher"
    range = (0.0, 1.0)
    unit = "share"
    description = "cited ids that are in the context / cited ids, each id once"
    source = "counting; no judge"
    needs = ("answer", "citations", "context")

    @hookimpl
    def score(self, response: Response) -> Outcome:
        """Count the cited ids that name a chunk of the context, or its document under ``source_match: document``."""
        answer, context = response.answer, response.context
        if answer is None:
            return MISSING["answer"]
        if not answer.citations:
            return MISSING["citations"]
        if context is None:
            return MISSING["context"]
        cited = {citation.chunk_id for citation in answer.citations}
        invalid = cited.difference([chunk.id for chunk in context], response.context_ids or ())
        value = (len(cited) - len(invalid)) / len(cited)
        return scored(value, f"not in the context: {', '.join(sorted(invalid))}" if invalid else None)
