"""Scores by the document that a case expects: one bad document points at its chunking or parsing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

from ragproof_core.models.run import CaseResult

METRICS = (
    "retrieval.hit_rate_at_k",
    "retrieval.recall_at_k",
    "retrieval.mrr",
    "generation.groundedness",
    "generation.answer_correctness",
    "generation.keyword_hit",
)


@dataclass(frozen=True, slots=True)
class Part:
    """A mean over the cases that expect the document; ``None`` when none was scored."""

    mean: float | None
    scored: int


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A document, how many cases expect something of it, and its means in the order of the table's metrics."""

    document: str
    cases: int
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class DocumentTable:
    """The documents, the worst first; ``metrics`` are those that were scored."""

    metrics: tuple[str, ...]
    rows: tuple[DocumentRow, ...]

    def column(self, metric: str) -> int | None:
        """Return the place of a metric among the columns, if it is there."""
        return self.metrics.index(metric) if metric in self.metrics else None


class DocumentTally:
    """Collects cases by expected source; which document a chunk belongs to is known once it has been retrieved."""

    def __init__(self) -> None:
        self._document_of: dict[str, str] = {}
        self._cases: list[tuple[tuple[str, ...], tuple[float | None, ...]]] = []

    def add(self, result: CaseResult) -> None:
        """Take in one case."""
        for chunk in (*(result.retrieved or ()), *(result.context or ())):
            if chunk.id not in self._document_of:
                self._document_of[chunk.id] = chunk.document_id
        if result.expected_source_ids and result.status == "ok":
            outcomes = (result.scores.get(metric) for metric in METRICS)
            values = tuple(None if outcome is None else outcome.value for outcome in outcomes)
            self._cases.append((result.expected_source_ids, values))

    def table(self) -> DocumentTable:
        """Return the means; a case that expects several documents counts for each of them."""
        by_document: dict[str, list[tuple[float | None, ...]]] = defaultdict(list)
        for sources, values in self._cases:
            for document in dict.fromkeys(self._document_of.get(source, source) for source in sources):
                by_document[document].append(values)
        kept = [place for place in range(len(METRICS)) if any(values[place] is not None for _, values in self._cases)]
        rows = [
            DocumentRow(document, len(cases), tuple(_part(cases, place) for place in kept))
            for document, cases in by_document.items()
        ]
        rows.sort(key=lambda row: (_badness(row), row.document))
        return DocumentTable(tuple(METRICS[place] for place in kept), tuple(rows))


def _part(cases: Sequence[tuple[float | None, ...]], place: int) -> Part:
    values = [value for case in cases if (value := case[place]) is not None]
    return Part(fsum(values) / len(values) if values else None, len(values))


def _badness(row: DocumentRow) -> float:
    means = [part.mean for part in row.parts if part.mean is not None]
    return fsum(means) / len(means) if means else 2.0
