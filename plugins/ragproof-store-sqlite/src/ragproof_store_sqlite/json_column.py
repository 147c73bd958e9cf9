"""JSON columns: written fast, read back exactly.

What JSON cannot say: NaN becomes null, an infinity 9e999 (which JSON readers, SQLite's too, take for an infinity), a
tuple an array, a key that is no string its string, and an object without a JSON form its ``str()``. Nesting deeper than
200 levels is cut off.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence, Set as AbstractSet
from typing import Any

from pydantic_core import PydanticSerializationError, to_json

from ragproof_store_sqlite.exact_text import stored_text

_DEEPEST = 200
_quoted = json.JSONEncoder(ensure_ascii=False).encode


def dump(value: Any) -> str:
    """Return the value as compact JSON; the string may hold lone surrogates where the value does."""
    try:
        text = to_json(value).decode()
    except (PydanticSerializationError, ValueError, RecursionError):
        return _dump_any(value, 0)
    if "NaN" in text or "Infinity" in text:  # as a literal, or only inside a string
        return _dump_any(value, 0)
    return text


def load(column: Any) -> Any:
    """Return the value of a JSON column; NULL gives ``None``."""
    return None if column is None else json.loads(stored_text(column))


def _dump_any(value: Any, depth: int) -> str:
    if value is None or isinstance(value, (bool, int, float)):
        return _dump_number(value)
    if isinstance(value, str):
        return _quoted(str(value))
    if depth >= _DEEPEST:
        return '"…"'
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{_quoted(_key(k))}:{_dump_any(v, depth + 1)}" for k, v in value.items()) + "}"
    if isinstance(value, (Sequence, AbstractSet)) and not isinstance(value, (bytes, bytearray, memoryview)):
        return "[" + ",".join(_dump_any(item, depth + 1) for item in value) + "]"
    return _other(value)


def _dump_number(value: float | None) -> str:
    if isinstance(value, float):
        return number(value)
    return json.dumps(value)


def _key(key: Any) -> str:
    return key if type(key) is str else str(key)


def _other(value: Any) -> str:
    try:
        return json.dumps(json.loads(to_json(value)), ensure_ascii=False)  # a date, say, as in the fast path
    except (PydanticSerializationError, ValueError, RecursionError):
        return _quoted(str(value))


def number(value: float) -> str:
    """Return a float as JSON that reads back to the same bits (NaN: null, infinities: ±9e999)."""
    if math.isfinite(value):
        return float.__repr__(value)
    return "null" if math.isnan(value) else ("9e999" if value > 0 else "-9e999")
