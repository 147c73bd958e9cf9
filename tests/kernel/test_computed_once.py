"""What is computed once although many threads need it at the same moment."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from ragproof_core.once import once, once_property


def together(call, threads=16):
    start = threading.Barrier(threads)

    def run(_):
        start.wait()
        return call()

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(run, range(threads)))


def test_one_thread_computes_and_all_get_the_same():
    calls = []

    @once
    def table():
        """A table."""
        calls.append(1)
        time.sleep(0.05)
        return object()

    assert len(set(map(id, together(table)))) == 1
    assert calls == [1]
    assert (table.__name__, table.__doc__) == ("table", "A table.")


def test_a_property_is_computed_once_an_instance():
    calls = []

    class Owner:
        @once_property
        def table(self):
            """A table."""
            calls.append(self)
            time.sleep(0.05)
            return object()

    first, second = Owner(), Owner()
    assert len({id(found) for found in together(lambda: first.table)}) == 1
    assert second.table is not first.table
    assert calls == [first, second]
    assert Owner.table.__doc__ == "A table."


def test_a_failure_is_not_kept():
    outcomes = [OSError("busy"), 7]

    @once
    def value():
        outcome = outcomes.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    with pytest.raises(OSError, match="busy"):
        value()
    assert (value(), value()) == (7, 7)
