"""Two ways to rank texts for a question, and their fusion. Language-neutral: no stop words, no stemming."""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import Any

import bm25s  # type: ignore[import-untyped]
import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float64]
Ids = NDArray[np.int64]

WORD = re.compile(r"\d+(?:[.,]\d+)+|\w+")
GRAM_SIZES = (3, 4, 5)
RRF_CONSTANT = 60


def tokenize(text: str) -> list[str]:
    """Words and numbers, case folded, compatibility forms made equal (NFKC)."""
    return WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def char_grams(text: str) -> list[str]:
    """Runs of 3 to 5 characters inside each word, which is marked by a space at both ends.

    Words that differ by an ending or a typo still share most of them, and long words, which tend to carry
    the meaning, have more of them than short ones.
    """
    words = [f" {word} " for word in tokenize(text)]
    return [word[i : i + size] for word in words for size in GRAM_SIZES for i in range(len(word) - size + 1)]


class Bm25:
    """BM25 over words (library bm25s, k1 = 1.5, b = 0.75)."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._index: Any = bm25s.BM25(k1=1.5, b=0.75)
        self._size = len(texts)
        self._index.index([tokenize(text) or [""] for text in texts], show_progress=False)

    def scores(self, question: str) -> Scores:
        """One score per text; 0.0 when no word is shared."""
        words = tokenize(question)
        return np.asarray(self._index.get_scores(words), dtype=np.float64) if words else np.zeros(self._size)


class CharGrams:
    """Cosine of TF-IDF vectors over character n-grams: weight (1 + ln tf) (1 + ln((1 + N) / (1 + df)))."""

    def __init__(self, texts: Sequence[str]) -> None:
        counts = [Counter(char_grams(text)) for text in texts]
        self._ids: dict[str, int] = {}
        for count in counts:
            for gram in count:
                self._ids.setdefault(gram, len(self._ids))
        self._size = len(texts)
        document_frequency = np.zeros(len(self._ids))
        for count in counts:
            document_frequency[[self._ids[gram] for gram in count]] += 1
        self._idf: Scores = 1 + np.log((1 + self._size) / (1 + document_frequency))
        self._unseen_idf = float(1 + np.log(1 + self._size))
        self._build_postings(counts, document_frequency)

    def _build_postings(self, counts: list[Counter[str]], document_frequency: Scores) -> None:
        """For each n-gram, the texts that hold it and its share of each text's unit vector."""
        grams: list[Ids] = []
        weights: list[Scores] = []
        for count in counts:
            ids = np.array([self._ids[gram] for gram in count], dtype=np.int64)
            weight = (1 + np.log(np.array(list(count.values()), dtype=np.float64))) * self._idf[ids]
            grams.append(ids)
            weights.append(weight / np.linalg.norm(weight) if len(ids) else weight)
        owners = np.repeat(np.arange(self._size), [len(ids) for ids in grams])
        order = np.argsort(np.concatenate(grams), kind="stable")
        self._owners: Ids = owners[order]
        self._weights: Scores = np.concatenate(weights)[order]
        self._starts: Ids = np.concatenate([[0], np.cumsum(document_frequency)]).astype(np.int64)

    def scores(self, question: str) -> Scores:
        """One cosine in [0, 1] per text."""
        scores = np.zeros(self._size)
        norm = 0.0
        for gram, count in Counter(char_grams(question)).items():
            term = 1 + float(np.log(count))
            gram_id = self._ids.get(gram)
            if gram_id is None:
                norm += (term * self._unseen_idf) ** 2
                continue
            weight = term * float(self._idf[gram_id])
            norm += weight**2
            posting = slice(self._starts[gram_id], self._starts[gram_id + 1])
            scores[self._owners[posting]] += weight * self._weights[posting]
        return scores / np.sqrt(norm) if norm else scores

    def ids(self, text: str) -> Ids:
        """The distinct n-grams of a text that the corpus knows, as numbers."""
        return np.array(sorted({self._ids[gram] for gram in char_grams(text) if gram in self._ids}), dtype=np.int64)

    def shares(self, question: str) -> Scores:
        """What each n-gram of the corpus contributes to the question: IDF shares that sum to 1.

        The sum is below 1 when the question has n-grams that the corpus has not; 0 for a question without words.
        """
        shares = np.zeros(len(self._ids))
        total = 0.0
        for gram in set(char_grams(question)):
            gram_id = self._ids.get(gram)
            if gram_id is None:
                total += self._unseen_idf
            else:
                shares[gram_id] = self._idf[gram_id]
        total += float(shares.sum())
        return shares / total if total else shares


def ranked(scores: Scores) -> list[int]:
    """Positions by falling score, ties in corpus order; a text with score 0 is not in the list."""
    order = np.argsort(-scores, kind="stable")
    return [int(position) for position in order if scores[position] > 0]


def fuse(lists: Sequence[Sequence[int]]) -> list[tuple[int, float]]:
    """Reciprocal rank fusion, RRF(d) = sum over the lists of 1 / (60 + rank), rank from 1: (position, RRF), best first.

    Ties keep the order of the positions. Source: Cormack, Clarke and Buettcher, SIGIR 2009.
    """
    totals: dict[int, float] = {}
    for positions in lists:
        for rank, position in enumerate(positions, start=1):
            totals[position] = totals.get(position, 0.0) + 1 / (RRF_CONSTANT + rank)
    return sorted(totals.items(), key=lambda item: (-item[1], item[0]))
