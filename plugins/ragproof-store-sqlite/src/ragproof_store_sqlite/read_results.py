"""A run's results, read back page by page."""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from ragproof_core.models.outcome import Outcome
from ragproof_core.models.response import Chunk
from ragproof_core.models.run import CaseResult
from ragproof_store_sqlite import json_column
from ragproof_store_sqlite.exact_text import storable, stored_text

_PAGE = 50  # an answer may be 2 MB, so a page may be 100 MB
_TEXTS_CHARACTERS = 8 * 2**20
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
    metrics: tuple[str, ...]
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


@lru_cache(maxsize=256)
def _metrics(column: Any) -> tuple[str, ...]:
    return tuple(sys.intern(metric) for metric in json_column.load(column))


_JSON = {"scores", "expected_source_ids", "tags", "retrieved", "context", "citations", "timings_ms", "judge_raw"}
_PARSERS: tuple[Callable[[Any], Any], ...] = tuple(
    _metrics if name == "metrics" else json_column.load if name in _JSON else stored_text for name in _Row._fields
)


class ResultReader:
    """Reads one run's results. Texts and names that repeat are the same string in all of them."""

    def __init__(self, run_id: str) -> None:
        self._run_id = storable(run_id)
        self._after = -(2**63)
        self._texts: dict[int, str] = {}
        self._characters = 0

    def next_page(self, connection: sqlite3.Connection) -> list[CaseResult]:
        """Return the next results in order; an empty list at the end.

        Raises ``ValueError``, ``LookupError`` or ``TypeError`` for a row that this package cannot have written.
        """
        select = connection.execute(_SELECT, (self._run_id, self._after, _PAGE))
        rows = [_parsed(row) for row in select.fetchall()]
        if not rows:
            return []
        self._after = rows[-1].position
        self._fetch_texts(connection, rows)
        numbers = {item for row in rows for item in row.scores if type(item) is str}
        shared = _numbered(connection, _OUTCOMES, [int(number) for number in numbers])
        outcomes = {str(number): Outcome(status, None, reason) for number, status, reason in shared}
        return [_result(row, self._texts, outcomes) for row in rows]

    def _fetch_texts(self, connection: sqlite3.Connection, rows: list[_Row]) -> None:
        needed = {chunk[1] for row in rows for chunks in (row.retrieved, row.context) if chunks for chunk in chunks}
        if self._characters > _TEXTS_CHARACTERS:
            self._texts, self._characters = {}, 0
        for number, text in _numbered(connection, _TEXTS, list(needed - self._texts.keys())):
            self._texts[number] = text
            self._characters += len(text)


def _parsed(row: Sequence[Any]) -> _Row:
    return _Row._make([parse(value) for parse, value in zip(_PARSERS, row, strict=True)])


def _numbered(connection: sqlite3.Connection, select: str, numbers: list[int]) -> list[Any]:
    if not numbers:
        return []
    return [tuple(map(stored_text, row)) for row in connection.execute(select, (json.dumps(numbers),))]


def _result(row: _Row, texts: Mapping[int, str], outcomes: Mapping[str, Outcome]) -> CaseResult:
    scores = {  # undoes ``OutcomeTexts``
        metric: outcomes[item]
        if type(item) is str
        else Outcome(*item)
        if type(item) is list
        else Outcome("scored", item)
        for metric, item in zip(row.metrics, row.scores, strict=True)
    }
    return CaseResult(
        index=row.position,
        case_id=row.case_id,
        kind=row.kind,
        status=row.status,
        scores=scores,
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


def _chunks(chunks: list[Any] | None, texts: Mapping[int, str]) -> tuple[Chunk, ...] | None:
    if chunks is None:
        return None
    return tuple(Chunk(id=id_, text=texts[number], score=score, metadata=data) for id_, number, score, data in chunks)
