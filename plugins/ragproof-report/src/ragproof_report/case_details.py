"""The worst cases with all that explains them; texts are cut, and a chunk's text is given once."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ragproof_core.models.response import Chunk
from ragproof_core.models.run import CaseResult, RunRecord
from ragproof_core.reporting.metric_names import reading_order
from ragproof_report.case_lines import cut
from ragproof_report.case_verdict import CaseVerdict
from ragproof_report.judge_words import Finding, findings

WORST = 20
_ANSWER, _QUESTION, _CHUNK, _RAW, _REASON = 4000, 2000, 1200, 3000, 600
_CHUNKS, _FINDINGS, _IDS = 20, 60, 40
TEXT_BUDGET = 240_000
"""Characters of chunk text in one report."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text as far as it is shown, and how long it is in characters."""

    shown: str
    length: int

    @property
    def is_cut(self) -> bool:
        """Whether a part is left out."""
        return len(self.shown) < self.length


def clip(text: str, limit: int) -> Text:
    """Return the text cut to ``limit`` characters."""
    return Text(text[:limit], len(text))


@dataclass(frozen=True, slots=True)
class ShownChunk:
    """A chunk of a case. ``text`` is ``None`` where it was given before (``same_as``) or was left out."""

    rank: int
    chunk_id: str
    document: str | None
    relevant: bool
    cited: bool
    text: Text | None
    same_as: int | None
    number: int


@dataclass(frozen=True, slots=True)
class ShownScore:
    """A metric's outcome on the case, and what the judge said: findings, or the raw reply where they are ``None``."""

    metric: str
    status: str
    value: float | None
    reason: str | None
    findings: tuple[Finding, ...] | None
    raw: Text | None


@dataclass(frozen=True, slots=True)
class CaseDetails:
    """A case in full."""

    index: int
    case_id: str
    kind: str
    tags: tuple[str, ...]
    verdict: CaseVerdict
    question: Text
    expected_answer: Text | None
    expected_sources: tuple[str, ...]
    missing: tuple[str, ...]
    error: str | None
    answer: Text | None
    citations: tuple[tuple[str, bool], ...]
    chunks_name: str
    chunks: tuple[ShownChunk, ...]
    chunks_left_out: int
    scores: tuple[ShownScore, ...]
    duration_ms: float

    @property
    def plain_scores(self) -> list[ShownScore]:
        """Scores about which nothing was said."""
        return [score for score in self.scores if not _is_told(score)]

    @property
    def told_scores(self) -> list[ShownScore]:
        """Scores with a reason, or with a judge's words."""
        return [score for score in self.scores if _is_told(score)]


def _is_told(score: ShownScore) -> bool:
    return bool(score.reason or score.findings or score.raw)


class WorstCases:
    """Keeps the worst cases of a stream; of equally bad ones those that come first in the dataset."""

    def __init__(self, most: int = WORST) -> None:
        self._most = most
        self._heap: list[tuple[float, int, CaseResult, CaseVerdict]] = []

    def add(self, result: CaseResult, verdict: CaseVerdict, loss: float) -> None:
        """Take in one case; a perfect one is not kept."""
        if loss <= 0 or self._most <= 0:
            return
        entry = (loss, -result.index, result, verdict)
        if len(self._heap) < self._most:
            heapq.heappush(self._heap, entry)
        elif entry[:2] > self._heap[0][:2]:
            heapq.heapreplace(self._heap, entry)

    def details(self, run: RunRecord) -> tuple[CaseDetails, ...]:
        """Return the worst first."""
        ordered = sorted(self._heap, key=lambda entry: (-entry[0], -entry[1]))
        shelf = _Shelf()
        return tuple(_details(result, verdict, run, shelf) for _, _, result, verdict in ordered)


