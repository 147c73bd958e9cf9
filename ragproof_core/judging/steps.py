"""One description of an ask for threads and event loops alike.

An ask is a generator of steps: something to wait for, or work that may block. :func:`drive` performs them in the
calling thread, :func:`~.steps_async.drive_async` from an event loop without blocking it.
"""

from __future__ import annotations

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
