"""A run's results, read back page by page."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from typing import Any, NamedTuple

from ragproof_core.models.outcome import Outcome
from ragproof_core.models.response import Chunk
from ragproof_core.models.run import CaseResult
from ragproof_store_sqlite import json_column
from ragproof_store_sqlite.exact_text import storable, stored_text

_PAGE = 50  # an answer may be 2 MB, so a page may be 100 MB
_SELECT = """SELECT results.position, case_id, kind, results.status, scores, score_layouts.metrics, question,
        expected_answer, expected_source_ids, tags, error, answer_text, retrieved, context, citations, duration_ms,
        timings_ms, judge_raw
    FROM results
    JOIN cases ON cases.dataset_no = results.dataset_no AND cases.position = results.position
    JOIN score_layouts USING (layout_no)
    WHERE run_no = (SELECT run_no FROM runs WHERE run_id = ?) AND results.position > ?
    ORDER BY results.position LIMIT ?"""
_TEXTS = "SELECT text_no, text FROM texts WHERE text_no IN (SELECT value FROM json_each(?))"
_OUTCOMES = "SELECT outcome_no, status, reason FROM outcomes WHERE outcome_no IN (SELECT value FROM json_each(?))"


class _Row(NamedTuple):
    """The columns of ``_SELECT``, JSON ones parsed."""

    position: int
    case_id: str
    kind: str
    status: Any
    scores: list[Any]
    metrics: list[str]
    question: str
    expected_answer: str | None
    expected_source_ids: list[str]
    tags: list[str]
    error: str | None
    answer_text: str | None
    retrieved: list[Any] | None
    context: list[Any] | None
    citations: list[str]
    duration_ms: float
    timings_ms: dict[str, float]
    judge_raw: dict[str, str]


_IS_JSON = tuple(
    name
    in {
        "scores",
        "metrics",
        "expected_source_ids",
        "tags",
        "retrieved",
        "context",
        "citations",
        "timings_ms",
        "judge_raw",
    }
    for name in _Row._fields
)


def read_page(connection: sqlite3.Connection, run_id: str, after: int) -> list[CaseResult]:
    """Return the run's next results after the position ``after``, in order; an empty list at the end.

    Raises ``ValueError``, ``LookupError`` or ``TypeError`` for a row that this package cannot have written.
    """
    rows = [
        _Row(*(json_column.load(v) if is_json else stored_text(v) for v, is_json in zip(row, _IS_JSON, strict=True)))
        for row in connection.execute(_SELECT, (storable(run_id), after, _PAGE)).fetchall()
    ]
    chunks = [chunk for row in rows for chunk in (*(row.retrieved or ()), *(row.context or ()))]
    texts = dict(_numbered(connection, _TEXTS, {chunk[1] for chunk in chunks}))
    shared = {int(item) for row in rows for item in row.scores if isinstance(item, str)}
    outcomes = {n: Outcome(status, None, reason) for n, status, reason in _numbered(connection, _OUTCOMES, shared)}
    return [_result(row, texts, outcomes) for row in rows]


def _numbered(connection: sqlite3.Connection, select: str, numbers: set[int]) -> list[Any]:
    return [tuple(map(stored_text, row)) for row in connection.execute(select, (json.dumps(list(numbers)),))]


def _result(row: _Row, texts: Mapping[int, str], outcomes: Mapping[int, Outcome]) -> CaseResult:
    scores = zip(row.metrics, (_outcome(item, outcomes) for item in row.scores), strict=True)
    return CaseResult(
        index=row.position,
        case_id=row.case_id,
        kind=row.kind,
        status=row.status,
        scores=dict(scores),
        question=row.question,
        expected_answer=row.expected_answer,
        expected_source_ids=tuple(row.expected_source_ids),
        tags=tuple(row.tags),
        error=row.error,
        answer_text=row.answer_text,
        retrieved=_chunks(row.retrieved, texts),
        context=_chunks(row.context, texts),
        citations=tuple(row.citations),
        duration_ms=row.duration_ms,
        timings_ms=row.timings_ms,
        judge_raw=row.judge_raw,
    )


def _outcome(item: Any, outcomes: Mapping[int, Outcome]) -> Outcome:
    """Undo ``OutcomeTexts``."""
    if isinstance(item, str):
        return outcomes[int(item)]
    return Outcome(*item) if isinstance(item, list) else Outcome("scored", item)


def _chunks(chunks: list[Any] | None, texts: Mapping[int, str]) -> tuple[Chunk, ...] | None:
    if chunks is None:
        return None
    return tuple(Chunk(id=id_, text=texts[number], score=score, metadata=data) for id_, number, score, data in chunks)
