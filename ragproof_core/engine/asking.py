"""Asking the adapter about one case, and checking the shape of what comes back."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from time import perf_counter
from typing import Any

from pydantic import TypeAdapter, ValidationError

from ragproof_core.errors import AdapterError
from ragproof_core.models.case import Case
from ragproof_core.models.response import Answer, Chunk, Response
from ragproof_core.models.run import RunSettings
from ragproof_core.plugins.component import Component

_CHUNKS = TypeAdapter(tuple[Chunk, ...]).validator
_ANSWER = TypeAdapter(Answer).validator
_LONGEST_SHOWN = 120
RETRIEVE_ARGUMENTS = ("question", "k", "history", "metadata")
ANSWER_ARGUMENTS = ("question", "history", "metadata")


def ask_adapter(adapter: Component, case: Case, hooks: Collection[str], run: RunSettings) -> Response:
    """Call the hooks that the run wants and the adapter has, in order.

    Returns the response with its ranked source ids, its context and the measured milliseconds by stage. Raises
    :class:`AdapterError` when a result has the wrong shape; what the adapter raises passes through.
    """
    history = [{"role": turn.role, "content": turn.content} for turn in case.history]
    metadata = case.metadata
    retrieved = exact = None
    answer = None
    timings: dict[str, float] = {}
    start = lap = perf_counter()
    if "retrieve" in hooks:
        found = adapter.direct("retrieve", RETRIEVE_ARGUMENTS)(case.question, run.retrieve_k, history, metadata)
        retrieved = _chunks("retrieve", adapter.settled(found))
        now = perf_counter()
        timings["retrieve"] = (now - lap) * 1000
        lap = now
    if "answer" in hooks:
        said = adapter.direct("answer", ANSWER_ARGUMENTS)(case.question, history, metadata)
        answer = _answer(adapter.settled(said))
        now = perf_counter()
        timings["answer"] = (now - lap) * 1000
        lap = now
    timings["total"] = (lap - start) * 1000  # without the exact search, which only measures the index
    if "retrieve_exact" in hooks:
        exact = _chunks("retrieve_exact", adapter.call("retrieve_exact", question=case.question, k=run.k))
    context = retrieved if answer is None or answer.retrieved_chunks is None else answer.retrieved_chunks
    by_document = run.source_match == "document"
    ranked = None if retrieved is None else source_ids(retrieved, by_document=by_document)
    return Response(
        retrieved=retrieved,
        answer=answer,
        exact=exact,
        ranked=ranked,
        exact_ranked=None if exact is None else source_ids(exact, by_document=by_document),
        context=context,
        context_ids=_context_ids(context, retrieved, ranked, by_document=by_document),
        timings_ms=timings,
    )


def source_ids(chunks: Iterable[Chunk], *, by_document: bool) -> tuple[str, ...]:
    """Map chunks to source ids, each kept once at its first and so best rank."""
    if by_document:
        return tuple(dict.fromkeys(chunk.document_id for chunk in chunks))
    return tuple(dict.fromkeys(chunk.id for chunk in chunks))


def _context_ids(
    context: tuple[Chunk, ...] | None,
    retrieved: tuple[Chunk, ...] | None,
    ranked: tuple[str, ...] | None,
    *,
    by_document: bool,
) -> tuple[str, ...] | None:
    if context is None or context is retrieved:
        return ranked
    return source_ids(context, by_document=by_document)


def _chunks(hook: str, value: Any) -> tuple[Chunk, ...]:
    if isinstance(value, (str, bytes, dict)) or value is None:
        raise AdapterError(f"{hook} returned {_shown(value)}; expected a list of chunks, each with 'id' and 'text'")
    try:
        chunks: tuple[Chunk, ...] = _CHUNKS.validate_python(value if isinstance(value, (list, tuple)) else list(value))
    except ValidationError as problem:
        raise AdapterError(f"{hook} returned a wrong shape: {_problem(problem, 'chunk')}") from None
    except TypeError:
        raise AdapterError(f"{hook} returned {_shown(value)}; expected a list of chunks") from None
    return chunks


def _answer(value: Any) -> Answer:
    if isinstance(value, str):
        return Answer(value)
    if value is None:
        raise AdapterError("answer returned None; expected a text, a dict with 'answer_text', or an Answer")
    try:
        checked: Answer = _ANSWER.validate_python(value)
    except ValidationError as problem:
        raise AdapterError(f"answer returned a wrong shape: {_problem(problem, 'answer')}") from None
    return checked


def _problem(problem: ValidationError, what: str) -> str:
    first = problem.errors()[0]
    path = ".".join(str(part) for part in first["loc"]) or what
    more = problem.error_count() - 1
    tail = f" (and {more} more)" if more else ""
    return f"{path}: {first['msg'][:1].lower()}{first['msg'][1:]}, found {_shown(first['input'])}{tail}"


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"
