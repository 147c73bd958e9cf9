"""One run from the cases to the summary: new or resumed, with or without a store and a judge."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from time import perf_counter
from typing import Any

from ragproof_core.dataset.loading import Dataset
from ragproof_core.engine.columns import Columns
from ragproof_core.engine.fingerprint import fingerprint, require_same
from ragproof_core.engine.running import CaseRunner, JudgeLane
from ragproof_core.engine.selection import Metric
from ragproof_core.engine.summing import summarize
from ragproof_core.models.run import CaseResult, RunRecord, RunSettings
from ragproof_core.plugins.component import Component
from ragproof_core.redaction import redacted
from ragproof_core.reporting.numbers import counted

COMPLETED, PARTIAL, ABORTED_BUDGET, RUNNING = "completed", "partial", "aborted:budget", "running"
_OTHER_IDS = (
    "no case retrieved any of its expected sources: the ids look like two different id spaces; "
    "check run.source_match and the dataset's expected_source_ids"
)


Progress = Callable[[int, int], None]
"""Told, once a batch of results is safe, how many cases are done and how many of these failed; in any thread."""


@dataclass(frozen=True, slots=True)
class JudgeInUse:
    """A run's judge: its lane for the engine, what identifies it, and what it did so far."""

    lane: JudgeLane
    identity: Mapping[str, Any]
    described: Mapping[str, Any]
    report: Callable[[], Mapping[str, Any]]
    cost_usd: Callable[[], float]
    notes: Callable[[], Sequence[str]]
    close: Callable[[], None]


@dataclass(frozen=True, slots=True)
class Inputs:
    """All that a run is made of."""

    project: str
    label: str | None
    dataset: Dataset
    adapter: Component
    adapter_identity: Any
    metrics: Sequence[Metric]
    settings: RunSettings
    judge: JudgeInUse | None
    store: Component | None
    describe: Mapping[str, Any]
    redact: Callable[[str], str]
    warn: Callable[[str], None]
    progress: Progress | None = None
    keep_rows: bool = False


@dataclass(frozen=True, slots=True)
class Finished:
    """How a run ended: its record with the summaries, and its rows where they were kept."""

    record: RunRecord
    rows: tuple[CaseResult, ...]
    reason: str | None = None


def execute(inputs: Inputs, resume: RunRecord | None = None) -> Finished:
    """Run the cases, or those that a stored run still lacks, and sum up.

    Raises :class:`ConfigError` when a run to be resumed differs from the config, and :class:`StoreError` when results
    cannot be kept; what was stored before stays.
    """
    started = perf_counter()
    record = _record(inputs, resume)
    columns = Columns(
        [metric.name for metric in inputs.metrics],
        inputs.dataset.cases,
        by_document=inputs.settings.source_match == "document",
    )
    rows: list[CaseResult] = []
    if resume is not None and inputs.store is not None:
        _take_over(inputs.store.call("results", run_id=record.run_id), columns, rows, inputs)
    if inputs.store is not None:
        inputs.store.call("open_run", run=record)

    def accept(batch: Sequence[CaseResult]) -> None:
        if inputs.store is not None:
            inputs.store.call("add_results", run_id=record.run_id, results=batch)
        fresh = [result for result in batch if columns.add(result)]
        if inputs.keep_rows:
            rows.extend(fresh)
        if inputs.progress is not None:
            inputs.progress(columns.done, columns.failed)

    runner = CaseRunner(
        inputs.dataset.cases,
        inputs.adapter,
        inputs.metrics,
        inputs.settings,
        judge=inputs.judge.lane if inputs.judge else None,
        redact=inputs.redact,
    )
    try:
        complete = runner.run(columns.missing(), accept)
    finally:
        if inputs.judge is not None:
            inputs.judge.close()
    status, reason = _status(complete, runner, columns)
    record = _finish(inputs, record, status, columns, perf_counter() - started)
    return Finished(record, tuple(sorted(rows, key=lambda row: row.index)), reason)


