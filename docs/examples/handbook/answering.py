"""Answers in sentences of the retrieved chunks, word for word, with the evidence that they answer the question."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chunking import Chunk
from ranking import CharGrams, Ids, Scores

# Between a closing mark, with or without a quote or bracket, and the next sentence; after a CJK mark no space follows.
# A full stop after a number of one or two digits ("1. März") ends no sentence.
SENTENCE_END = re.compile(
    r"(?<!\s\d\.)(?<!\s\d\d\.)(?:(?<=[.!?])|(?<=[.!?][\"'”»)*]))\s+|(?<=[\u3002\uff01\uff1f])(?=.)"
)
LIST_ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+")

CONTEXT_WEIGHT = 0.5
MOST_PASSAGES = 3
SMALLEST_GAIN = 0.05


@dataclass(frozen=True)
class Passage:
    """One sentence, list item or table row of a chunk, and the numbers of its n-grams."""

    text: str
    grams: Ids


@dataclass(frozen=True)
class Draft:
    """The chosen passages, each with the id of its chunk, and the evidence in [0, 1] that they answer the question."""

    passages: list[tuple[str, Passage]]
    evidence: float


class Extractor:
    """Picks passages by the share of the question's n-grams (weighted by IDF) that they cover."""

    def __init__(self, chunks: Sequence[Chunk], grams: CharGrams) -> None:
        self._grams = grams
        self._passages = {c.id: [Passage(text, grams.ids(text)) for text in split_passages(c.body)] for c in chunks}
        self._chunk_grams = {chunk.id: grams.ids(chunk.text) for chunk in chunks}

    def draft(self, question: str, chunks: Sequence[Chunk]) -> Draft:
        """Up to three passages of `chunks`, which come best first.

        The first passage covers most of the question, by itself and, at half weight, with its chunk. Each further
        one must cover at least a twentieth of the question that none before it did. A document that another one
        among `chunks` replaces is not quoted. The evidence is the largest share of the question that one chunk covers.
        """
        replaced = {chunk.properties.get("replaces") for chunk in chunks}
        current = [chunk for chunk in chunks if chunk.document_id not in replaced]
        shares = self._grams.shares(question)
        context = {chunk.id: float(shares[self._chunk_grams[chunk.id]].sum()) for chunk in current}
        candidates = [(chunk.id, passage) for chunk in current for passage in self._passages[chunk.id]]
        chosen: list[tuple[str, Passage]] = []
        while candidates and len(chosen) < MOST_PASSAGES:
            chunk_id, passage = _best(candidates, shares, context)
            if chosen and float(shares[passage.grams].sum()) < SMALLEST_GAIN:
                break
            chosen.append((chunk_id, passage))
            shares[passage.grams] = 0.0
        return Draft(chosen, max(context.values(), default=0.0))


def _best(candidates: Sequence[tuple[str, Passage]], shares: Scores, context: dict[str, float]) -> tuple[str, Passage]:
    scores = [float(shares[passage.grams].sum()) + CONTEXT_WEIGHT * context[chunk] for chunk, passage in candidates]
    return candidates[scores.index(max(scores))]


def split_passages(body: str) -> Iterator[str]:
    """Sentences, list items and table rows; a row reads "column: cell; column: cell"."""
    for block in re.split(r"\n\s*\n", body):
        lines = str(block).split("\n")
        if _is_table(lines):
            yield from _table_rows(lines)
        else:
            yield from _paragraph(lines)


def _is_table(lines: Sequence[str]) -> bool:
    return "|" in lines[0] and any("-" in line and not line.strip("|-: \t") for line in lines[1:2])


def _table_rows(lines: Sequence[str]) -> Iterator[str]:
    columns = _cells(lines[0])
    for line in lines[2:]:
        yield "; ".join(f"{column}: {cell}" for column, cell in zip(columns, _cells(line), strict=False))


def _paragraph(lines: Sequence[str]) -> Iterator[str]:
    running: list[str] = []
    for line in lines:
        item = LIST_ITEM.match(line)
        if item:
            yield from _sentences(" ".join(running))
            running = [line[item.end() :]]
        else:
            running.append(line.strip())
    yield from _sentences(" ".join(running))


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _sentences(paragraph: str) -> Iterator[str]:
    for sentence in SENTENCE_END.split(paragraph):
        if sentence.strip():
            yield sentence.strip()
