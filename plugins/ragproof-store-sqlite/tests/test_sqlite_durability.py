"""A batch that was acknowledged survives the death of the process; a resumed run replaces what it runs again."""

import random
import sqlite3
import time

import pytest

from ragproof_core.errors import StoreError
from ragproof_core.models.outcome import error, scored, skipped


@pytest.mark.parametrize("seed", range(6))
def test_acknowledged_results_survive_kill_at_a_random_moment(database, open_store, start_writer, seed):
    writer = start_writer(database, "run-1", 100_000, 20)
    acknowledged = [int(writer.stdout.readline())]
    time.sleep(random.Random(seed).uniform(0, 0.15))
    writer.kill()
    acknowledged += [int(line) for line in writer.stdout.read().splitlines(keepends=True) if line.endswith("\n")]
    store = open_store(database)
    kept = list(store.results("run-1"))
    assert len(kept) >= acknowledged[-1]
    assert len(kept) % 20 == 0  # a batch is there whole or not at all
    assert [result.answer_text for result in kept] == [f"run-1 {index}" for index in range(len(kept))]
    assert kept[-1].scores == {
        "m": scored((len(kept) - 1) / 7),
        "s": skipped(f"reason {(len(kept) - 1) % 5} of run-1"),
    }
    connection = sqlite3.connect(database)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()


def test_results_are_there_for_another_connection_when_add_results_returns(
    store, open_store, database, make_run, make_result
):
    store.open_run(make_run())
    store.add_results("run-1", [make_result(0)])
    assert list(open_store(database).results("run-1")) == [make_result(0)]


def test_resuming_keeps_results_and_replaces_those_that_are_run_again(
    store, open_store, database, make_run, make_result
):
    store.open_run(make_run())
    store.add_results("run-1", [make_result(2), make_result(0, scores={"m": error("boom")})])
    store.close()
    resumed = open_store(database)
    resumed.open_run(make_run(notes=("resumed",)))
    resumed.add_results("run-1", [make_result(1), make_result(0, answer_text="now")])
    assert list(resumed.results("run-1")) == [make_result(0, answer_text="now"), make_result(1), make_result(2)]
    assert [run.notes for run in resumed.runs()] == [("resumed",)]


def test_results_are_read_lazily_while_more_are_written(store, make_run, make_result):
    store.open_run(make_run())
    store.add_results("run-1", [make_result(index) for index in range(60)])
    reading = store.results("run-1")
    assert next(reading).index == 0
    store.add_results("run-1", [make_result(60)])
    assert [result.index for result in reading] == list(range(1, 61))


def test_runs_come_newest_first(store, make_run):
    for run_id, day in (("b", 2), ("a", 3), ("c", 1), ("d", 3)):
        store.open_run(make_run(run_id, started_at=f"2026-01-0{day}T00:00:00+00:00"))
    assert [run.run_id for run in store.runs()] == ["d", "a", "b", "c"]


def test_nothing_stored_yet(store, database):
    assert (store.runs(), list(store.results("x")), store.cache_get(["k"]), store.calibrations()) == ([], [], {}, [])
    assert not database.exists()  # reading makes no file


def test_the_results_of_an_unknown_run_are_none_and_cannot_be_added(store, make_run, make_result, database):
    store.open_run(make_run())
    assert list(store.results("other")) == []
    with pytest.raises(StoreError, match=r"ragproof\.db has no run other: open_run comes before add_results"):
        store.add_results("other", [make_result()])


def test_a_failed_batch_leaves_no_trace_and_the_next_one_is_right(store, make_run, make_result):
    store.open_run(make_run())
    bad = make_result(1, scores={"new": skipped("never stored")}, duration_ms=object())
    with pytest.raises(StoreError, match="type"):
        store.add_results("run-1", [make_result(0, scores={"new": skipped("never stored")}), bad])
    assert list(store.results("run-1")) == []
    good = [make_result(0, scores={"new": skipped("never stored"), "other": skipped("first")})]
    store.add_results("run-1", good)
    assert list(store.results("run-1")) == good


def test_cases_are_stored_once_and_a_changed_one_never_changes_an_older_run(store, make_run, make_result, database):
    same = [make_result(index, question=f"Q{index}", tags=("t",)) for index in range(3)]
    changed = [make_result(0, question="Q0 changed"), make_result(1, question="Q1", tags=("t",))]
    for run_id, results in (("a", same), ("b", same), ("c", changed), ("d", changed)):
        store.open_run(make_run(run_id))
        store.add_results(run_id, results)
    for run_id, results in (("a", same), ("b", same), ("c", changed), ("d", changed)):
        assert list(store.results(run_id)) == results
    connection = sqlite3.connect(database)
    assert connection.execute("SELECT count(*) FROM cases").fetchone() == (4,)
    connection.close()


def test_chunk_texts_are_stored_once(store, make_run, make_result, database, open_store):
    from ragproof_core.models.response import Chunk

    results = [make_result(i, retrieved=tuple(Chunk(f"c{j}", f"text {j}") for j in range(10))) for i in range(20)]
    for run_id, writer in (("a", store), ("b", open_store(database))):
        writer.open_run(make_run(run_id))
        writer.add_results(run_id, results)
    connection = sqlite3.connect(database)
    assert connection.execute("SELECT count(*) FROM texts").fetchone() == (10,)
    connection.close()
    assert list(store.results("b")) == results


def test_the_cache_replaces_an_entry_and_answers_many_keys(store):
    from ragproof_core.models.run import CacheEntry

    store.cache_put([CacheEntry(f"k{i}", f"reply {i}", "j", "p", "now") for i in range(1200)])
    store.cache_put([CacheEntry("k7", "newer", "j", "p", "now")])
    found = store.cache_get([f"k{i}" for i in range(1300)])
    assert found == {f"k{i}": f"reply {i}" for i in range(1200)} | {"k7": "newer"}
    assert store.cache_get([]) == {}


def test_calibrations_come_newest_first(store):
    from ragproof_core.models.run import Calibration

    older, newer = (
        Calibration({"model": name}, f"2026-01-0{day}", ({"n": day},)) for name, day in (("a", 1), ("b", 2))
    )
    store.add_calibration(newer)
    store.add_calibration(older)
    assert store.calibrations() == [newer, older]


@pytest.mark.slow
def test_fifty_thousand_rows_in_bounded_memory(store, make_run, make_result):
    import tracemalloc

    from ragproof_core.models.response import Chunk

    def batch(start):
        return [
            make_result(
                i, retrieved=(Chunk("c", f"text {i} " * 60),), scores={"m": scored(i / 3), "n": skipped(f"r{i}")}
            )
            for i in range(start, start + 100)
        ]

    store.open_run(make_run())
    tracemalloc.start()
    peaks = []
    for start in range(0, 50_000, 100):
        store.add_results("run-1", batch(start))
        if start + 100 in (25_000, 50_000):
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.reset_peak()
    indices = [result.index for result in store.results("run-1")]
    assert indices == list(range(50_000))
    assert peaks[1] < peaks[0] * 1.1
    assert tracemalloc.get_traced_memory()[1] < 40 * 2**20
    tracemalloc.stop()
