"""One call that is given up after a while."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

Result = TypeVar("Result")


class GivenUpError(Exception):
    """The call did not return in time."""


class OneCall(threading.Thread):
    """A daemon thread for one call that may be given up."""

    def __init__(self, call: Callable[[], object], future: Future[Any]) -> None:
        super().__init__(name="one-call", daemon=True)
        self._call = call
        self._future = future

    def run(self) -> None:
        """Make the call."""
        try:
            result = self._call()
        except BaseException as problem:
            self._future.set_exception(problem)
        else:
            self._future.set_result(result)


def within(seconds: float, call: Callable[[], Result]) -> Result:
    """Run ``call`` in a daemon thread. Raises :class:`GivenUpError` when it takes longer; the thread is abandoned."""
    future: Future[Result] = Future()
    thread = OneCall(call, future)
    thread.start()
    try:
        result = future.result(timeout=seconds)
    except TimeoutError:
        if future.done():
            raise
        raise GivenUpError from None
    thread.join()
    return result
