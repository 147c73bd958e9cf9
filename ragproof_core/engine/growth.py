"""How many workers are worth having: one, or as many as were asked for.

Threads that only compute get in each other's way (one interpreter lock), threads that wait do not. A pipeline that
answers at once is run by one worker; one that keeps waiting, or takes its time, soon has them all.
"""

from __future__ import annotations

from time import monotonic, process_time

from ragproof_core.engine.delivery import Delivery
from ragproof_core.engine.workers import Pool

LOOKS = 3
"""So many looks in a row must call for more workers: a processor taken away for a moment looks like waiting."""
SHORTEST_SECONDS = 0.005
LONGEST_SECONDS = 0.05
BUSY = 0.7
"""Above this share of processor time in elapsed time, nobody was waiting."""
QUICK_SECONDS = 0.002
"""A case that takes longer may well compute outside the interpreter lock."""
WARM_UP_SECONDS = 0.25
"""Until then cases may take their time all the same: much is loaded only when it is first used."""


class Growth:
    """Fills a pool up to ``most`` workers once it is seen to wait or to take its time."""

    def __init__(self, pool: Pool, most: int) -> None:
        self._pool = pool
        self._most = most
        self._calls = 0
        self._at, self._spent, self._done, self._stored = monotonic(), process_time(), 0, 0
        self._warm_at = self._at + WARM_UP_SECONDS
        self.next_look_seconds = SHORTEST_SECONDS

    def look(self, done: int, results: Delivery) -> None:
        """Add workers if the latest stretches call for it; ``done`` counts what the pool has done so far."""
        if self._pool.size >= self._most:
            self.next_look_seconds = LONGEST_SECONDS
            return
        at, spent = monotonic(), process_time()
        elapsed = at - self._at
        if elapsed < SHORTEST_SECONDS:
            return
        waiting = spent - self._spent < BUSY * elapsed
        slow = self._at > self._warm_at and (done - self._done) * QUICK_SECONDS < elapsed
        storing = results.busy or results.accepted != self._stored  # what waited was the disk
        self._at, self._spent, self._done, self._stored = at, spent, done, results.accepted
        if not storing:
            self._decide(calls=waiting or slow)

    def _decide(self, *, calls: bool) -> None:
        if not calls:
            self._calls = 0
            self.next_look_seconds = min(2 * self.next_look_seconds, LONGEST_SECONDS)
            return
        self._calls += 1
        self.next_look_seconds = SHORTEST_SECONDS
        if self._calls >= LOOKS:
            for _ in range(self._most - self._pool.size):
                self._pool.add_worker(None)
