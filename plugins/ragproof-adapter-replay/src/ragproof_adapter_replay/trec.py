"""TREC run files: ``qid Q0 docid rank score tag``, one retrieved document a line."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from ragproof_adapter_replay.problems import Problems
from ragproof_adapter_replay.questions import Question
from ragproof_adapter_replay.readers import lines_of, read_text
from ragproof_adapter_replay.recording import Recording
from ragproof_core import Chunk

Order = Literal["rank", "score"]

_COLUMNS = 6


@dataclasses.dataclass(frozen=True, slots=True)
class _Hit:
    place: str
    document: str
    rank: int
    score: float


def read_run(path: Path, order: Order, questions: Mapping[str, Question] | None, problems: Problems) -> list[Recording]:
    """Return one recording for each query id.

    ``order`` is what sorts a query's documents: ``rank`` takes the fourth column, lowest first; ``score`` does as
    trec_eval does, highest score first and, at equal scores, the later document id first. Without ``questions`` the
    query id is the question itself.
    """
    hits: dict[str, dict[str, _Hit]] = {}
    for number, line in lines_of(read_text(path)):
        place = f"{path.name}:{number}"
        parsed = _parse(place, line, problems)
        if parsed is None:
            continue
        query, hit = parsed
        first = hits.setdefault(query, {}).setdefault(hit.document, hit)
        if first is not hit:
            problems.add(place, "docid", f"{hit.document} was already retrieved for query {query} at {first.place}")
    return [_recording(query, list(found.values()), order, questions, problems) for query, found in hits.items()]


def _parse(place: str, line: str, problems: Problems) -> tuple[str, _Hit] | None:
    columns = line.split()
    if len(columns) != _COLUMNS:
        problems.add(place, "", f"expected 6 columns (qid Q0 docid rank score tag), got {len(columns)}")
        return None
    query, _, document, rank, score, _ = columns
    try:
        hit = _Hit(place, document, int(rank), float(score))
    except ValueError:
        problems.add(place, "rank, score", f"expected a whole number and a number, got {rank} and {score}")
        return None
    if math.isnan(hit.score):
        problems.add(place, "score", "is not a number")
        return None
    return query, hit


def _recording(
    query: str, hits: list[_Hit], order: Order, questions: Mapping[str, Question] | None, problems: Problems
) -> Recording:
    if order == "score":
        hits.sort(key=lambda hit: (hit.score, hit.document), reverse=True)
    else:
        hits.sort(key=lambda hit: hit.rank)
        _refuse_equal_ranks(query, hits, problems)
    question = Question(query) if questions is None else questions.get(query)
    if question is None:
        problems.add(hits[0].place, "qid", f"{query} is not in the file named by `questions`")
        question = Question(query)
    chunks = tuple(Chunk(id=hit.document, score=hit.score) for hit in hits)
    return Recording(hits[0].place, question.text, question.history, key=query, retrieved=chunks)


def _refuse_equal_ranks(query: str, hits: list[_Hit], problems: Problems) -> None:
    for before, after in itertools.pairwise(hits):
        if before.rank == after.rank:
            advice = "`trec_order: score` sorts by score"
            reason = f"query {query} has rank {after.rank} twice, also at {before.place}; {advice}"
            problems.add(after.place, "rank", reason)
            return
