"""An event loop in a thread of its own, for judges whose ``complete`` is an ``async def``."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable
from typing import Any

from ragproof_core.judging.steps import Future


class LoopThread:
    """An event loop in a thread of its own, started with the first awaitable."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None

    def submit(self, awaitable: Awaitable[Any]) -> Future:
        """Await it on the loop."""
        return asyncio.run_coroutine_threadsafe(_awaited(awaitable), self._running_loop())

    def close(self) -> None:
        """Stop the loop; what still runs on it is abandoned."""
        with self._lock:
            loop, self._loop = self._loop, None
        if loop is not None:
            loop.call_soon_threadsafe(loop.stop)

    def _running_loop(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                serve = threading.Thread(
                    target=_serve_loop, args=(self._loop,), name="ragproof-judge-loop", daemon=True
                )
                serve.start()
            return self._loop


async def _awaited(awaitable: Awaitable[Any]) -> Any:
    return await awaitable


def _serve_loop(loop: asyncio.AbstractEventLoop) -> None:
    try:
        loop.run_forever()
    finally:
        pending = asyncio.all_tasks(loop)
        for task in pending:
            task.cancel()
        if pending:
            loop.run_until_complete(asyncio.wait(pending, timeout=1))
        loop.close()
