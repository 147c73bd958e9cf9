"""JSON bodies out, and one line of plain text from whatever came back."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

_LONGEST_DETAIL = 400
_MASKED_KEY = re.compile(r"[^\s\"'`]*\*{3,}[^\s\"'`,.]*")
_HTML = re.compile(r"\s*<(!doctype html|html|head|body)\b", re.IGNORECASE)


def encoded(payload: Any) -> bytes:
    """UTF-8 JSON; half surrogate pairs, which no encoder of the other side takes, become U+FFFD.

    Raises ``ValueError`` for NaN and infinity and ``TypeError`` for what JSON does not have.
    """
    text = json.dumps(payload, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


def is_web_page(body: bytes, content_type: str) -> bool:
    """True for HTML, by its declared type or its first tag."""
    return "html" in content_type.lower() or _HTML.match(body[:200].decode("latin-1")) is not None


def one_line(text: str, limit: int = _LONGEST_DETAIL) -> str:
    """The text on one line, without control characters and masked keys, cut at ``limit`` characters."""
    plain = "".join(character if character.isprintable() else " " for character in text)
    plain = _MASKED_KEY.sub("[redacted]", " ".join(plain.split()))
    return plain if len(plain) <= limit else plain[: limit - 1] + "…"


def detail_of(data: Any) -> str:
    """What a JSON error body says, in the shapes in use: ``error``, ``message``, ``detail``, ``errors``."""
    if isinstance(data, str):
        return data
    if isinstance(data, Sequence):
        return "; ".join(filter(None, map(detail_of, data)))
    if not isinstance(data, Mapping):
        return ""
    text = next(filter(None, (detail_of(data.get(key)) for key in ("error", "message", "detail", "errors", "msg"))), "")
    return _with_place(text, data) if text else ""


def _with_place(text: str, data: Mapping[str, Any]) -> str:
    place = data.get("loc")
    if isinstance(place, Sequence) and not isinstance(place, str):
        return f"{'.'.join(map(str, place))}: {text}"
    metadata = data.get("metadata")
    upstream = metadata.get("raw") if isinstance(metadata, Mapping) else None
    return f"{text}: {upstream}" if isinstance(upstream, str) and upstream else text
