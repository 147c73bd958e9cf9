"""Text in SQLite, character for character.

SQLite's TEXT is UTF-8, which has no lone surrogates. A string that holds one is stored as a BLOB instead: the same
UTF-8, with each surrogate as the three bytes that its code point would have (Python's ``surrogatepass``). Every other
string, with or without NUL, stays TEXT. So a value's type says how it is to be read, and nothing needs escaping.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def utf8(text: str) -> bytes:
    """Return the text's UTF-8, lone surrogates included."""
    return text.encode("utf-8", "surrogatepass")


def storable(value: Any) -> Any:
    """Return a column's value as SQLite can keep it: a string with a lone surrogate as bytes, all else as it is."""
    if not isinstance(value, str):
        return value
    try:
        value.encode()
    except UnicodeEncodeError:
        return utf8(value)
    return value


def storable_row(row: Iterable[Any]) -> tuple[Any, ...]:
    """Return a row of which every value can be stored."""
    return tuple(storable(value) for value in row)


def stored_text(value: Any) -> Any:
    """Return the string that ``storable`` was given; anything but bytes comes back as it is."""
    return value.decode("utf-8", "surrogatepass") if isinstance(value, bytes) else value