class _Shelf:
    """Numbers chunk texts, so that each is given once, and stops when there are too many."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._left = TEXT_BUDGET
        self._next = 0

    def place(self, chunk: Chunk) -> tuple[int, Text | None, int | None]:
        """Return the chunk's number, its text if it is to be given here, and the number of an equal one before."""
        self._next += 1
        before = self._numbers.get(chunk.text)
        if before is not None:
            return self._next, None, before
        text = clip(chunk.text, _CHUNK)
        if len(text.shown) > self._left:
            return self._next, None, None
        self._left -= len(text.shown)
        self._numbers[chunk.text] = self._next
        return self._next, text, None


def _details(result: CaseResult, verdict: CaseVerdict, run: RunRecord, shelf: _Shelf) -> CaseDetails:
    by_document = run.settings.source_match == "document"
    expected = dict.fromkeys(result.expected_source_ids)
    chunks = result.context if result.context is not None else (result.retrieved or ())
    seen = {_source(chunk, by_document=by_document) for chunk in (*(result.retrieved or ()), *chunks)}
    known = {chunk.id for chunk in (*(result.retrieved or ()), *chunks)}
    return CaseDetails(
        index=result.index,
        case_id=cut(result.case_id, 200),
        kind=result.kind,
        tags=tuple(cut(tag, 60) for tag in result.tags[:_IDS]),
        verdict=CaseVerdict(verdict.outcome, cut(verdict.reason, _REASON)),
        question=clip(result.question, _QUESTION),
        expected_answer=None if result.expected_answer is None else clip(result.expected_answer, _QUESTION),
        expected_sources=tuple(cut(source, 120) for source in list(expected)[:_IDS]),
        missing=tuple(cut(source, 120) for source in expected if source not in seen)[:_IDS],
        error=None if result.error is None else cut(result.error, 2000),
        answer=None if result.answer_text is None else clip(result.answer_text, _ANSWER),
        citations=tuple((cut(cited, 120), cited in known) for cited in list(dict.fromkeys(result.citations))[:_IDS]),
        chunks_name="Context of the answer" if result.context is not None else "Retrieved chunks",
        chunks=tuple(_chunks(chunks[:_CHUNKS], set(expected), set(result.citations), shelf, by_document=by_document)),
        chunks_left_out=max(len(chunks) - _CHUNKS, 0),
        scores=tuple(_scores(result, run)),
        duration_ms=result.duration_ms,
    )


def _source(chunk: Chunk, *, by_document: bool) -> str:
    return chunk.document_id if by_document else chunk.id


def _chunks(
    chunks: Iterable[Chunk], expected: set[str], cited: set[str], shelf: _Shelf, *, by_document: bool
) -> Iterator[ShownChunk]:
    for rank, chunk in enumerate(chunks, 1):
        number, text, same_as = shelf.place(chunk)
        yield ShownChunk(
            rank=rank,
            chunk_id=cut(chunk.id, 120),
            document=cut(chunk.document_id, 120) if chunk.document_id != chunk.id else None,
            relevant=_source(chunk, by_document=by_document) in expected,
            cited=chunk.id in cited,
            text=text,
            same_as=same_as,
            number=number,
        )


def _scores(result: CaseResult, run: RunRecord) -> Iterator[ShownScore]:
    idle = _idle(run)
    for name in sorted({*result.scores, *result.judge_raw}, key=reading_order):
        outcome = result.scores.get(name)
        raw = result.judge_raw.get(name)
        if outcome is not None and outcome.status == "skipped" and name in idle:
            continue
        said = findings(raw) if raw else None
        yield ShownScore(
            metric=name,
            status=outcome.status if outcome else "not recorded",
            value=outcome.value if outcome else None,
            reason=cut(outcome.reason, _REASON) if outcome and outcome.reason else None,
            findings=None if said is None else tuple(_short(finding) for finding in said[:_FINDINGS]),
            raw=clip(raw, _RAW) if raw and said is None else None,
        )


def _short(finding: Finding) -> Finding:
    return Finding(cut(finding.text, _REASON), cut(finding.label, 60), finding.good)


def _idle(run: RunRecord) -> Mapping[str, bool]:
    """Metrics that no case of the run has a value or an error of; their rows say nothing about a case."""
    return {summary.metric: True for summary in run.summaries if not summary.scored and not summary.errors}
