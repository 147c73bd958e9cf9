"""What several numbers say together, each with the condition that triggered it and its figures.

HIGH and LOW are rules of thumb, not laws: a reading points at where to look first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ragproof_core.models.run import RunRecord, Summary
from ragproof_core.reporting.numbers import number
from ragproof_report.documents import DocumentRow, DocumentTable

HIGH = 0.8
LOW = 0.5
GAP = 0.15
"""How far recall lies below the hit rate, or MRR below recall, before it is worth a word."""
PART_GAP = 0.2
"""How far a tag or a document lies below the rest."""
FEW_CASES = 5
FEW_PART_CASES = 3
_MOST_TAGS = 5

HIT, RECALL = "retrieval.hit_rate_at_k", "retrieval.recall_at_k"
PRECISION, MRR = "retrieval.precision_at_k", "retrieval.mrr"
_SYMBOLS = ("numeric", "number", "code", "amount", "table", "date", "identifier", "sku")


@dataclass(frozen=True, slots=True)
class Reading:
    """A reading: what it says, what to try, and the condition with the numbers that met it."""

    finding: str
    advice: str
    condition: str


def readings(run: RunRecord, documents: DocumentTable, best_precision: float | None) -> list[Reading]:
    """Return the readings that apply; none over fewer than five scored cases.

    ``best_precision`` is the highest mean precision at k that the labels allow.
    """
    found = {s.metric: s for s in run.summaries if s.mean is not None and s.scored >= FEW_CASES}
    means = {name: summary.mean for name, summary in found.items() if summary.mean is not None}
    rules = (
        _some_evidence(means),
        _noisy_context(means, best_precision, run.settings.k),
        _wrong_order(means),
        _only_some_tags(found.get(RECALL) or found.get(HIT)),
        _only_one_document(documents),
    )
    return [reading for rule in rules for reading in rule]


def _some_evidence(means: Mapping[str, float]) -> Iterator[Reading]:
    hit, recall = means.get(HIT), means.get(RECALL)
    if hit is not None and recall is not None and hit >= HIGH and hit - recall >= GAP:
        yield Reading(
            "Some of the evidence is found, but not all of it.",
            "Questions that need several sources suffer: try several queries a question, or split it into parts.",
            f"hit rate {number(hit)} ≥ {HIGH} and recall {number(recall)} at least {GAP} below it",
        )


def _noisy_context(means: Mapping[str, float], best: float | None, k: int) -> Iterator[Reading]:
    recall, precision = means.get(RECALL), means.get(PRECISION)
    if recall is None or precision is None or recall < HIGH or precision > LOW:
        return
    ceiling = "" if best is None else f"; these labels allow {number(best)} at most at k = {k}"
    near = best is not None and precision >= HIGH * best
    advice = (
        "Re-ranking cannot help much, because nearly all that is relevant is there: a lower k would."
        if near
        else "The generator pays for it in tokens and distraction: re-rank, or lower k."
    )
    yield Reading(
        "The context is noisy: the evidence is there among much else.",
        advice,
        f"recall {number(recall)} ≥ {HIGH} and precision {number(precision)} ≤ {LOW}{ceiling}",
    )


def _wrong_order(means: Mapping[str, float]) -> Iterator[Reading]:
    recall, mrr = means.get(RECALL), means.get(MRR)
    if recall is not None and mrr is not None and recall >= HIGH and recall - mrr >= GAP:
        yield Reading(
            "The right chunks are found, in the wrong order.",
            "Re-rank.",
            f"recall {number(recall)} ≥ {HIGH} and MRR {number(mrr)} at least {GAP} below it",
        )


def _only_some_tags(summary: Summary | None) -> Iterator[Reading]:
    if summary is None or summary.mean is None:
        return
    parts = {
        tag: (part.mean, part.scored)
        for tag, part in summary.tags.items()
        if part.mean is not None and part.scored >= FEW_PART_CASES
    }
    low = {tag: part for tag, part in parts.items() if part[0] <= summary.mean - PART_GAP}
    if not low or len(low) * 2 > len(parts):
        return
    worst = sorted(low, key=lambda tag: (low[tag][0], tag))[:_MOST_TAGS]
    shown = ", ".join(f"{tag} {number(low[tag][0])} (n={low[tag][1]})" for tag in worst)
    symbols = [tag for tag in worst if any(word in tag.casefold() for word in _SYMBOLS)]
    yield Reading(
        f"Only some tags are low: {', '.join(worst)}.",
        "Embeddings blur numbers and codes: add lexical search (BM25)."
        if symbols
        else "Look at what these questions have in common; if it is rare words or names, add lexical search (BM25).",
        f"{summary.metric} {number(summary.mean)} over all, and at least {PART_GAP} below that for {shown}",
    )


def _only_one_document(table: DocumentTable) -> Iterator[Reading]:
    place = table.column(RECALL)
    if place is None:
        return
    rows = [row for row in table.rows if row.parts[place].mean is not None]
    low = [row for row in rows if row.cases >= FEW_PART_CASES and _mean([row], place) <= LOW]
    if len(low) != 1 or len(rows) < FEW_PART_CASES:
        return
    rest = _mean([row for row in rows if row is not low[0]], place)
    mean = _mean(low, place)
    if rest >= HIGH and rest - mean >= PART_GAP:
        yield Reading(
            f"Only one document is low: {low[0].document}.",
            "Look at its chunks: its parsing or chunking lost something.",
            f"recall {number(mean)} ≤ {LOW} over the {low[0].cases} cases that expect it, "
            f"{number(rest)} ≥ {HIGH} for the other documents",
        )


def _mean(rows: Sequence[DocumentRow], place: int) -> float:
    """Mean over cases; at least one of the rows was scored."""
    total = sum(row.parts[place].scored for row in rows)
    return sum((row.parts[place].mean or 0.0) * row.parts[place].scored for row in rows) / total


class PrecisionCeiling:
    """The best mean precision at k that the labels allow: the mean of min(expected sources, k) / k."""

    def __init__(self, k: int) -> None:
        self._k = k
        self._sum = 0
        self._cases = 0

    def add(self, expected: int) -> None:
        """Take in a case with so many expected sources; one without has no part in precision."""
        if expected:
            self._sum += min(expected, self._k)
            self._cases += 1

    def value(self, scored: int) -> float | None:
        """Return the ceiling, 0 to 1; ``None`` unless it comes from exactly as many cases as were scored."""
        return self._sum / (self._cases * self._k) if self._cases and self._cases == scored else None