def _record(inputs: Inputs, resume: RunRecord | None) -> RunRecord:
    judge = inputs.judge
    prints = fingerprint(
        inputs.dataset.info,
        inputs.adapter_identity,
        inputs.metrics,
        inputs.settings,
        judge.identity if judge else None,
        uses_judge=judge is not None,
    )
    now, redact = datetime.now(UTC), inputs.redact
    label = inputs.label and redact(inputs.label)
    if resume is not None:
        require_same(resume.run_id, resume.fingerprint, prints)
        return replace(resume, status=RUNNING, label=label or resume.label)
    return RunRecord(
        run_id=f"{now:%Y%m%dT%H%M%S}-{secrets.token_hex(3)}",
        project=redact(inputs.project),
        label=label,
        status=RUNNING,
        started_at=now.isoformat(timespec="milliseconds"),
        dataset=replace(inputs.dataset.info, name=redact(inputs.dataset.info.name)),
        settings=inputs.settings,
        describe=redacted(inputs.describe, redact),
        judge=judge.described if judge else None,
        plugins=_plugins(inputs),
        metrics=tuple(metric.name for metric in inputs.metrics),
        fingerprint=prints,
        cases={"total": len(inputs.dataset.cases), "ok": 0, "error": 0, "timeout": 0},
    )


def _plugins(inputs: Inputs) -> dict[str, str]:
    used = [inputs.adapter, *(metric.component for metric in inputs.metrics)]
    if inputs.store is not None:
        used.append(inputs.store)
    found = {component.distribution: component.version for component in used if component.distribution}
    return dict(sorted(found.items()))


def _take_over(stored: Iterable[CaseResult], columns: Columns, rows: list[CaseResult], inputs: Inputs) -> None:
    """Keep the stored results that are complete; failed cases and errored metrics are run again."""
    names = {metric.name for metric in inputs.metrics}
    for result in stored:
        statuses = {outcome.status for outcome in result.scores.values()}
        if result.status == "ok" and not statuses & {"error", "judge_error"} and names <= set(result.scores):
            columns.add(result)
            if inputs.keep_rows:
                rows.append(result)


def _status(complete: bool, runner: CaseRunner, columns: Columns) -> tuple[str, str | None]:  # noqa: FBT001
    if runner.budget_problem is not None:
        return ABORTED_BUDGET, str(runner.budget_problem)
    if runner.interrupted:
        return PARTIAL, "interrupted"
    whole = counted(len(columns.cases), "case")
    return (COMPLETED, None) if complete else (PARTIAL, f"{columns.done} of {whole} done")


def _finish(inputs: Inputs, record: RunRecord, status: str, columns: Columns, seconds: float) -> RunRecord:
    judge = inputs.judge
    summaries = summarize(inputs.metrics, columns, inputs.settings, inputs.warn)
    cost_usd = record.cost_usd + (judge.cost_usd() if judge else 0.0)
    notes = dict.fromkeys([*record.notes, *_notes(columns), *(judge.notes() if judge else ())])
    record = replace(
        record,
        status=status,
        summaries=summaries,
        cost_usd=cost_usd,
        cases={"total": len(columns.cases), **columns.statuses},
        judge={**judge.described, **_together(record.judge or {}, judge.report())} if judge else None,
        ended_at=datetime.now(UTC).isoformat(timespec="milliseconds"),
        duration_s=record.duration_s + seconds,
        notes=tuple(notes),
    )
    if inputs.store is not None:
        inputs.store.call(
            "finish_run",
            run_id=record.run_id,
            status=status,
            summaries=summaries,
            cost_usd=cost_usd,
            run=record,
        )
    return record


def _together(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    """Add what the judge did now to what it did before the run was resumed."""
    merged: dict[str, Any] = {}
    for key, value in now.items():
        earlier = before.get(key)
        if isinstance(value, Mapping):
            merged[key] = {**(earlier or {}), **value}
        elif isinstance(value, int) and not isinstance(value, bool):
            merged[key] = value + (earlier or 0)
        else:
            merged[key] = value
    return merged


def _notes(columns: Columns) -> list[str]:
    return [_OTHER_IDS] if columns.looks_like_other_ids else []
