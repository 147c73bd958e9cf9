"""Calling the judge component, whichever way its hook is written."""

from __future__ import annotations

import concurrent.futures
import inspect
import threading
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from ragproof_core.errors import JudgeError
from ragproof_core.judging.background import Workers
from ragproof_core.judging.steps import Future, Steps, Wait, Work
from ragproof_core.models.judging import JudgeReply, JudgeRequest

if TYPE_CHECKING:
    from ragproof_core.judging.loop_thread import LoopThread

Complete: TypeAlias = Callable[
    [JudgeRequest], "JudgeReply | Awaitable[JudgeReply] | concurrent.futures.Future[JudgeReply]"
]


class JudgeCalls:
    """Calls ``complete`` as it needs to be called.

    ``asynchronous`` says that it returns at once: a ``concurrent.futures.Future`` of a call that runs elsewhere, or an
    awaitable, which is then awaited on a loop kept for that. ``None`` looks whether it is an ``async def``. A blocking
    one runs in the asking thread, or in a thread of ``workers`` when the asker is an event loop or a timeout is set,
    so that it can be given up.
    """

    def __init__(
        self, complete: Complete, *, asynchronous: bool | None, timeout: float | None, workers: Workers
    ) -> None:
        self._complete = complete
        self._asynchronous = inspect.iscoroutinefunction(complete) if asynchronous is None else asynchronous
        self._timeout = timeout
        self._workers = workers
        self._lock = threading.Lock()
        self._loop: LoopThread | None = None

    def send(self, request: JudgeRequest) -> Steps[JudgeReply]:
        """Return the raw reply; any exception of the component comes through, ``JudgeError`` after the timeout."""
        if self._asynchronous:
            future = self._started(request)
        elif self._timeout is not None:
            future = self._workers.submit(partial(self._complete, request))
        else:
            return _checked((yield Work(partial(self._complete, request))))
        try:
            return _checked((yield Wait(future, self._timeout)))
        except TimeoutError:
            if future.done() and not future.cancelled():
                raise
            raise JudgeError(f"no reply within {self._timeout:g} s") from None
        finally:
            future.cancel()

    def close(self) -> None:
        """Stop the loop that awaitables run on."""
        with self._lock:
            if self._loop is not None:
                self._loop.close()

    def _started(self, request: JudgeRequest) -> Future:
        started = self._complete(request)
        if isinstance(started, concurrent.futures.Future):
            return started
        if inspect.isawaitable(started):
            return self._running_loop().submit(started)
        finished: Future = concurrent.futures.Future()
        finished.set_result(started)
        return finished

    def _running_loop(self) -> LoopThread:
        from ragproof_core.judging.loop_thread import LoopThread  # asyncio is slow to import, and few judges need it

        with self._lock:
            if self._loop is None:
                self._loop = LoopThread()
            return self._loop


def _checked(reply: Any) -> JudgeReply:
    if not isinstance(reply, JudgeReply):
        raise JudgeError(f"complete() returned {type(reply).__name__}, expected a JudgeReply")
    if not isinstance(reply.text, str):
        raise JudgeError(f"complete() returned text of type {type(reply.text).__name__}, expected str")
    return reply
