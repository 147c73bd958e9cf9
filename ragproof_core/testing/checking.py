"""How a standard test fails: one sentence or two, no traceback into the suite."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, NoReturn

import pytest

_LONGEST_SHOWN = 100


def fail(message: str) -> NoReturn:
    """Fail the running test with the message alone."""
    raise pytest.fail.Exception(message, pytrace=False) from None


def require(holds: object, message: str) -> None:
    """Fail the running test with the message when ``holds`` is false."""
    if not holds:
        fail(message)


def shown(value: object) -> str:
    """Return the value's ``repr``, shortened and free of anything that a terminal cannot print."""
    text = ascii(value)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"


def within(seconds: float, call: Callable[[], Any], what: str) -> Any:
    """Return what the call returns, and raise what it raises; fail when it takes longer than ``seconds``."""
    outcome: list[Any] = []
    problem: list[BaseException] = []

    def run() -> None:
        try:
            outcome.append(call())
        except BaseException as raised:
            problem.append(raised)

    thread = threading.Thread(target=run, name="conformance", daemon=True)
    thread.start()
    thread.join(seconds)
    if thread.is_alive():
        fail(f"{what} did not return within {seconds:g} s")
    if problem:
        raise problem[0]
    return outcome[0]
