"""Threads for work that must not block its caller. All are daemons: a call that never returns keeps nothing alive."""

from __future__ import annotations

import concurrent.futures
import queue
import threading
from collections.abc import Callable
from typing import Any

from ragproof_core.judging.steps import Future

_Job = tuple[Future, Callable[[], Any]]


class Workers:
    """A pool that starts a thread whenever none is idle; whoever uses it bounds how many that can be."""

    def __init__(self) -> None:
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._idle = 0
        self._threads = 0

    def submit(self, call: Callable[[], Any]) -> Future:
        """Run the call in a thread of the pool."""
        future: Future = concurrent.futures.Future()
        with self._lock:
            start = self._idle == 0
            if start:
                self._threads += 1
            else:
                self._idle -= 1
        if start:
            threading.Thread(target=self._serve, name="ragproof-judge", daemon=True).start()
        self._jobs.put((future, call))
        return future

    def close(self) -> None:
        """Let every thread end once it is idle."""
        with self._lock:
            for _ in range(self._threads):
                self._jobs.put(None)

    def _serve(self) -> None:
        while (job := self._jobs.get()) is not None:
            future, call = job
            if future.set_running_or_notify_cancel():
                try:
                    result = call()
                except BaseException as error:
                    future.set_exception(error)
                else:
                    future.set_result(result)
            del job, future, call
            with self._lock:
                self._idle += 1
