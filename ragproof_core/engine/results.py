"""What is recorded for a case."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ragproof_core.models.case import Case
from ragproof_core.models.outcome import Outcome
from ragproof_core.models.response import Response
from ragproof_core.models.run import CaseResult, CaseStatus


def finished(
    index: int,
    case: Case,
    response: Response,
    scores: Mapping[str, Outcome],
    judge_raw: Mapping[str, str],
    redact: Callable[[str], str],
) -> CaseResult:
    """Record a case whose adapter calls went well."""
    answer = response.answer
    return CaseResult(
        index=index,
        case_id=case.id,
        kind=case.kind,
        status="ok",
        scores=scores,
        question=case.question,
        expected_answer=case.expected_answer,
        expected_source_ids=case.expected_source_ids or tuple(sorted(case.relevant)),
        tags=case.tags,
        answer_text=None if answer is None else redact(answer.answer_text),
        retrieved=response.retrieved,
        context=None if response.context is response.retrieved else response.context,
        citations=() if answer is None else tuple(citation.chunk_id for citation in answer.citations),
        duration_ms=response.timings_ms["total"],
        timings_ms=response.timings_ms,
        judge_raw=judge_raw,
    )


def failed(index: int, case: Case, status: CaseStatus, reason: str, duration_ms: float) -> CaseResult:
    """Record a case whose adapter call failed or timed out: it has no scores, and is an error of every metric."""
    return CaseResult(
        index=index,
        case_id=case.id,
        kind=case.kind,
        status=status,
        scores={},
        question=case.question,
        expected_answer=case.expected_answer,
        expected_source_ids=case.expected_source_ids or tuple(sorted(case.relevant)),
        tags=case.tags,
        error=reason,
        duration_ms=duration_ms,
    )
