"""The store component: the hooks of ``StoreSpec`` over one SQLite file."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence

from ragproof_core.errors import StoreError
from ragproof_core.hookspecs import hookimpl
from ragproof_core.models.run import CacheEntry, Calibration, CaseResult, RunRecord, Summary
from ragproof_store_sqlite.database import DatabaseFile
from ragproof_store_sqlite.judge_rows import cached_replies, read_calibrations, store_calibration, store_replies
from ragproof_store_sqlite.read_results import ResultReader
from ragproof_store_sqlite.run_rows import find_run, read_runs, store_run
from ragproof_store_sqlite.settings import Settings as StoreSettings
from ragproof_store_sqlite.written_results import ResultWriter


class SqliteStore:
    """Keeps runs, results, judge replies and calibrations in one file; may be called from any thread.

    Nothing is opened before the first call, and the file is made by the first write. Every failure is a ``StoreError``
    that names the file.
    """

    api_version = 1
    Settings = StoreSettings

    def __init__(self, settings: StoreSettings | None = None) -> None:
        settings = settings or StoreSettings()
        try:
            path = settings.database_path()
        except RuntimeError as failure:
            msg = f"store.path {settings.path}: there is no home folder for '~'; write the whole path."
            raise StoreError(msg) from failure
        self._file = DatabaseFile(path, settings.busy_timeout_seconds)
        self._results = ResultWriter()

    @hookimpl
    def open_run(self, run: RunRecord) -> None:
        """Record the run; one that is there already is overwritten and keeps its results."""
        with self._file.write() as connection:
            store_run(connection, run)

    @hookimpl
    def add_results(self, run_id: str, results: Sequence[CaseResult]) -> None:
        """Store the batch in one transaction that has reached the disk when this returns."""
        with self._file.write(on_rollback=self._results.forget) as connection:
            run = find_run(connection, run_id)
            if run is None:
                msg = f"{self._file.path} has no run {run_id}: open_run comes before add_results."
                raise StoreError(msg)
            self._results.write(connection, *run, results)

    @hookimpl
    def finish_run(
        self, run_id: str, status: str, summaries: Sequence[Summary], cost_usd: float, run: RunRecord
    ) -> None:
        """Record how the run ended, with its summaries."""
        final = dataclasses.replace(run, run_id=run_id, status=status, summaries=tuple(summaries), cost_usd=cost_usd)
        with self._file.write() as connection:
            store_run(connection, final)

    @hookimpl
    def runs(self) -> Sequence[RunRecord]:
        """Return all runs, newest first, with their summaries."""
        with self._file.read() as connection:
            return [] if connection is None else self._file.checked(read_runs, connection)

    @hookimpl
    def results(self, run_id: str) -> Iterator[CaseResult]:
        """Yield the run's results in dataset order, read a page at a time; none for an unknown run."""
        reader = ResultReader(run_id)
        while True:
            with self._file.read() as connection:
                page = [] if connection is None else self._file.checked(reader.next_page, connection)
            if not page:
                return
            yield from page

    @hookimpl
    def cache_get(self, keys: Sequence[str]) -> Mapping[str, str]:
        """Return the cached replies among these keys, with one select for up to 500."""
        with self._file.read() as connection:
            return {} if connection is None else cached_replies(connection, keys)

    @hookimpl
    def cache_put(self, entries: Sequence[CacheEntry]) -> None:
        """Keep the replies. Unlike results they may be lost with the machine's power: they can be asked for again."""
        with self._file.write(survives_power_loss=False) as connection:
            store_replies(connection, entries)

    @hookimpl
    def add_calibration(self, calibration: Calibration) -> None:
        """Keep the calibration."""
        with self._file.write() as connection:
            store_calibration(connection, calibration)

    @hookimpl
    def calibrations(self) -> Sequence[Calibration]:
        """Return all calibrations, newest first."""
        with self._file.read() as connection:
            return [] if connection is None else self._file.checked(read_calibrations, connection)

    @hookimpl
    def close(self) -> None:
        """Close the file; calls after this raise ``StoreError``."""
        self._file.close()
