"""An event loop of a component's own, for its ``async def`` hooks."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Awaitable
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from contextvars import ContextVar
from typing import Any
from weakref import WeakKeyDictionary

from ragproof_core.plugins.loop_lost import LoopLostError

_LOOP_PATIENCE_SECONDS = 0.2
_CALL: ContextVar[Future[Any] | None] = ContextVar("the call that a task belongs to", default=None)


class OwnLoop:
    """An event loop in a daemon thread."""

    def __init__(self, who: str) -> None:
        self._loop = asyncio.new_event_loop()
        self._loop.set_task_factory(self._make_task)
        self._calls: WeakKeyDictionary[asyncio.Task[Any], Future[Any]] = WeakKeyDictionary()
        self._waiting: dict[Future[Any], int] = {}
        self._lock = threading.Lock()
        self._lost = False
        self._thread = threading.Thread(target=self._serve, name=f"{who} loop", daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
        finally:
            self._loop.close()

    def run(self, awaitable: Awaitable[Any]) -> Any:
        """Run the awaitable on the loop and wait for its result in the calling thread.

        Raises :class:`LoopLostError` when another call blocks the loop and it is given up.
        """
        future: Future[Any] = Future()
        with self._lock:
            if self._lost:
                _discard(awaitable)
                raise LoopLostError
            self._waiting[future] = threading.get_ident()
            self._loop.call_soon_threadsafe(self._start, awaitable, future)
        try:
            return future.result()
        finally:
            with self._lock:
                self._waiting.pop(future, None)

    def _start(self, awaitable: Awaitable[Any], future: Future[Any]) -> None:
        if future.done():  # it was released while the loop was blocked
            _discard(awaitable)
            return
        _CALL.set(future)
        self._loop.create_task(_settle(awaitable, future))

    def _make_task(self, loop: asyncio.AbstractEventLoop, work: Any, **options: Any) -> asyncio.Task[Any]:
        task = asyncio.Task(work, loop=loop, **options)
        call = _CALL.get()
        if call is not None:
            self._calls[task] = call
        return task

    def release_blocked(self) -> frozenset[int]:
        """If a call blocks the loop, give the loop up and release the calls that wait behind it.

        They raise :class:`LoopLostError` in their threads, whose identifiers are returned. The call to blame is the
        one that the loop is at, in a task of its own or one that it started, when the loop no longer answers; when
        none is to be found, nobody is released, or the one to blame would block the next loop too.
        """
        answered = threading.Event()
        with suppress(RuntimeError):  # it is closed: given up before
            self._loop.call_soon_threadsafe(answered.set)
        if answered.wait(_LOOP_PATIENCE_SECONDS):
            return frozenset()
        at = asyncio.current_task(self._loop)
        to_blame = None if at is None else self._calls.get(at)
        released = set()
        with self._lock:
            self._lost = True
            for future, thread in self._waiting.items():
                if to_blame is not None and future is not to_blame:
                    with suppress(InvalidStateError):
                        future.set_exception(LoopLostError())
                        released.add(thread)
        self.stop()
        return frozenset(released)

    def stop(self) -> None:
        """End the loop; what still runs on it is abandoned."""
        with suppress(RuntimeError):  # stopped before, and closed by now
            self._loop.call_soon_threadsafe(self._loop.stop)


def _discard(awaitable: Awaitable[Any]) -> None:
    """Close a coroutine that is not going to be awaited."""
    if inspect.iscoroutine(awaitable):
        awaitable.close()


async def _settle(awaitable: Awaitable[Any], future: Future[Any]) -> None:
    try:
        result = await awaitable
    except BaseException as problem:  # handed to the thread that waits
        outcome: tuple[Any, BaseException | None] = (None, problem)
    else:
        outcome = (result, None)
    with suppress(InvalidStateError):
        if outcome[1] is None:
            future.set_result(outcome[0])
        else:
            future.set_exception(outcome[1])
