"""One call is told to wait, and all calls to that endpoint wait."""

from __future__ import annotations

import hashlib
import random
import threading
import time
from collections.abc import Iterable
from weakref import WeakValueDictionary

LONGEST_SPREAD = 2.0
_SPREAD = 0.25


class SharedPause:
    """A moment before which nobody sends. Safe for threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._until = 0.0
        self._length = 0.0

    def extend(self, seconds: float) -> None:
        """Nobody sends for this many seconds from now; a pause that already lasts longer stays."""
        with self._lock:
            until = time.monotonic() + seconds
            if until > self._until:
                self._until, self._length = until, seconds

    def remaining(self) -> float:
        """Seconds to wait, 0 when there is no pause.

        Up to a quarter of the pause is added at random, so that those who waited do not all send at once.
        """
        with self._lock:
            left = self._until - time.monotonic()
            spread = min(LONGEST_SPREAD, _SPREAD * self._length)
        return left + random.uniform(0.0, spread) if left > 0 else 0.0  # noqa: S311 - jitter


_PAUSES: WeakValueDictionary[str, SharedPause] = WeakValueDictionary()
_PAUSES_LOCK = threading.Lock()


def shared_pause(origin: str, secrets: Iterable[str]) -> SharedPause:
    """The pause of all endpoints in this process with this origin and these credentials, while any of them lives."""
    key = hashlib.sha256("\0".join([origin, *sorted(secrets)]).encode()).hexdigest()
    with _PAUSES_LOCK:
        pause = _PAUSES.get(key)
        if pause is None:
            pause = _PAUSES[key] = SharedPause()
        return pause
