"""A comparison as JSON: the keys that scripts rely on, and more beside them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ragproof_core.models.run import CaseResult, RunRecord
from ragproof_core.statistics import Comparison
from ragproof_gate.flipped_cases import FlippedCase
from ragproof_gate.run_comparison import MetricComparison, RunComparison


def comparison_to_dict(found: RunComparison, flipped: Iterable[FlippedCase] | None = None) -> dict[str, Any]:
    """Return the object that ``ragproof compare --json`` prints; ``cases`` only when flipped cases were asked for."""
    shape: dict[str, Any] = {
        "base": found.base.run_id,
        "cand": found.cand.run_id,
        "runs": {"base": _run(found.base), "cand": _run(found.cand)},
        "labels": found.base.settings.source_match,
        "k": found.base.settings.k,
        "common_cases": found.common_cases,
        "only_in": {"base": list(found.only_base), "cand": list(found.only_cand)},
        "failed": {"base": list(found.failed_base), "cand": list(found.failed_cand)},
        "metrics_only_in": {"base": list(found.metrics_only_base), "cand": list(found.metrics_only_cand)},
        "remarks": list(found.remarks),
        "families": [
            {"family": family.name, "better": list(family.better), "worse": list(family.worse), "other": family.other}
            for family in found.families()
        ],
        "metrics": [_metric(metric) for metric in found.metrics],
    }
    if flipped is not None:
        shape["cases"] = [_case(case) for case in flipped]
    return shape


def _run(run: RunRecord) -> dict[str, Any]:
    return {
        "run_id": run.run_id,
        "label": run.label,
        "status": run.status,
        "started_at": run.started_at,
        "describe": dict(run.describe),
        "cases": dict(run.cases),
        "judge": None if run.judge is None else {key: run.judge.get(key) for key in ("type", "model", "identity")},
    }


def _metric(found: MetricComparison) -> dict[str, Any]:
    tags = {tag: _numbers(comparison) for tag, comparison in found.tags.items()}
    head = {"metric": found.metric, "direction": found.direction, "unit": found.unit}
    return {**head, **_numbers(found.overall), "tags": tags}


def _numbers(found: Comparison) -> dict[str, Any]:
    return {
        **found.as_json(),
        "n": found.n,
        "outcome": found.outcome,
        "needed": found.needed,
        "exact_p": found.exact_p,
        "scored_only_in": {"base": len(found.only_base), "cand": len(found.only_cand)},
    }


def _case(case: FlippedCase) -> dict[str, Any]:
    known = case.cand or case.base
    return {
        "case_id": case.case_id,
        "question": None if known is None else known.question,
        "changes": [
            {"metric": change.metric, "base": change.base, "cand": change.cand, "change": change.change}
            for change in case.changes
        ],
        "base": _side(case.base),
        "cand": _side(case.cand),
    }


def _side(result: CaseResult | None) -> dict[str, Any] | None:
    if result is None:
        return None
    return {
        "status": result.status,
        "error": result.error,
        "answer_text": result.answer_text,
        "retrieved_ids": None if result.retrieved is None else [chunk.id for chunk in result.retrieved],
    }
