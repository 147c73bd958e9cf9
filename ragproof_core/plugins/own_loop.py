"""An event loop of a component's own, for its ``async def`` hooks."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from typing import Any

from ragproof_core.plugins.loop_lost import LoopLostError

_LOOP_PATIENCE_SECONDS = 0.2


class OwnLoop:
    """An event loop in a daemon thread."""

    def __init__(self, who: str) -> None:
        self._loop = asyncio.new_event_loop()
        self._running: dict[asyncio.Task[Any], tuple[Future[Any], int]] = {}
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
        self._loop.call_soon_threadsafe(self._start, awaitable, future, threading.get_ident())
        return future.result()

    def _start(self, awaitable: Awaitable[Any], future: Future[Any], waiting_thread: int) -> None:
        task = self._loop.create_task(_settle(awaitable, future))
        self._running[task] = (future, waiting_thread)
        task.add_done_callback(lambda done: self._running.pop(done, None))

    def release_blocked(self) -> frozenset[int]:
        """If a call blocks the loop, give the loop up and release the calls that wait behind it.

        They raise :class:`LoopLostError` in their threads, whose identifiers are returned. The call to blame is the
        one that the loop is at when it no longer answers.
        """
        answered = threading.Event()
        with suppress(RuntimeError):  # it is closed: given up before
            self._loop.call_soon_threadsafe(answered.set)
        if answered.wait(_LOOP_PATIENCE_SECONDS):
            return frozenset()
        at = asyncio.current_task(self._loop)
        released = set()
        for task, (future, thread) in list(self._running.items()):
            if task is not at:
                with suppress(InvalidStateError):
                    future.set_exception(LoopLostError())
                    released.add(thread)
        self.stop()
        return frozenset(released)

    def stop(self) -> None:
        """End the loop; what still runs on it is abandoned."""
        with suppress(RuntimeError):  # stopped before, and closed by now
            self._loop.call_soon_threadsafe(self._loop.stop)


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
