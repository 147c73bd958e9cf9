"""One call that is given up after a while."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

Result = TypeVar("Result")


def within(seconds: float, call: Callable[[], Result]) -> Result:
    """Run ``call`` in a daemon thread. Raises :class:`TimeoutError` when it takes longer; the thread is abandoned."""
    future: Future[Result] = Future()

    def work() -> None:
        try:
            result = call()
        except BaseException as problem:
            future.set_exception(problem)
        else:
            future.set_result(result)

    threading.Thread(target=work, name="one-call", daemon=True).start()
    return future.result(timeout=seconds)
