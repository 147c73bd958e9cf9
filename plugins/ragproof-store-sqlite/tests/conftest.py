import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from ragproof_store_sqlite import Settings, SqliteStore

from ragproof_core.models.outcome import scored
from ragproof_core.models.run import CaseResult, DatasetInfo, RunRecord, RunSettings

WRITER = Path(__file__).with_name("sqlite_writer_process.py")


@pytest.fixture
def database(tmp_path):
    return tmp_path / "ragproof.db"


@pytest.fixture
def open_store():
    """Open stores that are closed when the test ends."""
    stores = []

    def opened(path, **settings):
        stores.append(SqliteStore(Settings(path=path, **settings)))
        return stores[-1]

    yield opened
    for store in stores:
        store.close()


@pytest.fixture
def store(database, open_store):
    return open_store(database)


@pytest.fixture
def make_run():
    def made(run_id="run-1", **fields):
        defaults = {
            "project": "handbook",
            "label": None,
            "status": "running",
            "started_at": "2026-01-01T00:00:00+00:00",
            "dataset": DatasetInfo("cases", "a" * 64, 3, {"qa": 3}),
            "settings": RunSettings(),
            "describe": {},
            "judge": None,
            "plugins": {},
            "metrics": ("m",),
            "fingerprint": {},
        }
        return RunRecord(run_id=run_id, **(defaults | fields))

    return made


@pytest.fixture
def make_result():
    def made(index=0, **fields):
        defaults = {"case_id": f"case-{index}", "kind": "qa", "status": "ok", "scores": {"m": scored(0.5)}}
        return CaseResult(index=index, **(defaults | fields))

    return made


@pytest.fixture
def stored(store, make_run):
    """Store results under a new run and read them back."""

    def back(*results):
        store.open_run(make_run())
        store.add_results("run-1", results)
        return list(store.results("run-1"))

    return back


@pytest.fixture
def start_writer():
    """Start a process that writes to a store; ended when the test ends."""
    processes = []

    def started(path, run_id, batches, size):
        command = [sys.executable, str(WRITER), str(path), run_id, str(batches), str(size)]
        processes.append(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
        return processes[-1]

    yield started
    for process in processes:
        process.kill()
        process.communicate()


@contextmanager
def without_write_permission(*paths: Path) -> Iterator[None]:
    """Make the paths read-only, as an ordinary user: root could write all the same."""
    modes = {path: path.stat().st_mode for path in paths}
    opened = {parent: parent.stat().st_mode for path in paths for parent in path.parents if len(parent.parts) > 2}
    is_root = os.geteuid() == 0
    for parent, mode in opened.items():
        parent.chmod(mode | 0o555)
    for path in paths:
        path.chmod(0o555 if path.is_dir() else 0o444)
    if is_root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if is_root:
            os.seteuid(0)
        for path, mode in {**opened, **modes}.items():
            path.chmod(mode)


@pytest.fixture
def read_only():
    return without_write_permission
