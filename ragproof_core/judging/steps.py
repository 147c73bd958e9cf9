"""One description of an ask for threads and event loops alike.

An ask is a generator of steps: something to wait for, or work that may block. :func:`drive` performs them in the
calling thread, :func:`drive_async` from an event loop without blocking it.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

T = TypeVar("T")
Future: TypeAlias = concurrent.futures.Future[Any]


@dataclass(frozen=True, slots=True)
class Wait:
    """Wait for a future, at most ``timeout`` seconds."""

    future: Future
    timeout: float | None = None


@dataclass(frozen=True, slots=True)
class Work:
    """Call something that may block."""

    call: Callable[[], Any]


Steps: TypeAlias = Generator[Wait | Work, Any, T]
Offload: TypeAlias = Callable[[Callable[[], Any]], Future]


def uncancellable() -> Future:
    """Return a future that one waiter's cancellation does not take away from the others."""
    future: Future = concurrent.futures.Future()
    future.set_running_or_notify_cancel()
    return future


def drive(steps: Steps[T]) -> T:
    """Perform the steps in this thread."""
    result: Any = None
    failure: BaseException | None = None
    while True:
        try:
            step = steps.send(result) if failure is None else steps.throw(failure)
        except StopIteration as done:
            return done.value  # type: ignore[no-any-return]
        finally:
            result = failure = None
        try:
            result = step.call() if isinstance(step, Work) else step.future.result(step.timeout)
        except BaseException as error:
            failure = error


async def drive_async(steps: Steps[T], offload: Offload) -> T:
    """Perform the steps from an event loop; ``offload`` runs blocking work in another thread."""
    result: Any = None
    failure: BaseException | None = None
    while True:
        try:
            step = steps.send(result) if failure is None else steps.throw(failure)
        except StopIteration as done:
            return done.value  # type: ignore[no-any-return]
        finally:
            result = failure = None
        try:
            result = await _performed(step, offload)
        except BaseException as error:
            failure = error


async def _performed(step: Wait | Work, offload: Offload) -> Any:
    if isinstance(step, Work):
        return await asyncio.wrap_future(offload(step.call))
    if step.future.done():
        return step.future.result()
    try:
        return await asyncio.wait_for(asyncio.wrap_future(step.future), step.timeout)
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if step.future.cancelled() and not (task and task.cancelling()):
            # The call was cancelled where it ran, not this task.
            raise concurrent.futures.CancelledError from None
        raise
