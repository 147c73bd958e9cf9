"""Replies that nobody gave, in the shape that a prompt asks for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ragproof_core import Prompt


def forged_reply(prompt: Prompt, variables: Mapping[str, Any], *, best: bool) -> str:
    """Return a JSON reply that fits the prompt's schema and says the best or the worst of everything.

    Verdict words are taken from the ends of their list (best first), lists of chunks get one entry a chunk.
    """
    schema = prompt.schema
    return json.dumps(_value(schema, schema.get("$defs", {}), _chunk_ids(variables), best), ensure_ascii=False)


def _value(schema: Mapping[str, Any], known: Mapping[str, Any], ids: list[str], best: bool) -> Any:  # noqa: FBT001
    if "$ref" in schema:
        return _value(known[str(schema["$ref"]).rpartition("/")[2]], known, ids, best)
    if "enum" in schema:
        return schema["enum"][0 if best else -1]
    kind = schema.get("type")
    if kind == "object":
        return {name: _value(part, known, ids, best) for name, part in schema.get("properties", {}).items()}
    if kind == "array":
        return _entries(_value(schema["items"], known, ids, best), ids)
    return {"boolean": best, "number": int(best), "integer": int(best)}.get(str(kind), "everything")


def _entries(entry: Any, ids: list[str]) -> list[Any]:
    if isinstance(entry, dict) and "chunk_id" in entry:
        return [{**entry, "chunk_id": chunk_id} for chunk_id in ids]
    return [entry]


def _chunk_ids(variables: Mapping[str, Any]) -> list[str]:
    lists = [value for value in variables.values() if isinstance(value, (list, tuple))]
    ids = [str(chunk["id"] if isinstance(chunk, Mapping) else chunk.id) for chunks in lists for chunk in chunks]
    return list(dict.fromkeys(ids))
