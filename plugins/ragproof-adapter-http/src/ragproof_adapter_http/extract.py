"""From a reply to the kernel's chunks and answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from ragproof_adapter_http.misfit import MisfitError
from ragproof_adapter_http.paths import select, select_items
from ragproof_adapter_http.settings import AnswerRequest, ChunkPaths
from ragproof_core import Answer, Chunk

Shape = TypeVar("Shape")

_CHUNK = TypeAdapter(Chunk)
_ANSWER = TypeAdapter(Answer)


def extract_chunks(paths: ChunkPaths, reply: Any) -> tuple[Chunk, ...]:
    """Return the chunks in the reply's order.

    Raises:
        MisfitError: the list is not there, a chunk has no id, or a path that the config sets matches in no chunk.
    """
    items = select_items(paths.path, reply, "chunks.path")
    shapes = [_chunk_shape(paths, item, f"chunks[{number}]") for number, item in enumerate(items)]
    for field in ("text", "score", "document_id", "metadata"):
        path = getattr(paths, field)
        is_set = path is not None and field in paths.model_fields_set
        if items and is_set and not any(select(path, item) for item in items):
            raise MisfitError(f"`chunks.{field}` {path} was found in no chunk; the first is", items[0])
    return tuple(
        _validated(_CHUNK, f"chunks[{number}]", shape, item)
        for number, (shape, item) in enumerate(zip(shapes, items, strict=True))
    )


def extract_text(request: AnswerRequest, reply: Any) -> str:
    """Return the answer; several texts are joined.

    Raises:
        MisfitError: the path matches nothing, or something that is not a text.
    """
    texts = [each for each in select(request.text, reply) if each is not None or request.stream is None]
    if not texts:
        raise MisfitError(f"`text` {request.text} was not found", reply)
    for text in texts:
        if not isinstance(text, str):
            raise MisfitError(f"`text` {request.text} is not a text", text)
    return "".join(texts)


def extract_answer(request: AnswerRequest, reply: Any, timings_ms: Mapping[str, float]) -> Answer:
    """Return the answer with all parts that the config names; parts that the reply does not have are left out."""
    usage = {name: _last(path, reply) for name, path in request.usage if path is not None}
    shape = {
        "answer_text": extract_text(request, reply),
        "citations": _flat(select(request.citations, reply)) if request.citations else (),
        "retrieved_chunks": extract_chunks(request.chunks, reply) if request.chunks else None,
        "usage": usage if any(value is not None for value in usage.values()) else None,
        "timings_ms": {**_found(request.timings_ms, reply), **timings_ms},
        "trace": _found(request.trace, reply),
    }
    return _validated(_ANSWER, "answer", shape, reply)


def _chunk_shape(paths: ChunkPaths, item: Any, where: str) -> dict[str, Any]:
    identifier = _last(paths.id, item)
    if identifier is None:
        raise MisfitError(f"{where} has no id at `chunks.id` {paths.id}", item)
    metadata = _last(paths.metadata, item) if paths.metadata else None
    text = _last(paths.text, item)
    shape = {"id": identifier, "text": "" if text is None else text, "score": _last(paths.score, item)}
    shape["metadata"] = dict(metadata) if isinstance(metadata, Mapping) else metadata or {}
    document = _last(paths.document_id, item) if paths.document_id else None
    if document is not None and isinstance(shape["metadata"], dict):
        shape["metadata"]["document_id"] = document
    return shape


def _last(path: str, document: Any) -> Any:
    found = select(path, document)
    return found[-1] if found else None


def _found(paths: Mapping[str, str], reply: Any) -> dict[str, Any]:
    found = {name: _last(path, reply) for name, path in paths.items()}
    return {name: value for name, value in found.items() if value is not None}


def _flat(values: list[Any]) -> list[Any]:
    return [each for value in values for each in (value if isinstance(value, list) else [value])]


def _validated(shape: TypeAdapter[Shape], where: str, value: Any, part: Any) -> Shape:
    try:
        return shape.validate_python(value)
    except ValidationError as error:
        detail = error.errors(include_url=False, include_context=False)[0]
        steps = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in detail["loc"])
        raise MisfitError(f"{where}{steps}: {detail['msg']}, in", part) from error
