"""Several processes and threads on one file."""

import itertools
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from ragproof_core.errors import StoreError
from ragproof_core.models.outcome import scored
from ragproof_core.models.run import CacheEntry


def test_four_processes_that_create_and_fill_one_file_at_once_lose_nothing(database, open_store, start_writer):
    names = ["a", "b", "c", "d"]
    writers = [start_writer(database, name, 40, 10) for name in names]
    outcomes = [(writer.communicate(timeout=120), writer.returncode) for writer in writers]
    assert [(errors, code) for (_, errors), code in outcomes] == [("", 0)] * 4
    store = open_store(database)
    for name in names:
        assert [result.answer_text for result in store.results(name)] == [f"{name} {index}" for index in range(400)]
        keys = [f"{name}-{start}" for start in range(0, 400, 10)]
        assert store.cache_get(keys) == dict.fromkeys(keys, "reply")
    assert sorted(run.run_id for run in store.runs()) == names


def test_threads_write_and_read_at_once(store, make_run, make_result):
    store.open_run(make_run())

    def work(thread):
        for index in range(thread, 200, 8):
            store.add_results("run-1", [make_result(index, scores={"m": scored(index / 3)})])
            store.cache_put([CacheEntry(f"k{index}", f"v{index}", "j", "p", "now")])
            assert store.cache_get([f"k{index}"]) == {f"k{index}": f"v{index}"}
            assert any(result.index == index for result in store.results("run-1"))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    assert [result.scores["m"].value for result in store.results("run-1")] == [index / 3 for index in range(200)]


def test_two_stores_that_are_open_at_once_share_reasons_texts_and_layouts(database, open_store, make_run, make_result):
    first, second = open_store(database), open_store(database)
    for store, run_id in ((first, "a"), (second, "b")):
        store.open_run(make_run(run_id))
    for index, store_and_run in zip(range(40), itertools.cycle([(first, "a"), (second, "b")]), strict=False):
        store, run_id = store_and_run
        store.add_results(run_id, [make_result(index, scores={f"m{index % 5}": scored(0.5, None)})])
    assert [result.index for result in second.results("a")] == list(range(0, 40, 2))
    assert [result.index for result in first.results("b")] == list(range(1, 40, 2))


@pytest.fixture
def lock(database):
    """Hold the write lock of the file as another program would."""
    other = sqlite3.connect(database, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    yield other
    other.close()


def test_a_lock_that_goes_away_in_time_is_waited_for(store, make_run, make_result, request):
    store.open_run(make_run())
    lock = request.getfixturevalue("lock")
    writing = threading.Thread(target=store.add_results, args=("run-1", [make_result()]))
    writing.start()
    writing.join(0.2)
    assert writing.is_alive()
    assert store.cache_get(["k"]) == {}  # readers do not wait for the writer
    lock.execute("ROLLBACK")
    writing.join(10)
    assert list(store.results("run-1")) == [make_result()]


def test_a_lock_that_stays_is_an_error_that_says_so(open_store, database, make_run, make_result, request):
    store = open_store(database, busy_timeout_seconds=0.1)
    store.open_run(make_run())
    store.add_results("run-1", [make_result()])
    lock = request.getfixturevalue("lock")
    with pytest.raises(
        StoreError, match=r"ragproof\.db has been locked by another process for 0\.1 s\. Close the program"
    ):
        store.add_results("run-1", [make_result(1)])
    lock.execute("ROLLBACK")
    store.add_results("run-1", [make_result(2)])
    assert [result.index for result in store.results("run-1")] == [0, 2]
