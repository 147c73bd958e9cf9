"""The standard tests of a store that several threads and processes write to, some of which die."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, ClassVar

import pytest

from ragproof_core.models.run import CaseResult
from ragproof_core.plugins.component import Component
from ragproof_core.testing.checking import fail, require
from ragproof_core.testing.conformance import Conformance
from ragproof_core.testing.store_records import RUN_ID, case_result, run_record

_BATCH = 20
_ENDLESS = 1_000_000


class StoreSharing(Conformance):
    """Fixtures of the store suite, and what must hold beyond one thread of one process."""

    role: ClassVar[str] = "store"
    persistent: bool = True
    concurrent: bool = True
    seconds_to_start: float = 60.0

    @staticmethod
    def make_store(path: Path) -> Any:
        """Return the built store at a path that nothing is at yet; every subclass has its own."""
        fail(f"the subclass needs a static method 'make_store(path)' that returns the built store, not only at {path}")

    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        """Return where the store of this test is."""
        return tmp_path / "store"

    @pytest.fixture
    def instance(self, path: Path) -> object:
        """Return the component under test."""
        return type(self).make_store(path)

    @pytest.fixture
    def store(self, component: Component) -> Iterator[Component]:
        """Yield the store behind its hooks; closed at the end."""
        yield component
        if "close" in component.hooks:
            component.call("close")

    def reopened(self, path: Path) -> Component:
        """Return another store at the same path."""
        return self.component_of(type(self).make_store(path))

    @staticmethod
    def kept(store: Component, run_id: str = RUN_ID) -> list[CaseResult]:
        """Return a run's results."""
        return list(store.call("results", run_id=run_id))

    def writer(self, path: Path, run_id: str, batches: int) -> subprocess.Popen[str]:
        """Start a process that writes batches of 20 results and prints how many are safe."""
        order = {
            "file": inspect.getfile(type(self)),
            "suite": type(self).__qualname__,
            "path": str(path),
            "run_id": run_id,
            "batches": batches,
            "size": _BATCH,
            "sys_path": [entry or str(Path.cwd()) for entry in sys.path],
        }
        return subprocess.Popen(  # noqa: S603 - this very interpreter
            [sys.executable, "-m", "ragproof_core.testing.store_writer", json.dumps(order)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def test_another_store_sees_results_at_once(self, store: Component, path: Path) -> None:
        """What ``add_results`` returned for is there for another process, without ``close``."""
        self._needs_persistence()
        store.call("open_run", run=run_record())
        store.call("add_results", run_id=RUN_ID, results=[case_result()])
        other = self.reopened(path)
        require(
            self.kept(other) == [case_result()],
            "a second store at the same path does not see what add_results returned for; the kernel counts these cases "
            "as done, so they must be durable by then",
        )
        other.call("close")

    def test_results_survive_close(self, store: Component, path: Path) -> None:
        """What was stored is there for the next process."""
        self._needs_persistence()
        store.call("open_run", run=run_record())
        store.call("add_results", run_id=RUN_ID, results=[case_result(0), case_result(1)])
        store.call("close")
        other = self.reopened(path)
        require(self.kept(other) == [case_result(0), case_result(1)], "results are gone after close and reopening")
        require([run.run_id for run in other.call("runs")] == [RUN_ID], "the run is gone after close and reopening")
        other.call("close")

    def test_threads_write_at_once(self, store: Component) -> None:
        """Eight threads write to four runs and read meanwhile; nothing is lost or mixed up."""
        runs = [f"run-{number}" for number in range(4)]
        for run_id in runs:
            store.call("open_run", run=run_record(run_id))

        def write(job: int) -> None:
            run_id, start = runs[job % 4], job // 4 * 5
            batch = [case_result(index, run_id) for index in range(start, start + 5)]
            store.call("add_results", run_id=run_id, results=batch)
            store.call("runs")
            self.kept(store, run_id)

        with ThreadPoolExecutor(8) as threads:
            list(threads.map(write, range(40)))
        for run_id in runs:
            require(
                self.kept(store, run_id) == [case_result(index, run_id) for index in range(50)],
                f"{run_id}: ten threads' batches of five are not all there as they were written",
            )

    def test_processes_write_at_once(self, path: Path) -> None:
        """Two processes write to one store at once: both succeed and nothing is lost."""
        self._needs_persistence()
        if not self.concurrent:
            pytest.skip("concurrent is False")
        writers = {run_id: self.writer(path, run_id, 10) for run_id in ("run-a", "run-b")}
        for run_id, process in writers.items():
            _, problem = process.communicate(timeout=self.seconds_to_start)
            require(process.returncode == 0, f"the process that wrote {run_id} while another one did failed: {problem}")
        store = self.reopened(path)
        for run_id in writers:
            require(
                self.kept(store, run_id) == [case_result(index, run_id) for index in range(10 * _BATCH)],
                f"{run_id}: not all of the 200 results are there as they were written",
            )
        cached = store.call("cache_get", keys=[f"{run_id}-0" for run_id in writers])
        require(len(cached) == len(writers), f"of two processes' cache entries {sorted(cached)} are there")
        store.call("close")

    def test_a_killed_process_loses_nothing_that_was_stored(self, path: Path) -> None:
        """After ``kill -9`` every acknowledged batch is there, whole, and the run can go on."""
        self._needs_persistence()
        process = self.writer(path, RUN_ID, _ENDLESS)
        assert process.stdout is not None
        first = [process.stdout.readline() for _ in range(3)]
        began = time.monotonic()
        first.append(process.stdout.readline())
        time.sleep((time.monotonic() - began) / 2)  # in the middle of the next batch
        process.kill()
        rest, problem = process.communicate(timeout=self.seconds_to_start)
        require(all(first), f"the writing process failed: {problem}")
        safe = [int(line) for line in (*first, *rest.splitlines(keepends=True)) if line.endswith("\n")]
        store = self.reopened(path)
        found = self.kept(store)
        require(
            len(found) >= safe[-1],
            f"add_results had returned for {safe[-1]} results when the process was killed, {len(found)} are there; a "
            "batch must be on disk before add_results returns",
        )
        require(len(found) % _BATCH == 0, f"{len(found)} results are there: a batch of {_BATCH} is there in part")
        require(found == [case_result(index) for index in range(len(found))], "a killed process left results damaged")
        store.call("open_run", run=run_record(notes=("resumed",)))
        store.call("add_results", run_id=RUN_ID, results=[case_result(len(found))])
        require(len(self.kept(store)) == len(found) + 1, "after a killed process the run cannot be resumed")
        store.call("close")

    def _needs_persistence(self) -> None:
        if not self.persistent:
            pytest.skip("persistent is False")
