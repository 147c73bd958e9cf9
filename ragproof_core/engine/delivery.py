"""Finished results on their way to whoever keeps them: in batches, one batch at a time.

The worker that completes a batch hands it over itself. A thread of its own for that would take every result to the
other processor, and pile results up where it cannot keep pace.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from time import monotonic

from ragproof_core.models.run import CaseResult

BATCH = 100
MOST_WAITING = 400
_FLUSH_SECONDS = 0.2


class Delivery:
    """Collects results and passes them to ``accept``, which returns once they are safe; any thread may call it.

    What ``accept`` raises passes through, and nothing more is handed over. A batch that Ctrl-C fell into is handed over
    a second time, so that ``accept`` may see a result twice.
    """

    def __init__(self, accept: Callable[[Sequence[CaseResult]], None], expected: int) -> None:
        self.expected = expected
        self.accepted = 0
        self._accept = accept
        self._open = True
        self._waiting: deque[CaseResult] = deque()
        self._in_hand = 0
        self._turn = threading.Lock()
        self._flushed_at = monotonic()

    @property
    def delivered(self) -> int:
        """How many results came in; while a batch is taken up or put down, up to that many more."""
        return self.accepted + self._in_hand + len(self._waiting)

    @property
    def complete(self) -> bool:
        """Whether every expected result has been accepted."""
        return self.accepted >= self.expected

    @property
    def all_delivered(self) -> bool:
        """Whether no result is missing any more, accepted or not."""
        return self.delivered >= self.expected

    @property
    def due(self) -> bool:
        """Whether something has waited long enough, or is the last there will be."""
        late = monotonic() - self._flushed_at >= _FLUSH_SECONDS
        return bool(self._waiting) and (late or self.all_delivered)

    @property
    def busy(self) -> bool:
        """Whether a batch is being handed over."""
        return self._turn.locked()

    def put(self, result: CaseResult) -> None:
        """Take a result; hands a full batch over unless another thread is at it, and waits when too many pile up."""
        self._waiting.append(result)
        waiting = len(self._waiting)
        if waiting >= BATCH and self._turn.acquire(blocking=waiting >= MOST_WAITING):
            try:
                self._hand_over()
            finally:
                self._turn.release()

    def flush(self) -> None:
        """Hand over all that is there."""
        with self._turn:
            self._hand_over()

    def close(self) -> None:
        """Hand over all that is there; what comes later is dropped."""
        with self._turn:
            self._hand_over()
            self._open = False

    def _hand_over(self) -> None:
        if not self._open:
            return
        self._in_hand = len(self._waiting)
        batch = [self._waiting.popleft() for _ in range(self._in_hand)]
        if not batch:
            return
        try:
            self._accept(batch)
        except Exception:
            self._open = False
            raise
        except BaseException:  # Ctrl-C, in the middle: to be handed over again
            self._waiting.extendleft(reversed(batch))
            raise
        else:
            self.accepted += len(batch)
        finally:
            self._in_hand = 0
            self._flushed_at = monotonic()
