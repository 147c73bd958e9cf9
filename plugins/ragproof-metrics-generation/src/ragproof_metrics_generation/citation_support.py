"""Whether the cited chunks back what cites them: ``generation.citation_support``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from pydantic import model_validator

from ragproof_core import Answer, Case, Chunk, Judge, Outcome, Prompt, Reply, Response, hookimpl, scored
from ragproof_metrics_generation.preconditions import unmet
from ragproof_metrics_generation.verdicts import ChunkId, Tally, chunk_ids, refuse_contradictions, tally


class CitationVerdict(Reply):
    """Whether one cited chunk supports what cites it."""

    chunk_id: ChunkId
    supports: bool


class CitationSupportReply(Reply):
    """One verdict a cited chunk."""

    citations: list[CitationVerdict]

    @model_validator(mode="after")
    def _one_verdict_each(self) -> Self:
        refuse_contradictions((citation.chunk_id, citation.supports) for citation in self.citations)
        return self


def _tally(reply: CitationSupportReply, variables: Mapping[str, Any]) -> Tally:
    given = ((citation.chunk_id, citation.supports) for citation in reply.citations)
    return tally(chunk_ids(variables["cited"]), given)


def supporting_share(reply: CitationSupportReply, variables: Mapping[str, Any]) -> float | None:
    """Cited chunks that support / chunks in ``variables["cited"]``, 0 to 1; a missing verdict is a no."""
    verdicts = _tally(reply, variables).verdicts
    return sum(verdicts) / len(verdicts) if verdicts else None


PROMPT = Prompt("citation_support", "ragproof_metrics_generation", CitationSupportReply, supporting_share, ordered=True)


class CitationSupport:
    """Share of the cited chunks that support what the answer says with them."""

    api_version = 1
    direction = "higher"
    range = (0.0, 1.0)
    unit = "share"
    description = "cited chunks that support what cites them / cited chunks, each id once"
    source = "Gao et al. 2023, ALCE (citation precision), judged a chunk at a time"
    needs = ("answer", "citations", "context", "judge")
    prompts = (PROMPT,)

    @hookimpl
    def score(self, case: Case, response: Response, judge: Judge | None) -> Outcome:
        """Ask once for all cited chunks with text; a cited id without any is unsupported, without asking."""
        if reason := unmet(self.needs, case, response, judge):
            return reason
        answer, context = response.answer, response.context
        assert answer is not None and context is not None and judge is not None  # noqa: PT018
        cited = tuple(dict.fromkeys(citation.chunk_id for citation in answer.citations))
        shown = tuple(source for name in cited if (source := _source(name, context, response.context_ids or ())))
        without_text = [name for name in cited if name not in {source.id for source in shown}]
        note = f"no text in the context for {', '.join(without_text)}: counted as no" if without_text else None
        if not shown or not answer.answer_text.strip():
            return scored(0.0, note or "answer is blank")
        variables = {"answer": answer.answer_text, "passages": _passages(answer, shown), "cited": shown}
        verdicts = _tally(judge.ask(PROMPT, variables), variables)
        notes = "; ".join(part for part in (note, verdicts.note) if part)
        return scored(sum(verdicts.verdicts) / len(cited), notes or None)


def _source(name: str, context: tuple[Chunk, ...], source_ids: tuple[str, ...]) -> Chunk | None:
    """Return what the id ``name`` stands for: a chunk, or all chunks of a document under ``source_match: document``."""
    texts = [chunk.text for chunk in context if chunk.id == name and chunk.text.strip()][:1]
    if not texts and name in source_ids:
        texts = [chunk.text for chunk in context if chunk.document_id == name and chunk.text.strip()]
    return Chunk(name, "\n\n".join(texts)) if texts else None


def _passages(answer: Answer, shown: tuple[Chunk, ...]) -> tuple[Chunk, ...]:
    """Return the parts of the answer that cite the shown chunks, as far as the pipeline told them, by cited id."""
    parts: dict[str, list[str]] = {chunk.id: [] for chunk in shown}
    for citation in answer.citations:
        if citation.chunk_id in parts and citation.text and citation.text.strip():
            parts[citation.chunk_id].append(citation.text)
    return tuple(Chunk(name, "\n".join(dict.fromkeys(texts))) for name, texts in parts.items() if texts)
