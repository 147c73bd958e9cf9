"""Versions of the toy store with one fault each; ``fails`` names the standard tests that see it."""

import dataclasses
import pickle
import tempfile
import threading
import time
from pathlib import Path

import pytest
from toy_store import Base, Quick, Toy

from ragproof_core import hookimpl


class TestCorrect(Base):
    pass


class InMemory(Toy):
    def __init__(self, path):
        self.kept = []
        self.lock = threading.Lock()

    def put(self, kind, value):
        with self.lock:
            self.kept.append((kind, value))

    def all(self, kind):
        return [value for name, value in self.kept if name == kind]


class TestInMemory(Base):
    made = InMemory
    persistent = False


class TestInMemoryUnsaid(Base):
    made = InMemory
    fails = frozenset(
        {
            "test_another_store_sees_results_at_once", "test_results_survive_close", "test_a_case_is_replaced",
            "test_processes_write_at_once", "test_a_killed_process_loses_nothing_that_was_stored",
        }
    )  # fmt: skip


class Buffered(Toy):
    def __init__(self, path):
        super().__init__(path)
        self.waiting = []

    @hookimpl
    def add_results(self, run_id, results):
        self.waiting.append((run_id, list(results)))

    def all(self, kind):
        self.flush()
        return super().all(kind)

    def flush(self):
        waiting, self.waiting = self.waiting, []
        for batch in waiting:
            self.put("results", batch)

    @hookimpl
    def close(self):
        self.flush()


class TestWritesLater(Base):
    made = Buffered
    fails = frozenset(
        {
            "test_another_store_sees_results_at_once", "test_a_case_is_replaced",
            "test_a_killed_process_loses_nothing_that_was_stored",
        }
    )  # fmt: skip


class Piecemeal(Toy):
    @hookimpl
    def add_results(self, run_id, results):
        for result in results:
            time.sleep(0.002)
            self.put("results", (run_id, [result]))


class TestWritesABatchInParts(Base):
    made = Piecemeal
    fails = frozenset({"test_a_killed_process_loses_nothing_that_was_stored"})


class OneFile(Toy):
    """Reads the whole file and writes it again: two processes undo each other's writes."""

    lock = threading.RLock()

    def put(self, kind, value):
        with self.lock:
            kept = self.everything()
            time.sleep(0.005)
            with tempfile.NamedTemporaryFile(dir=self.path, delete=False) as file:
                pickle.dump([*kept, (kind, value)], file)
            Path(file.name).replace(self.path / "all")

    def all(self, kind):
        return [value for name, value in self.everything() if name == kind]

    def everything(self):
        file = self.path / "all"
        return pickle.loads(file.read_bytes()) if file.exists() else []


class TestUndoesOthersWrites(Base):
    made = OneFile
    fails = frozenset({"test_processes_write_at_once"})


class TestOneProcess(Base):
    made = OneFile
    concurrent = False


class OneThread(Toy):
    run_id = None

    @hookimpl
    def add_results(self, run_id, results):
        self.run_id = run_id
        time.sleep(0.002)
        super().add_results(self.run_id, results)


class TestMixesThreadsUp(Quick):
    made = OneThread
    fails = frozenset({"test_threads_write_at_once"})


class Unordered(Toy):
    @hookimpl
    def results(self, run_id):
        return {
            result.case_id: result for name, batch in self.all("results") if name == run_id for result in batch
        }.values()

    @hookimpl
    def runs(self):
        return sorted(super().runs(), key=lambda run: run.started_at)

    @hookimpl
    def calibrations(self):
        return self.all("calibration")


class TestNoOrder(Quick):
    made = Unordered
    fails = frozenset({"test_results_come_in_dataset_order", "test_runs_and_calibrations_come_newest_first"})

    @pytest.mark.xfail(run=False, reason="which thread writes first is chance")
    def test_threads_write_at_once(self):
        pass


class Appending(Toy):
    @hookimpl
    def results(self, run_id):
        found = [result for name, batch in self.all("results") if name == run_id for result in batch]
        return sorted(found, key=lambda result: result.index)


class TestKeepsReplacedCases(Quick):
    made = Appending
    fails = frozenset({"test_a_case_is_replaced", "test_runs_keep_apart"})


class Wiping(Toy):
    @hookimpl
    def open_run(self, run):
        for file in self.path.glob("results-*"):
            if pickle.loads(file.read_bytes())[0] == run.run_id:
                file.unlink()
        super().open_run(run)


class TestOpenRunWipes(Base):
    made = Wiping
    fails = frozenset({"test_a_case_is_replaced", "test_a_killed_process_loses_nothing_that_was_stored"})


class Lossy(Toy):
    @hookimpl
    def add_results(self, run_id, results):
        kept = [dataclasses.replace(one, context=one.context or None, error=one.error or None) for one in results]
        super().add_results(run_id, kept)


class TestEmptyBecomesNone(Quick):
    made = Lossy
    fails = frozenset({"test_none_and_empty_stay_apart", "test_any_text_comes_back"})


class Utf8(Toy):
    @hookimpl
    def add_results(self, run_id, results):
        for one in results:
            (one.answer_text or "").encode()
        super().add_results(run_id, results)


class TestCannotEncode(Quick):
    made = Utf8
    fails = frozenset({"test_any_text_comes_back"})


class Rounded(Toy):
    @hookimpl
    def add_results(self, run_id, results):
        super().add_results(
            run_id, [dataclasses.replace(one, duration_ms=float(f"{one.duration_ms:.6g}")) for one in results]
        )


class TestRounds(Quick):
    made = Rounded
    fails = frozenset({"test_every_field_of_a_result_comes_back", "test_values_keep_all_their_bits"})


class NoSummaries(Toy):
    @hookimpl
    def finish_run(self, status, run):
        super().finish_run(status, (), 0.0, run)


class TestForgetsSummaries(Quick):
    made = NoSummaries
    fails = frozenset({"test_every_field_of_a_run_comes_back"})


class SmallCache(Toy):
    @hookimpl
    def cache_get(self, keys):
        return super().cache_get(keys[:999])


class TestFewCacheKeys(Quick):
    made = SmallCache
    fails = frozenset({"test_cache_entries_are_found_and_replaced"})


class NoCalibrations(Toy):
    calibrations = None


class TestMissingHook(Quick):
    made = NoCalibrations
    fails = frozenset(
        {
            "test_it_has_every_hook", "test_nothing_stored_yet", "test_any_text_comes_back",
            "test_runs_and_calibrations_come_newest_first",
        }
    )  # fmt: skip


class ClosedOnce(Toy):
    open = True

    @hookimpl
    def close(self):
        if not self.open:
            raise RuntimeError("closed already")
        self.open = False


class TestClosesOnce(Quick):
    made = ClosedOnce
    fails = frozenset({"test_it_can_be_closed_twice", "test_results_survive_close"})


class Short(Toy):
    @hookimpl
    def results(self, run_id):
        return super().results(run_id)[:250]


class TestStopsReading(Quick):
    made = Short
    fails = frozenset({"test_a_large_run_comes_back"})
