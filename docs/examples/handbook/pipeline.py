"""A small RAG pipeline over an employee handbook: search, then an extractive answer with citations. No API key."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from answering import Extractor
from chunking import Chunk, load_corpus
from ranking import Bm25, CharGrams, fuse, ranked

HERE = Path(__file__).parent
REFUSAL = "I could not find an answer to this question in the documents."

Ranking = Literal["fused", "bm25", "chargram"]
History = Sequence[Mapping[str, str]]


class Pipeline:
    """Answers questions over a fixed list of chunks. Nothing changes after construction, so threads may share it."""

    def __init__(
        self, chunks: Sequence[Chunk], ranking: Ranking, answer_k: int, refuse_below: float, refusal: str
    ) -> None:
        texts = [chunk.text for chunk in chunks]
        self._chunks = list(chunks)
        words, grams = Bm25(texts), CharGrams(texts)
        rankers: dict[Ranking, list[Bm25 | CharGrams]] = {"bm25": [words], "chargram": [grams], "fused": [words, grams]}
        self._rankers = rankers[ranking]
        self._extractor = Extractor(chunks, grams)
        self._answer_k = answer_k
        self._refuse_below = refuse_below
        self._refusal = refusal

    def retrieve(self, question: str, k: int, history: History = ()) -> list[dict[str, object]]:
        """The best `k` chunks, best first: `{"id", "text", "score", "metadata": {"document_id", …}}`."""
        return [chunk.as_result(score) for chunk, score in self._search(in_context(question, history), k)]

    def answer(self, question: str, history: History = ()) -> dict[str, object]:
        """`{"answer_text", "citations": [{"chunk_id"}], "retrieved_chunks"}`; a refusal cites nothing."""
        query = in_context(question, history)
        found = self._search(query, self._answer_k)
        draft = self._extractor.draft(query, [chunk for chunk, _ in found])
        refused = not draft.passages or draft.evidence < self._refuse_below
        passages = [] if refused else draft.passages
        cited = dict.fromkeys(chunk_id for chunk_id, _ in passages)
        return {
            "answer_text": self._refusal if refused else "\n".join(passage.text for _, passage in passages),
            "citations": [{"chunk_id": chunk_id} for chunk_id in cited],
            "retrieved_chunks": [chunk.as_result(score) for chunk, score in found],
        }

    def _search(self, query: str, k: int) -> list[tuple[Chunk, float]]:
        lists = [ranked(ranker.scores(query)) for ranker in self._rankers]
        return [(self._chunks[position], score) for position, score in fuse(lists)[:k]]


def in_context(question: str, history: History) -> str:
    """The question behind the user's turn before it, so that "And in Leeds?" is searched with its subject."""
    earlier = [turn["content"] for turn in history if turn["role"] == "user"]
    return " ".join([*earlier[-1:], question])


def build(
    corpus: str = "corpus",
    chunk_chars: int = 900,
    ranking: Ranking = "fused",
    answer_k: int = 5,
    refuse_below: float = 0.5,
    refusal: str = REFUSAL,
) -> Pipeline:
    """The pipeline over `corpus`, a folder of Markdown or a JSONL file, relative to this file's folder.

    Raises ValueError for an unknown ranking and a corpus that cannot be read.
    """
    if ranking not in ("fused", "bm25", "chargram"):
        raise ValueError(f"ranking {ranking!r}: expected fused, bm25 or chargram")
    return Pipeline(load_corpus(HERE / corpus, chunk_chars), ranking, answer_k, refuse_below, refusal)
