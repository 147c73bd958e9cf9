"""The store's reply cache as a run uses it: read before a call, written in batches, never a reason to fail."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Protocol

from ragproof_core.judging.steps import Steps, Work
from ragproof_core.models.run import CacheEntry

_BATCH = 64
_LONGEST_SECONDS = 1.0


class CacheStore(Protocol):
    """The part of a store that keeps judge replies; called from any thread."""

    def cache_get(self, keys: Sequence[str]) -> Mapping[str, str] | None:
        """Return the cached replies among these keys."""
        ...

    def cache_put(self, entries: Sequence[CacheEntry]) -> object:
        """Keep these replies."""
        ...


class ReplyCache:
    """Usable replies, kept for other runs. Without a store it keeps nothing.

    Entries are written once 64 are waiting or the oldest has waited a second, and by :meth:`flush`. A store that fails
    is noted once and not asked again: a verdict that was paid for is not lost with it.
    """

    def __init__(self, store: CacheStore | None, judge: str, note: Callable[[str], None]) -> None:
        self._store = store
        self._judge = judge
        self._note = note
        self._lock = threading.Lock()
        self._pending: list[CacheEntry] = []
        self._oldest = 0.0

    def read(self, key: str) -> Steps[str | None]:
        """Return the reply kept under this key."""
        if self._store is None:
            return None
        found: Mapping[str, str] | None = yield Work(partial(self._read, [key]))
        return found.get(key) if found else None

    def write(self, key: str, reply: str, prompt: str) -> Steps[None]:
        """Keep a usable reply."""
        if self._store is None:
            return
        entry = CacheEntry(key, reply, self._judge, prompt, datetime.now(UTC).isoformat(timespec="seconds"))
        with self._lock:
            if not self._pending:
                self._oldest = time.monotonic()
            self._pending.append(entry)
            due = len(self._pending) >= _BATCH or time.monotonic() - self._oldest >= _LONGEST_SECONDS
        if due:
            yield Work(self.flush)

    def flush(self) -> None:
        """Write what is waiting."""
        with self._lock:
            entries, self._pending = self._pending, []
        store = self._store
        if not entries or store is None:
            return
        try:
            store.cache_put(entries)
        except Exception as error:
            self._give_up("written", error)

    def _read(self, keys: Sequence[str]) -> Mapping[str, str] | None:
        store = self._store
        if store is None:
            return None
        try:
            return store.cache_get(keys)
        except Exception as error:
            self._give_up("read", error)
            return None

    def _give_up(self, what: str, error: Exception) -> None:
        self._store = None
        self._note(f"the judge reply cache could not be {what} and is off for this run: {error}")
