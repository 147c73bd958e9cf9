"""Runs and their summaries as rows, and back."""

from __future__ import annotations

import dataclasses
import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from ragproof_core.models.run import DatasetInfo, RunRecord, RunSettings, Summary, TagSummary
from ragproof_store_sqlite import json_column
from ragproof_store_sqlite.exact_text import storable, storable_row, stored_text

_PLAIN = ("run_id", "project", "label", "status", "started_at", "ended_at", "duration_s", "cost_usd")
_JSON = ("describe", "judge", "plugins", "metrics", "fingerprint", "cases", "notes")
_DATASET = ("dataset_name", "dataset_sha256", "dataset_cases", "dataset_kinds")
_COLUMNS = (*_PLAIN, *_JSON, *_DATASET, "settings")
_UPSERT = (
    f"INSERT INTO runs ({', '.join(_COLUMNS)}) VALUES ({', '.join('?' * len(_COLUMNS))}) "  # noqa: S608 (constants)
    f"ON CONFLICT (run_id) DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in _COLUMNS[1:])}"
)
_SELECT = f"SELECT run_no, {', '.join(_COLUMNS)} FROM runs ORDER BY started_at DESC, run_no DESC"  # noqa: S608

_COUNTS = ("scored", "skipped", "not_applicable", "errors")
_NUMBERS = ("mean", "p50", "p95", "p99")
_SUMMARY = (
    *("run_no", "position", "metric", "direction", "unit", *_NUMBERS, "ci95_low", "ci95_high", *_COUNTS),
    *("named_values", "skip_reasons", "error_reasons", "tags"),
)
_INSERT_SUMMARY = f"INSERT INTO summaries ({', '.join(_SUMMARY)}) VALUES ({', '.join('?' * len(_SUMMARY))})"  # noqa: S608
_SELECT_SUMMARIES = f"SELECT {', '.join(_SUMMARY)} FROM summaries ORDER BY run_no, position"  # noqa: S608


def store_run(connection: sqlite3.Connection, run: RunRecord) -> None:
    """Insert the run, or overwrite what is recorded about it; its results are left alone."""
    row = (
        *(getattr(run, name) for name in _PLAIN),
        *(None if run.judge is None and name == "judge" else json_column.dump(getattr(run, name)) for name in _JSON),
        *(run.dataset.name, run.dataset.sha256, run.dataset.cases, json_column.dump(run.dataset.kinds)),
        json_column.dump(dataclasses.asdict(run.settings)),
    )
    connection.execute(_UPSERT, storable_row(row))
    run_no, _ = find_run(connection, run.run_id) or (None, None)
    connection.execute("DELETE FROM summaries WHERE run_no = ?", (run_no,))
    rows = [(run_no, position, *_summary_columns(summary)) for position, summary in enumerate(run.summaries)]
    connection.executemany(_INSERT_SUMMARY, map(storable_row, rows))


def find_run(connection: sqlite3.Connection, run_id: str) -> tuple[int, str] | None:
    """Return the run's number and its dataset's sha256, or ``None`` when it is not stored."""
    found = connection.execute("SELECT run_no, dataset_sha256 FROM runs WHERE run_id = ?", (storable(run_id),))
    row = found.fetchone()
    return None if row is None else (row[0], stored_text(row[1]))


def read_runs(connection: sqlite3.Connection) -> list[RunRecord]:
    """Return all runs, newest first, with their summaries."""
    connection.execute("BEGIN")  # both tables as they were at one moment
    try:
        summaries: dict[int, list[Summary]] = {}
        for row in connection.execute(_SELECT_SUMMARIES):
            columns = dict(zip(_SUMMARY, map(stored_text, row), strict=True))
            summaries.setdefault(columns["run_no"], []).append(_summary(columns))
        return [_run(row, tuple(summaries.get(row[0], ()))) for row in connection.execute(_SELECT)]
    finally:
        connection.execute("ROLLBACK")


def _run(row: Sequence[Any], summaries: tuple[Summary, ...]) -> RunRecord:
    columns: dict[str, Any] = dict(zip(_COLUMNS, map(stored_text, row[1:]), strict=True))
    values = {name: json_column.load(columns[name]) for name in _JSON}
    values |= {"metrics": tuple(values["metrics"]), "notes": tuple(values["notes"])}
    name, sha256, cases, kinds = (columns[column] for column in _DATASET)
    known = {field.name for field in dataclasses.fields(RunSettings)}
    settings = {key: value for key, value in json_column.load(columns["settings"]).items() if key in known}
    return RunRecord(
        **{name: columns[name] for name in _PLAIN},
        **values,
        dataset=DatasetInfo(name=name, sha256=sha256, cases=cases, kinds=json_column.load(kinds)),
        settings=RunSettings(**settings),
        summaries=summaries,
    )


def _summary_columns(summary: Summary) -> tuple[Any, ...]:
    low, high = summary.ci95 or (None, None)
    return (
        *(summary.metric, summary.direction, summary.unit),
        *(getattr(summary, name) for name in _NUMBERS),
        *(low, high),
        *(getattr(summary, name) for name in _COUNTS),
        *map(json_column.dump, (summary.values, summary.skip_reasons, summary.error_reasons)),
        json_column.dump({tag: [part.mean, part.scored] for tag, part in summary.tags.items()}),
    )


def _summary(columns: Mapping[str, Any]) -> Summary:
    low, high = columns["ci95_low"], columns["ci95_high"]
    tags = json_column.load(columns["tags"])
    return Summary(
        **{name: columns[name] for name in ("metric", "direction", "unit", *_NUMBERS, *_COUNTS)},
        ci95=None if low is None or high is None else (low, high),
        values=json_column.load(columns["named_values"]),
        skip_reasons=json_column.load(columns["skip_reasons"]),
        error_reasons=json_column.load(columns["error_reasons"]),
        tags={tag: TagSummary(mean=mean, scored=scored) for tag, (mean, scored) in tags.items()},
    )
