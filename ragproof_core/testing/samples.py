"""A case and a response with everything in them, and the same without one thing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ragproof_core.engine.asking import source_ids
from ragproof_core.models.case import Case, CaseKind, Turn
from ragproof_core.models.response import Answer, Chunk, Citation, Response, Usage

_OFFICE = Chunk("office", "The head office has been in Bonn since 2019.", 0.9, {"document_id": "handbook"})
_HISTORY = Chunk("history", "The company was founded in Berlin in 2004.", 0.6, {"document_id": "history"})
_PARKING = Chunk("parking", "Parking costs 5 euros a day.", 0.2, {"document_id": "handbook"})


def sample_case(kind: CaseKind = "qa") -> Case:
    """Return a case that leaves no need of a metric unmet."""
    return Case(
        id="conformance",
        question="Where is the head office?",
        kind=kind,
        expected_answer="The head office is in Bonn.",
        expected_source_ids=("office", "history"),
        expected_source_grades={"office": 2.0, "history": 1.0, "parking": 0.0},
        adversarial_payload="PWNED-7431",
        keywords=("Bonn",),
        history=(Turn("user", "Hello."), Turn("assistant", "Hello, how can I help?")),
        tags=("place",),
        metadata={"tenant": "a"},
    )


def sample_response(answer_text: str = "The head office is in Bonn.") -> Response:
    """Return a response in which every part is filled in."""
    answer = Answer(
        answer_text,
        citations=(Citation("office", answer_text),),
        retrieved_chunks=(_OFFICE, _HISTORY),
        usage=Usage(120.0, 12.0, 0.0004),
        timings_ms={"time_to_first_token": 80.0},
        trace={"task_success": True, "escalated": False, "retrieval_called": True, "steps": 3, "cache_hit": False},
    )
    return made_response((_OFFICE, _PARKING, _HISTORY), answer, (_OFFICE, _HISTORY, _PARKING))


def made_response(
    retrieved: Sequence[Chunk] | None, answer: Answer | None, exact: Sequence[Chunk] | None = None
) -> Response:
    """Return what the kernel makes of these hook results, with chunks as sources."""
    context = retrieved if answer is None or answer.retrieved_chunks is None else answer.retrieved_chunks
    return Response(
        retrieved=_tuple(retrieved),
        answer=answer,
        exact=_tuple(exact),
        ranked=_ids(retrieved),
        exact_ranked=_ids(exact),
        context=_tuple(context),
        context_ids=_ids(context),
        timings_ms={"retrieve": 20.0, "answer": 300.0, "total": 320.0},
    )


def without(need: str, case: Case, response: Response) -> tuple[Case, Response]:
    """Return case and response with the one need, or ``usage`` or ``trace``, unmet; ``judge`` takes nothing out."""
    if need in _FROM_CASE:
        return _FROM_CASE[need](case), response
    if need in _FROM_RESPONSE:
        return case, _FROM_RESPONSE[need](response)
    return case, response


def _tuple(chunks: Sequence[Chunk] | None) -> tuple[Chunk, ...] | None:
    return None if chunks is None else tuple(chunks)


def _ids(chunks: Sequence[Chunk] | None) -> tuple[str, ...] | None:
    return None if chunks is None else source_ids(chunks, by_document=False)


def _no_retrieval(response: Response) -> Response:
    own = None if response.answer is None else response.answer.retrieved_chunks
    rest = replace(response, retrieved=None, ranked=None, exact=None, exact_ranked=None)
    return rest if own is not None else replace(rest, context=None, context_ids=None)


def _no_answer(response: Response) -> Response:
    return replace(response, answer=None, context=response.retrieved, context_ids=response.ranked)


def _no_citations(response: Response) -> Response:
    answer = response.answer
    return response if answer is None else replace(response, answer=replace(answer, citations=()))


def _reporting(response: Response, **changes: Any) -> Response:
    return response if response.answer is None else replace(response, answer=replace(response.answer, **changes))


def _no_context(response: Response) -> Response:
    answer = None if response.answer is None else replace(response.answer, retrieved_chunks=None)
    return replace(_no_retrieval(replace(response, answer=answer)), context=None, context_ids=None)


_FROM_CASE: Mapping[str, Callable[[Case], Case]] = {
    "expected_answer": lambda case: replace(case, expected_answer=None),
    "expected_sources": lambda case: replace(case, expected_source_ids=(), expected_source_grades=None),
    "expected_grades": lambda case: replace(case, expected_source_grades=None),
    "keywords": lambda case: replace(case, keywords=()),
    "payload": lambda case: replace(case, adversarial_payload=None),
}
_FROM_RESPONSE: Mapping[str, Callable[[Response], Response]] = {
    "retrieval": _no_retrieval,
    "exact_retrieval": lambda response: replace(response, exact=None, exact_ranked=None),
    "answer": _no_answer,
    "citations": _no_citations,
    "context": _no_context,
    "usage": lambda response: _reporting(response, usage=None),
    "trace": lambda response: _reporting(response, trace={}),
}
