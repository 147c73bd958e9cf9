"""Whether the useful chunks come first, as judged: ``context.precision``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

from pydantic import model_validator

from ragproof_core import Case, Judge, Outcome, Prompt, Reply, Response, hookimpl, scored
from ragproof_metrics_generation.conversation import asked
from ragproof_metrics_generation.preconditions import readable, unmet
from ragproof_metrics_generation.verdicts import ChunkId, Tally, chunk_ids, refuse_contradictions, tally


class ChunkVerdict(Reply):
    """Whether one chunk helps to arrive at the reference answer."""

    chunk_id: ChunkId
    useful: bool


class ContextPrecisionReply(Reply):
    """One verdict a chunk."""

    chunks: list[ChunkVerdict]

    @model_validator(mode="after")
    def _one_verdict_each(self) -> Self:
        refuse_contradictions((chunk.chunk_id, chunk.useful) for chunk in self.chunks)
        return self


def average_precision(useful: Sequence[bool]) -> float:
    """Σ P@i · useful_i / Σ useful_i over the ranks i, 0 to 1; 0 when none is useful."""
    hits, total = 0, 0.0
    for rank, is_useful in enumerate(useful, 1):
        if is_useful:
            hits += 1
            total += hits / rank
    return total / hits if hits else 0.0


def _tally(reply: ContextPrecisionReply, variables: Mapping[str, Any]) -> Tally:
    given = ((chunk.chunk_id, chunk.useful) for chunk in reply.chunks)
    return tally(chunk_ids(variables["context"]), given)


def precision(reply: ContextPrecisionReply, variables: Mapping[str, Any]) -> float:
    """Average precision of the verdicts in the rank order of ``variables["context"]``, 0 to 1."""
    return average_precision(_tally(reply, variables).verdicts)


PROMPT = Prompt("context_precision", "ragproof_metrics_generation", ContextPrecisionReply, precision, ordered=True)


class ContextPrecision:
    """Average precision of the context, usefulness of each chunk judged against the expected answer."""

    api_version = 1
    direction = "higher"
    range = (0.0, 1.0)
    unit = "share"
    description = "average precision of the context's chunks, each judged useful or not for the expected answer"
    source = "average precision; Es et al. 2023, RAGAS (context precision)"
    needs = ("context", "expected_answer", "judge")
    prompts = (PROMPT,)

    @hookimpl
    def score(self, case: Case, response: Response, judge: Judge | None) -> Outcome:
        """Ask once for all chunks. A chunk without text keeps its rank and is not useful, without asking."""
        if reason := unmet(self.needs, case, response, judge):
            return reason
        assert response.context is not None and judge is not None  # noqa: PT018
        shown = readable(response.context)
        if not shown:
            return scored(0.0, "context is empty")
        variables = {"question": asked(case), "expected_answer": case.expected_answer, "context": shown}
        verdicts = _tally(judge.ask(PROMPT, variables), variables)
        useful = dict(zip(verdicts.asked, verdicts.verdicts, strict=True))
        ranked = dict.fromkeys(chunk.id for chunk in response.context)
        return scored(average_precision([useful.get(chunk_id, False) for chunk_id in ranked]), verdicts.note)
