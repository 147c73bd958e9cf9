"""How many workers are worth having: as many as wait, up to what was asked for.

Threads that only compute get in each other's way (one interpreter lock), threads that wait do not. A pipeline that
answers at once is run by one worker; one that waits, or takes its time, soon has them all.
"""

from __future__ import annotations

from time import monotonic, process_time

from ragproof_core.engine.workers import Pool

FIRST_LOOK_SECONDS = 0.005
BUSY = 0.75
"""Above this share of processor time in elapsed time, nobody was waiting."""
QUICK_SECONDS = 0.002
"""A case that takes longer may well compute outside the interpreter lock."""


class Growth:
    """Doubles a pool's workers whenever a look at it finds that they wait or take their time, up to ``most``."""

    def __init__(self, pool: Pool, most: int) -> None:
        self._pool = pool
        self._most = most
        self._at, self._spent, self._delivered = monotonic(), process_time(), 0

    @property
    def full(self) -> bool:
        """Whether there are as many workers as there may be."""
        return self._pool.size >= self._most

    def look(self, delivered: int) -> None:
        """Add workers if the stretch since the last look calls for it; ``delivered`` counts all results so far."""
        elapsed = monotonic() - self._at
        if self.full or elapsed < FIRST_LOOK_SECONDS:
            return
        waiting = process_time() - self._spent < BUSY * elapsed
        slow = (delivered - self._delivered) * QUICK_SECONDS < elapsed
        if waiting or slow:
            for _ in range(min(self._pool.size or 1, self._most - self._pool.size)):
                self._pool.add_worker(None)
        self._at, self._spent, self._delivered = monotonic(), process_time(), delivered
