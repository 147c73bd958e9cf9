"""Placeholders in requests: ``{{question}}`` and the like, filled in as data, once.

A text that is nothing but a placeholder becomes the value itself (``"{{k}}"`` a number, ``"{{history}}"`` a list);
inside a longer text the value is written as text. What is filled in is never looked at again, so a question that
contains a placeholder stays as it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import quote

from ragproof_core import AdapterError

_PLACEHOLDER = re.compile(r"\{\{\s*([^{}]*?)\s*\}\}")


def placeholders(template: object) -> Iterator[str]:
    """Yield the names of all placeholders in a text or a JSON-like structure."""
    if isinstance(template, str):
        yield from _PLACEHOLDER.findall(template)
    elif isinstance(template, Mapping):
        for key, value in template.items():
            yield from placeholders(key)
            yield from placeholders(value)
    elif isinstance(template, list):
        for value in template:
            yield from placeholders(value)


def fill(template: Any, values: Mapping[str, Any]) -> Any:
    """Return the structure with its placeholders filled in; keys of objects are left alone.

    Raises:
        AdapterError: the case's metadata does not have what a placeholder asks for.
    """
    if isinstance(template, str):
        whole = _PLACEHOLDER.fullmatch(template)
        return _value(whole[1], values) if whole else fill_text(template, values)
    if isinstance(template, Mapping):
        return {key: fill(value, values) for key, value in template.items()}
    if isinstance(template, list):
        return [fill(value, values) for value in template]
    return template


def fill_text(template: str, values: Mapping[str, Any], encode: Callable[[str], str] = str) -> str:
    """Return the text with its placeholders filled in, each value passed through ``encode``."""
    return _PLACEHOLDER.sub(lambda found: encode(_as_text(_value(found[1], values))), template)


def fill_url(template: str, values: Mapping[str, Any]) -> str:
    """Return the address with its placeholders filled in, percent-encoded so that none can add to the path."""
    return fill_text(template, values, lambda text: quote(text, safe="", errors="replace"))


def _value(name: str, values: Mapping[str, Any]) -> Any:
    first, *rest = name.split(".")
    found = values[first]
    for step in rest:
        if not isinstance(found, Mapping) or step not in found:
            raise AdapterError(f"the case has no {name}, which the request template asks for")
        found = found[step]
    return found


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
