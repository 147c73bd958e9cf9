"""A judge's raw reply as claims and verdicts; what cannot be read that way is shown word for word."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ragproof_core.judging.json_objects import SearchLimitError, find_objects

_HEAD = re.compile(r"^--- (?P<prompt>.*), reply \d+ of \d+(?P<unusable> \(not usable\))? ---$", re.MULTILINE)
_LONGEST = 200_000


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing the judge said: a claim (or chunk, statement) and its verdict, or a verdict on the whole.

    ``good`` is the verdict where it is yes or no, else ``None``; ``label`` is what was judged (``supported``).
    """

    text: str
    label: str
    good: bool | None


def findings(raw: str) -> list[Finding] | None:
    """Return what the judge said, or ``None`` when the reply does not read as one list of verdicts.

    Of several replies, those headed "not usable" are passed over.
    """
    if len(raw) > _LONGEST:
        return None
    found: list[Finding] = []
    for reply in _usable(raw):
        read = _read(reply)
        if read is None:
            return None
        found += read
    return found


def _usable(raw: str) -> Iterator[str]:
    heads = list(_HEAD.finditer(raw))
    if not heads or heads[0].start():
        yield raw
        return
    ends = [*(head.start() for head in heads[1:]), len(raw)]
    for head, end in zip(heads, ends, strict=True):
        if not head["unusable"]:
            yield raw[head.end() : end]


def _read(reply: str) -> list[Finding] | None:
    """The findings of the one object that has any; ``None`` for none or several different ones."""
    distinct: list[list[Finding]] = []
    try:
        for candidate in find_objects(reply):
            try:
                read = _from_object(json.loads(candidate.json))
            except (ValueError, RecursionError):
                continue
            if read is not None and read not in distinct:
                distinct.append(read)
    except SearchLimitError:
        return None
    return distinct[0] if len(distinct) == 1 else None


def _from_object(value: dict[str, Any]) -> list[Finding] | None:
    found: list[Finding] = []
    known = False
    for key, part in value.items():
        if isinstance(part, bool):
            found.append(Finding("", key, part))
            known = True
        elif isinstance(part, list) and (items := _items(part)) is not None:
            found += items
            known = True
        elif isinstance(part, str) and key == "verdict":
            found.append(Finding(part, key, None))
            known = True
    return found if known else None


def _items(entries: list[Any]) -> list[Finding] | None:
    items = []
    for entry in entries:
        if not isinstance(entry, dict):
            return None
        text = next((part for part in entry.values() if isinstance(part, str)), None)
        verdict = next(((key, part) for key, part in entry.items() if isinstance(part, bool)), None)
        if text is None or verdict is None:
            return None
        items.append(Finding(text, *verdict))
    return items
