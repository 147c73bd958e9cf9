"""What is recorded for a case."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from ragproof_core.models.case import Case
from ragproof_core.models.outcome import Outcome
from ragproof_core.models.response import Chunk, Response
from ragproof_core.models.run import CaseResult, CaseStatus
from ragproof_core.redaction import Redactor, redacted


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
    result = CaseResult(
        index=index,
        case_id=case.id,
        kind=case.kind,
        status="ok",
        scores=scores,
        question=case.question,
        expected_answer=case.expected_answer,
        expected_source_ids=case.expected_source_ids or tuple(sorted(case.relevant)),
        tags=case.tags,
        answer_text=None if answer is None else answer.answer_text,
        retrieved=response.retrieved,
        context=None if response.context is response.retrieved else response.context,
        citations=() if answer is None else tuple(citation.chunk_id for citation in answer.citations),
        duration_ms=response.timings_ms["total"],
        timings_ms=response.timings_ms,
        judge_raw=judge_raw,
    )
    return _without_secrets(result, redact)


def failed(
    index: int, case: Case, status: CaseStatus, reason: str, duration_ms: float, redact: Callable[[str], str]
) -> CaseResult:
    """Record a case whose adapter call failed or timed out: it has no scores, and is an error of every metric."""
    result = CaseResult(
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
    return _without_secrets(result, redact)


def _without_secrets(result: CaseResult, redact: Callable[[str], str]) -> CaseResult:
    """Take secrets out of texts and of ids, so that one id stays the same wherever it stands.

    The case's own id and tags stay: runs are resumed and compared by them.
    """
    if isinstance(redact, Redactor) and not redact:
        return result

    def text(value: str | None) -> str | None:
        return None if value is None else redact(value)

    return replace(
        result,
        question=redact(result.question),
        expected_answer=text(result.expected_answer),
        expected_source_ids=tuple(map(redact, result.expected_source_ids)),
        error=text(result.error),
        answer_text=text(result.answer_text),
        retrieved=_chunks(result.retrieved, redact),
        context=_chunks(result.context, redact),
        citations=tuple(map(redact, result.citations)),
    )


def _chunks(chunks: tuple[Chunk, ...] | None, redact: Callable[[str], str]) -> tuple[Chunk, ...] | None:
    return None if chunks is None else tuple(_chunk(chunk, redact) for chunk in chunks)


def _chunk(chunk: Chunk, redact: Callable[[str], str]) -> Chunk:
    name, text, metadata = redact(chunk.id), redact(chunk.text), redacted(chunk.metadata, redact)
    if name is chunk.id and text is chunk.text and metadata == chunk.metadata:
        return chunk  # making one anew takes longer than looking
    return replace(chunk, id=name, text=text, metadata=metadata)
