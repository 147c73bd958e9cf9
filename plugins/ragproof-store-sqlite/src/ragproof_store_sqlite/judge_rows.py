"""Judge replies kept for other runs, and calibrations."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from ragproof_core.models.run import CacheEntry, Calibration
from ragproof_store_sqlite import json_column
from ragproof_store_sqlite.exact_text import storable, storable_row, stored_text
from ragproof_store_sqlite.inserting import insert

_KEYS_AT_ONCE = 500  # SQLite before 3.32 takes at most 999 parameters


def cached_replies(connection: sqlite3.Connection, keys: Sequence[str]) -> dict[str, str]:
    """Return the replies stored under these keys."""
    replies: dict[str, str] = {}
    for start in range(0, len(keys), _KEYS_AT_ONCE):
        some = [storable(key) for key in keys[start : start + _KEYS_AT_ONCE]]
        select = f"SELECT key, reply FROM judge_cache WHERE key IN ({','.join('?' * len(some))})"  # noqa: S608 (only marks)
        replies |= {stored_text(key): stored_text(reply) for key, reply in connection.execute(select, some)}
    return replies


def store_replies(connection: sqlite3.Connection, entries: Sequence[CacheEntry]) -> None:
    """Insert or replace the entries."""
    rows = [(e.key, e.reply, e.judge, e.prompt, e.created_at) for e in entries]
    insert(connection, "INSERT OR REPLACE INTO judge_cache", rows)


def store_calibration(connection: sqlite3.Connection, calibration: Calibration) -> None:
    """Add the calibration."""
    row = (calibration.created_at, json_column.dump(calibration.judge), json_column.dump(calibration.prompts))
    connection.execute("INSERT INTO calibrations (created_at, judge, prompts) VALUES (?, ?, ?)", storable_row(row))


def read_calibrations(connection: sqlite3.Connection) -> list[Calibration]:
    """Return all calibrations, newest first."""
    select = "SELECT judge, created_at, prompts FROM calibrations ORDER BY created_at DESC, calibration_no DESC"
    return [
        Calibration(json_column.load(judge), stored_text(created_at), tuple(json_column.load(prompts)))
        for judge, created_at, prompts in connection.execute(select)
    ]
