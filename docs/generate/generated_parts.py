"""Filling the marked parts of a page, and writing tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

_PART = re.compile(r"(<!-- generated: (?P<name>[^ ]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def fill(text: str, parts: Mapping[str, str], page: str) -> str:
    """Return the page with every part put in. Raises ``SystemExit`` when the page and the parts differ in names."""
    names = [found["name"] for found in _PART.finditer(text)]
    if sorted(names) != sorted(parts):
        raise SystemExit(f"{page}: has the parts {sorted(names)}; expected {sorted(parts)}, each once")
    return _PART.sub(lambda found: f"{found[1]}{parts[found['name']].strip()}\n{found[3]}", text)


def table(headers: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [_row(headers), "|" + "---|" * len(headers), *(_row([_cell(cell) for cell in row]) for row in rows)]
    return "\n".join(lines)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())
