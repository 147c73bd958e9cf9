"""The JSON that scripts rely on: keys are added here, never renamed."""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite
from typing import Any

from ragproof_core.models.response import Chunk
from ragproof_core.models.run import CaseResult, RunRecord, Summary


def run_to_dict(run: RunRecord) -> dict[str, Any]:
    """Return a run with its summaries, as ``ragproof run --json`` prints it."""
    return {
        "run_id": run.run_id,
        "status": run.status,
        "project": run.project,
        "label": run.label,
        "started_at": run.started_at,
        "ended_at": run.ended_at,
        "dataset": {
            "name": run.dataset.name,
            "sha256": run.dataset.sha256,
            "cases": run.dataset.cases,
            "kinds": dict(run.dataset.kinds),
        },
        "labels": run.settings.source_match,
        "k": run.settings.k,
        "retrieve_k": run.settings.retrieve_k,
        "describe": dict(run.describe),
        "cases": dict(run.cases),
        "judge": None if run.judge is None else dict(run.judge),
        "cost_usd": run.cost_usd,
        "duration_s": run.duration_s,
        "plugins": dict(run.plugins),
        "notes": list(run.notes),
        "metrics": [summary_to_dict(summary) for summary in run.summaries],
    }


def summary_to_dict(summary: Summary) -> dict[str, Any]:
    """Return one metric's summary."""
    return {
        "metric": summary.metric,
        "direction": summary.direction,
        "unit": summary.unit,
        "mean": summary.mean,
        "ci95": None if summary.ci95 is None else list(summary.ci95),
        "p50": summary.p50,
        "p95": summary.p95,
        "p99": summary.p99,
        "scored": summary.scored,
        "skipped": summary.skipped,
        "not_applicable": summary.not_applicable,
        "errors": summary.errors,
        "values": dict(summary.values),
        "skip_reasons": dict(summary.skip_reasons),
        "error_reasons": dict(summary.error_reasons),
        "tags": {tag: {"mean": found.mean, "scored": found.scored} for tag, found in summary.tags.items()},
    }


def result_to_dict(result: CaseResult) -> dict[str, Any]:
    """Return one case's result, as ``ragproof show RUN --json`` lists it."""
    return {
        "case_id": result.case_id,
        "kind": result.kind,
        "tags": list(result.tags),
        "question": result.question,
        "expected_answer": result.expected_answer,
        "expected_source_ids": list(result.expected_source_ids),
        "status": result.status,
        "error": result.error,
        "answer_text": result.answer_text,
        "retrieved_ids": None if result.retrieved is None else [chunk.id for chunk in result.retrieved],
        "context_ids": None if result.context is None else [chunk.id for chunk in result.context],
        "citations": list(result.citations),
        "duration_ms": result.duration_ms,
        "timings_ms": dict(result.timings_ms),
        "scores": {name: outcome._asdict() for name, outcome in result.scores.items()},
        "judge_raw_json": dict(result.judge_raw),
    }


def chunk_to_dict(chunk: Chunk) -> dict[str, Any]:
    """Return a chunk; a score that is no finite number becomes null."""
    score = chunk.score if chunk.score is not None and isfinite(chunk.score) else None
    return {"id": chunk.id, "text": chunk.text, "score": score, "metadata": dict(chunk.metadata)}


def run_to_row(run: RunRecord) -> dict[str, Any]:
    """Return a run as a row of ``ragproof runs --json``."""
    return {
        "run_id": run.run_id,
        "label": run.label,
        "project": run.project,
        "status": run.status,
        "started_at": run.started_at,
        "dataset": run.dataset.name,
        "cases": run.dataset.cases,
        "judge": None if run.judge is None else run.judge.get("model") or run.judge.get("type"),
    }


def with_results(run: RunRecord, results: Iterable[CaseResult]) -> dict[str, Any]:
    """Return a run with its summaries and rows."""
    return {**run_to_dict(run), "results": [result_to_dict(result) for result in results]}
