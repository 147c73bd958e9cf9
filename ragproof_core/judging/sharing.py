"""Equal requests are one call: while it is in flight, and afterwards from memory."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable

from ragproof_core.judging.steps import Future, Steps, Wait, uncancellable
from ragproof_core.judging.verdict import Verdict

_REMEMBERED = 4096


class Sharing:
    """Verdicts by key. The last 4096 usable ones are remembered; failures are shared only while in flight."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._in_flight: dict[str, Future] = {}
        self._done: OrderedDict[str, Verdict] = OrderedDict()

    def ask(self, key: str, find: Callable[[], Steps[Verdict]], on_shared: Callable[[], None]) -> Steps[Verdict]:
        """Return the verdict for the key; ``find`` is run by one asker while the others wait for it.

        When that asker is cancelled, another takes its place.
        """
        while True:
            with self._lock:
                remembered = self._done.get(key)
                if remembered is not None:
                    self._done.move_to_end(key)
                    on_shared()
                    return remembered
                theirs = self._in_flight.get(key)
                if theirs is None:
                    ours = self._in_flight[key] = uncancellable()
            if theirs is None:
                return (yield from self._lead(key, ours, find))
            verdict: Verdict | None = yield Wait(theirs)
            if verdict is not None:
                on_shared()
                return verdict

    def _lead(self, key: str, ours: Future, find: Callable[[], Steps[Verdict]]) -> Steps[Verdict]:
        verdict: Verdict | None = None
        try:
            verdict = yield from find()
            return verdict
        finally:
            with self._lock:
                del self._in_flight[key]
                if verdict is not None and verdict.reply is not None:
                    self._done[key] = verdict
                    if len(self._done) > _REMEMBERED:
                        self._done.popitem(last=False)
            ours.set_result(verdict)
