"""What is recorded for a case."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from ragproof_core.models.case import Case
from ragproof_core.models.outcome import Outcome
from ragproof_core.models.response import Chunk, Response
from ragproof_core.models.run import CaseResult, CaseStatus
from ragproof_core.redaction import Redactor


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
        retrieved=_redacted(response.retrieved, redact),
        context=None if response.context is response.retrieved else _redacted(response.context, redact),
        citations=() if answer is None else tuple(citation.chunk_id for citation in answer.citations),
        duration_ms=response.timings_ms["total"],
        timings_ms=response.timings_ms,
        judge_raw=judge_raw,
    )


def _redacted(chunks: tuple[Chunk, ...] | None, redact: Callable[[str], str]) -> tuple[Chunk, ...] | None:
    if not chunks or (isinstance(redact, Redactor) and not redact):
        return chunks
    return tuple(
        replace(chunk, text=redact(chunk.text), metadata=_redacted_values(chunk.metadata, redact)) for chunk in chunks
    )


def _redacted_values(value: Any, redact: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, dict):
        return {key: _redacted_values(item, redact) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_redacted_values(item, redact) for item in value]
    return value


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
