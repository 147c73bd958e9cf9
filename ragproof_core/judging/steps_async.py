"""Performing the steps of an ask from an event loop; apart, since few runs need asyncio, which is slow to import."""

from __future__ import annotations

import asyncio
import concurrent.futures
from typing import Any

from ragproof_core.judging.steps import Offload, Steps, T, Wait, Work


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
