"""Many rows in few statements.

Python lets go of its interpreter lock for every statement, and other threads then take turns with this one: a
statement a row would be a switch of threads a row.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

from ragproof_store_sqlite.exact_text import storable

_LARGEST = 64  # powers of two up to here: any number of rows takes few statements, all of them prepared once


def insert(connection: sqlite3.Connection, into: str, rows: Sequence[tuple[Any, ...]]) -> int:
    """Run ``into`` (``INSERT … INTO table``) with the rows as its values; returns how many were added."""
    added = start = 0
    while start < len(rows):
        size = min(_LARGEST, 1 << (len(rows) - start).bit_length() - 1)
        some = rows[start : start + size]
        places = f"({', '.join('?' * len(some[0]))})"
        values = [value for row in some for value in row]
        added += _execute(connection, f"{into} VALUES {', '.join([places] * size)}", values)
        start += size
    return added


def _execute(connection: sqlite3.Connection, statement: str, values: list[Any]) -> int:
    try:
        return connection.execute(statement, values).rowcount
    except UnicodeEncodeError:  # a lone surrogate somewhere
        return connection.execute(statement, [storable(value) for value in values]).rowcount
