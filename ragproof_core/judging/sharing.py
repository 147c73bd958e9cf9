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
        self._in_flight: dict[str, list[Future]] = {}
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
                followers = self._in_flight.get(key)
                if followers is None:
                    self._in_flight[key] = []
                else:
                    turn = uncancellable()
                    followers.append(turn)
            if followers is None:
                return (yield from self._lead(key, find))
            verdict: Verdict | None = yield Wait(turn)
            if verdict is not None:
                on_shared()
                return verdict

    def _lead(self, key: str, find: Callable[[], Steps[Verdict]]) -> Steps[Verdict]:
        verdict: Verdict | None = None
        try:
            verdict = yield from find()
            return verdict
        finally:
            with self._lock:
                followers = self._in_flight.pop(key)
                if verdict is not None and verdict.reply is not None:
                    self._done[key] = verdict
                    if len(self._done) > _REMEMBERED:
                        self._done.popitem(last=False)
            for turn in followers:
                turn.set_result(verdict)
