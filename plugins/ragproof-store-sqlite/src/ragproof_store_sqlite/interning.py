"""Values that repeat from case to case, written once: chunk texts, skip reasons, lists of metrics.

Each memory maps a value to what stands for it in a row. It is bounded, and forgotten whenever a transaction fails,
since the numbers in it may have been rolled back. Not thread-safe: used under the lock of the write.
"""

from __future__ import annotations

import hashlib
import math
import sqlite3
from collections.abc import Iterable, Mapping

from ragproof_core.models.outcome import Outcome, Scores
from ragproof_store_sqlite import json_column
from ragproof_store_sqlite.exact_text import storable, utf8

_TEXTS_CHARACTERS = 8 * 2**20
_OUTCOMES = 8192
_LAYOUTS = 1024
_SHARED_OUTCOMES = 1024
_SHAPES = 256
_NUMBERS = 4096
_LONGEST_REASON = 300


def _number(connection: sqlite3.Connection, insert: str, select: str, key: tuple[object, ...]) -> int:
    """Return the number of a row that exists once: insert it, or find the one that is there."""
    added = connection.execute(insert, key)
    if added.rowcount == 1 and added.lastrowid is not None:
        return added.lastrowid
    return int(connection.execute(select, key).fetchone()[0])


class TextNumbers(dict[str, int]):
    """Chunk text to ``texts.text_no``."""

    def __init__(self) -> None:
        self.connection: sqlite3.Connection | None = None
        self._characters = 0

    def __missing__(self, text: str) -> int:
        number = self._find_or_add(int.from_bytes(hashlib.sha256(utf8(text)).digest()[:8], signed=True), storable(text))
        self._characters += len(text)
        if self._characters > _TEXTS_CHARACTERS:
            self.forget()
            self._characters = len(text)
        self[text] = number
        return number

    def _find_or_add(self, digest: int, text: str | bytes) -> int:
        assert self.connection is not None
        found = self.connection.execute("SELECT text_no FROM texts WHERE digest = ? AND text = ?", (digest, text))
        row = found.fetchone()
        if row is None:  # and so it stays: this transaction holds the write lock
            added = self.connection.execute("INSERT INTO texts (digest, text) VALUES (?, ?)", (digest, text))
            row = (added.lastrowid,)
        return int(row[0])

    def forget(self) -> None:
        """Start over."""
        self.clear()
        self._characters = 0


class OutcomeTexts(dict[Outcome, str]):
    """An outcome as an item of the JSON array ``results.scores``.

    A value without a note is the number; a short reason that many cases share is the string ``"outcome_no"``; all else
    is ``[status, value, reason]``. Values are stored as floats, and -0.0 as 0.0.
    """

    def __init__(self) -> None:
        self.connection: sqlite3.Connection | None = None
        self._shared: dict[Outcome, str] = {}
        self._numbers: dict[float | None, str] = {}
        self._shapes: dict[int, tuple[Mapping[str, Outcome], str]] = {}

    def __missing__(self, outcome: Outcome) -> str:
        status, value, reason = outcome
        if reason is None and status == "scored" and value is not None and math.isfinite(value):
            text = float.__repr__(value + 0.0)
            if len(self._numbers) < _NUMBERS:
                self._numbers[value] = text
            return text
        text = self._with_reason(status, value, reason)
        if reason is None or len(reason) <= _LONGEST_REASON:
            self._remember(outcome, text)
        return text

    def _remember(self, outcome: Outcome, text: str) -> None:
        if text[0] == '"':
            self._shared[outcome] = text
        if len(self) >= _OUTCOMES:
            self.clear()
            self.update(self._shared)
        self[outcome] = text

    def _with_reason(self, status: str, value: float | None, reason: str | None) -> str:
        shareable = status in {"skipped", "not_applicable"} and value is None
        if shareable and reason is not None and len(reason) <= _LONGEST_REASON and len(self._shared) < _SHARED_OUTCOMES:
            return f'"{self._outcome_number(status, reason)}"'
        return json_column.dump([status, None if value is None else float(value), reason])

    def _outcome_number(self, status: str, reason: str) -> int:
        assert self.connection is not None
        return _number(
            self.connection,
            "INSERT OR IGNORE INTO outcomes (status, reason) VALUES (?, ?)",
            "SELECT outcome_no FROM outcomes WHERE status = ? AND reason = ?",
            (status, storable(reason)),
        )

    def array(self, scores: Mapping[str, Outcome]) -> str:
        """Return the JSON array of a case's outcomes, in their order."""
        if not isinstance(scores, Scores):
            return f"[{self._items(scores.items())}]"
        begin, own = self._shape(scores.shared), self._items(scores.own())
        return f"[{begin},{own}]" if begin and own else f"[{begin}{own}]"

    def _items(self, outcomes: Iterable[tuple[str, Outcome]]) -> str:
        texts = []
        for _, outcome in outcomes:
            status, value, reason = outcome
            known = self._numbers.get(value) if reason is None and status == "scored" else None
            texts.append(known or self[outcome])
        return ",".join(texts)

    def _shape(self, shared: Mapping[str, Outcome]) -> str:
        known = self._shapes.get(id(shared))
        if known is None:
            if len(self._shapes) >= _SHAPES:
                self._shapes.clear()
            known = self._shapes[id(shared)] = (shared, self._items(shared.items()))  # with it: its id stays its own
        return known[1]

    def forget(self) -> None:
        """Start over."""
        self.clear()
        self._shared.clear()
        self._numbers.clear()
        self._shapes.clear()


class LayoutNumbers(dict[tuple[str, ...], int]):
    """The metrics of a case's scores, in order, to ``score_layouts.layout_no``."""

    def __init__(self) -> None:
        self.connection: sqlite3.Connection | None = None

    def __missing__(self, metrics: tuple[str, ...]) -> int:
        assert self.connection is not None
        if len(self) >= _LAYOUTS:
            self.clear()
        self[metrics] = number = _number(
            self.connection,
            "INSERT OR IGNORE INTO score_layouts (metrics) VALUES (?)",
            "SELECT layout_no FROM score_layouts WHERE metrics = ?",
            (storable(json_column.dump(metrics)),),
        )
        return number

    def forget(self) -> None:
        """Start over."""
        self.clear()
