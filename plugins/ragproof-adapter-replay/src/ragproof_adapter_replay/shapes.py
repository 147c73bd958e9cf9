"""From a row's values to the kernel's chunks and answer."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from ragproof_adapter_replay.problems import FieldError, excerpt
from ragproof_core import Answer, Chunk
from ragproof_core.reporting.numbers import counted

Shape = TypeVar("Shape")

_CHUNK = TypeAdapter(Chunk)
_ANSWER = TypeAdapter(Answer)
_ANSWER_FIELDS = ("citations", "usage", "timings_ms", "trace")


def content_id(text: str) -> str:
    """Return the id of a chunk that was recorded without one: the same text has the same id everywhere."""
    return "text:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def parse_chunks(field: str, items: object, identifiers: object = None) -> tuple[Chunk, ...] | None:
    """Return chunks from texts or objects, with their ids beside them or not; ``None`` when there are neither.

    Raises:
        FieldError: something is not a chunk, or the numbers of chunks and ids differ.
    """
    if items is None and identifiers is None:
        return None
    if items is None:
        return tuple(_chunk(f"{field}[{n}]", {"id": each}) for n, each in enumerate(_list(field, identifiers)))
    items = _list(field, items)
    if identifiers is None:
        return tuple(_chunk(f"{field}[{n}]", _identified(item)) for n, item in enumerate(items))
    if not isinstance(identifiers, list) or len(identifiers) != len(items):
        raise FieldError(f"{field} ids", f"expected a list of {counted(len(items), 'id')}, one for each chunk")
    pairs = zip(items, identifiers, strict=True)
    return tuple(_chunk(f"{field}[{n}]", {**_shape(item), "id": each}) for n, (item, each) in enumerate(pairs))


def parse_answer(values: Mapping[str, Any], spoken: str | None, context: tuple[Chunk, ...] | None) -> Answer | None:
    """Return the answer in ``values`` (a text or an object of an answer's shape), else ``spoken``, else ``None``.

    Raises:
        FieldError: the answer or a field that belongs to it does not fit.
    """
    answer = values.get("answer", spoken)
    if answer is None:
        return None
    shape = dict(answer) if isinstance(answer, Mapping) else {"answer_text": answer}
    for name in _ANSWER_FIELDS:
        if name in values:
            shape.setdefault(name, values[name])
    if "cost_usd" in values:
        usage = shape.get("usage") or {}
        if isinstance(usage, Mapping):
            shape["usage"] = {"cost_usd": values["cost_usd"], **usage}
    if context is not None:
        shape.setdefault("retrieved_chunks", context)
    return _validated(_ANSWER, "answer", shape)


def _list(field: str, value: object) -> list[Any]:
    if not isinstance(value, list):
        raise FieldError(field, f"expected a list, got {excerpt(value)}")
    return value


def _shape(item: object) -> dict[str, Any]:
    return dict(item) if isinstance(item, Mapping) else {"text": item}


def _identified(item: object) -> dict[str, Any]:
    return _shape(item) | ({"id": content_id(item)} if isinstance(item, str) else {})


def _chunk(field: str, shape: dict[str, Any]) -> Chunk:
    return _validated(_CHUNK, field, shape)


def _validated(shape: TypeAdapter[Shape], field: str, value: object) -> Shape:
    try:
        return shape.validate_python(value)
    except ValidationError as error:
        detail = error.errors(include_url=False, include_context=False)[0]
        steps = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in detail["loc"])
        got = "" if detail["type"] == "missing" else f", got {excerpt(detail['input'])}"
        raise FieldError(field + steps, f"{detail['msg']}{got}") from error
