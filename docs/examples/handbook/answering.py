"""Answers with sentences of the retrieved chunks, word for word, and refuses when they match the question too weakly."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chunking import Chunk
from ranking import CharGrams, Ids, Scores

# A full stop after a number of one or two digits ("1. März") ends no sentence.
SENTENCE_END = re.compile(r"(?<!\b\d)(?<!\b\d\d)(?<=[.!?])[\"'”»)*]*\s+|(?<=[。！？])")
LIST_ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+")
RULE_ROW = re.compile(r"\s*\|?[\s:|-]+\|?\s*")

CONTEXT_WEIGHT = 0.5
MOST_SENTENCES = 3
SMALLEST_GAIN = 0.1


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
        one must cover at least a tenth of the question that none before it did. The evidence is the mean of what
        the first passage covers and what its chunk covers.
        """
        replaced = {chunk.properties.get("replaces") for chunk in chunks}
        current = [chunk for chunk in chunks if chunk.document_id not in replaced]
        shares = self._grams.shares(question)
        context = {chunk.id: float(shares[self._chunk_grams[chunk.id]].sum()) for chunk in current}
        candidates = [(chunk.id, passage) for chunk in current for passage in self._passages[chunk.id]]
        if not candidates:
            return Draft([], 0.0)
        chosen = [self._best(candidates, shares, context)]
        chunk_id, first = chosen[0]
        evidence = (float(shares[first.grams].sum()) + context[chunk_id]) / 2
        while len(chosen) < MOST_SENTENCES:
            shares[chosen[-1][1].grams] = 0.0
            following = self._best(candidates, shares, context)
            if float(shares[following[1].grams].sum()) < SMALLEST_GAIN:
                break
            chosen.append(following)
        return Draft(chosen, evidence)

    @staticmethod
    def _best(
        candidates: Sequence[tuple[str, Passage]], shares: Scores, context: dict[str, float]
    ) -> tuple[str, Passage]:
        scores = [float(shares[p.grams].sum()) + CONTEXT_WEIGHT * context[chunk_id] for chunk_id, p in candidates]
        return candidates[scores.index(max(scores))]


def split_passages(body: str) -> Iterator[str]:
    """Sentences, list items and table rows; a row reads "column: cell; column: cell"."""
    for block in re.split(r"\n\s*\n", body):
        lines = block.split("\n")
        if len(lines) > 2 and "|" in lines[0] and RULE_ROW.fullmatch(lines[1]):
            yield from _table_rows(lines)
            continue
        paragraph: list[str] = []
        for line in lines:
            item = LIST_ITEM.match(line)
            if item:
                yield from _sentences(" ".join(paragraph))
                paragraph = [line[item.end() :]]
            else:
                paragraph.append(line.strip())
        yield from _sentences(" ".join(paragraph))


def _table_rows(lines: Sequence[str]) -> Iterator[str]:
    columns = _cells(lines[0])
    for line in lines[2:]:
        yield "; ".join(f"{column}: {cell}" for column, cell in zip(columns, _cells(line), strict=False))


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _sentences(paragraph: str) -> Iterator[str]:
    for sentence in SENTENCE_END.split(paragraph):
        if sentence.strip():
            yield sentence.strip()
