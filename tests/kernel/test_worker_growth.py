"""How many workers a run has: one for a pipeline that answers at once, all of them for one that waits."""

import threading
import time
from types import SimpleNamespace

import pytest

from ragproof_core import evaluate
from ragproof_core.engine import growth
from ragproof_core.engine.growth import LONGEST_SECONDS, LOOKS, SHORTEST_SECONDS, Growth
from ragproof_core.engine.workers import Pool


class Clock:
    """Elapsed and processor time, moved by hand."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = self.spent = 0.0
        monkeypatch.setattr(growth, "monotonic", lambda: self.now)
        monkeypatch.setattr(growth, "process_time", lambda: self.spent)

    def passes(self, seconds: float, *, busy: float) -> None:
        self.now += seconds
        self.spent += seconds * busy


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


@pytest.fixture
def pool() -> Pool:
    done = threading.Event()
    pool = Pool("test", 1, lambda: done.wait() and None, lambda: None)
    yield pool
    done.set()


@pytest.fixture
def results() -> SimpleNamespace:
    return SimpleNamespace(delivered=0, accepted=0, busy=False)


def test_a_pool_that_waits_is_filled_after_three_looks(clock: Clock, pool: Pool, results: SimpleNamespace) -> None:
    watch = Growth(pool, 8)
    sizes = []
    for look in range(1, LOOKS + 1):
        clock.passes(0.01, busy=0.1)
        results.delivered = 100 * look
        watch.look(results.delivered, results)
        sizes.append(pool.size)
    assert sizes == [1, 1, 8]
    results.delivered = 1000
    watch.look(results.delivered, results)
    assert (pool.size, watch.next_look_seconds) == (8, LONGEST_SECONDS)


def test_one_stolen_moment_is_not_waiting(clock: Clock, pool: Pool, results: SimpleNamespace) -> None:
    watch = Growth(pool, 8)
    for look in range(1, 30):
        clock.passes(0.03, busy=0.1 if look % LOOKS else 1.0)
        results.delivered = 100 * look
        watch.look(results.delivered, results)
    assert pool.size == 1


def test_slow_cases_that_compute_get_workers_once_all_is_loaded(
    clock: Clock, pool: Pool, results: SimpleNamespace
) -> None:
    watch = Growth(pool, 4)
    sizes = []
    for look in range(1, 19):  # 50 results a second: twenty milliseconds a case
        clock.passes(0.02, busy=1.0)
        results.delivered = look
        watch.look(results.delivered, results)
        sizes.append(pool.size)
    # the stretch of the 14th look is the first to begin after 0.25 s, at 0.26 s; it and two more
    assert sizes == [1] * 15 + [4] * 3


def test_a_first_case_that_never_ends_does_not_keep_the_others_waiting(
    clock: Clock, pool: Pool, results: SimpleNamespace
) -> None:
    watch = Growth(pool, 4)
    for _ in range(30):
        clock.passes(0.01, busy=1.0)
        watch.look(0, results)
    assert pool.size == 4


def test_calm_looks_grow_rare(clock: Clock, pool: Pool, results: SimpleNamespace) -> None:
    watch = Growth(pool, 4)
    waits = []
    for look in range(1, 6):
        waits.append(watch.next_look_seconds)
        clock.passes(watch.next_look_seconds, busy=1.0)
        results.delivered = 1000 * look
        watch.look(results.delivered, results)
    assert waits == [SHORTEST_SECONDS, 0.01, 0.02, 0.04, LONGEST_SECONDS]
    assert pool.size == 1


def test_waiting_for_the_disk_is_not_the_pipelines(clock: Clock, pool: Pool, results: SimpleNamespace) -> None:
    watch = Growth(pool, 8)
    for look in range(1, 10):
        clock.passes(0.03, busy=0.1)
        results.delivered = results.accepted = 100 * look
        watch.look(results.delivered, results)
    assert pool.size == 1


def test_a_pipeline_that_waits_is_asked_from_all_workers() -> None:
    seen: set[int] = set()

    def answer(question: str) -> str:
        seen.add(threading.get_ident())
        time.sleep(0.02)
        return question

    report = evaluate(
        {"run": {"concurrency": 4}},
        cases=[{"id": f"c{n}", "question": "?", "expected_answer": "?"} for n in range(40)],
        adapter=SimpleNamespace(answer=answer),
        metrics=["echo.exact_match"],
    )
    assert report.to_dict()["metrics"][0]["mean"] == 1.0
    assert len(seen) == 4
