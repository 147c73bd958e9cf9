"""A correct toy store, and its conformance class for the mutants."""

import dataclasses
import pickle
import tempfile
import time
import uuid
from pathlib import Path

import pytest

from ragproof_core import hookimpl
from ragproof_core.testing import StoreConformance


class Toy:
    """Every write is a file of its own in a folder: written aside, then renamed."""

    api_version = 1

    def __init__(self, path):
        self.path = Path(path)
        self.path.mkdir(exist_ok=True)

    def put(self, kind, value):
        with tempfile.NamedTemporaryFile(dir=self.path, delete=False) as file:
            pickle.dump(value, file)
        Path(file.name).replace(self.path / f"{kind}-{time.time_ns():020}-{uuid.uuid4().hex}")

    def all(self, kind):
        return [pickle.loads(file.read_bytes()) for file in sorted(self.path.glob(f"{kind}-*"))]

    @hookimpl
    def open_run(self, run):
        self.put("run", run)

    @hookimpl
    def add_results(self, run_id, results):
        self.put("results", (run_id, list(results)))

    @hookimpl
    def finish_run(self, status, summaries, cost_usd, run):
        self.put("run", dataclasses.replace(run, status=status, summaries=tuple(summaries), cost_usd=cost_usd))

    @hookimpl
    def runs(self):
        latest = {run.run_id: run for run in self.all("run")}
        return sorted(latest.values(), key=lambda run: run.started_at, reverse=True)

    @hookimpl
    def results(self, run_id):
        found = {result.case_id: result for name, batch in self.all("results") if name == run_id for result in batch}
        return sorted(found.values(), key=lambda result: result.index)

    @hookimpl
    def cache_get(self, keys):
        cached = {entry.key: entry.reply for entries in self.all("cache") for entry in entries}
        return {key: cached[key] for key in keys if key in cached}

    @hookimpl
    def cache_put(self, entries):
        self.put("cache", list(entries))

    @hookimpl
    def add_calibration(self, calibration):
        self.put("calibration", calibration)

    @hookimpl
    def calibrations(self):
        return sorted(self.all("calibration"), key=lambda one: one.created_at, reverse=True)

    @hookimpl
    def close(self):
        pass


class Base(StoreConformance):
    made = Toy
    fails = frozenset()
    rows = 300

    @classmethod
    def make_store(cls, path):
        return cls.made(path)


class Quick(Base):
    """Starts no processes, for faults that have nothing to do with them."""

    @pytest.mark.xfail(run=False, reason="left to the stores below that lose what processes write")
    def test_processes_write_at_once(self):
        pass

    @pytest.mark.xfail(run=False, reason="left to the stores below that lose what processes write")
    def test_a_killed_process_loses_nothing_that_was_stored(self):
        pass
