"""Text from elsewhere, made safe to print on a terminal."""

from __future__ import annotations

import re

_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_MOST_A_COLUMN = 4
"""Characters that one column is taken to hold at most: a letter with its accents."""


def printable(text: str) -> str:
    """Show control characters, direction marks and lone surrogates as escapes instead of sending them on."""
    return _UNSAFE.sub(lambda match: match.group().encode("unicode_escape").decode("ascii"), text)


def one_line(text: str, width: int = 80) -> str:
    """Fold the text to one line of at most ``width`` characters."""
    line = printable(" ".join(text.split()))
    return line if len(line) <= width else f"{line[: width - 1]}…"


def fitted(text: str, columns: int) -> str:
    """Fold the text to one line of at most so many columns of a terminal, where Chinese takes two a character."""
    from rich.cells import cell_len, set_cell_size

    line = one_line(text, _MOST_A_COLUMN * columns)
    return line if cell_len(line) <= columns else f"{set_cell_size(line, columns - 1).rstrip()}…"
