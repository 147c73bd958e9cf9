"""Every limit of a gate held against a run: from rules and stored numbers to checks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ragproof_core.models.judging import Prompt
from ragproof_core.models.run import Calibration, RunRecord
from ragproof_gate.calibration_rule import calibration_check
from ragproof_gate.coverage_rules import (
    completed_check,
    error_rate_check,
    metric_error_check,
    scored_check,
    unknown_metric_check,
)
from ragproof_gate.drop_rule import drop_checks
from ragproof_gate.gate_checks import Check, GateResult
from ragproof_gate.gate_config import GateSection, Limits, Threshold
from ragproof_gate.level_rules import level_checks
from ragproof_gate.run_comparison import summaries_of
from ragproof_gate.run_scores import RunScores

_BY_JUDGE = ("min", "max", "max_drop")

Place = tuple[str, str | None]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a gate judges by.

    ``scores`` and ``baseline`` are needed for drops; ``no_baseline`` says why there is no baseline. ``prompts`` are
    those of the metrics that require a calibration (None: cannot be told), ``calibrations`` the stored ones, newest
    first.
    """

    run: RunRecord
    scores: RunScores | None = None
    baseline: RunScores | None = None
    no_baseline: str = "there is no baseline"
    prompts: Mapping[str, Sequence[Prompt] | None] = field(default_factory=dict)
    calibrations: Sequence[Calibration] = ()
    remarks: tuple[str, ...] = ()


def evaluate_gate(section: GateSection, evidence: Evidence) -> GateResult:
    """Check every limit of the section; the result says what was found and decides."""
    baseline = None if evidence.baseline is None else evidence.baseline.run
    return GateResult(evidence.run, baseline, tuple(_checks(section, evidence)), evidence.remarks)


def _checks(section: GateSection, evidence: Evidence) -> Iterator[Check]:
    run = evidence.run
    unfinished = completed_check(run)
    if unfinished is not None:
        yield unfinished
        if not run.summaries:
            return
    yield error_rate_check(run, section.max_error_rate)
    drops = _drops(section, evidence)
    for metric, threshold in section.thresholds.items():
        yield from _metric_checks(metric, threshold, section, evidence, drops)


def _metric_checks(
    metric: str, threshold: Threshold, section: GateSection, evidence: Evidence, drops: Mapping[Place, Check]
) -> Iterator[Check]:
    summary = summaries_of(evidence.run).get(metric)
    if summary is None:
        yield unknown_metric_check(metric, evidence.run.metrics)
        return
    limit = section.max_error_rate if threshold.max_error_rate is None else threshold.max_error_rate
    errors = metric_error_check(evidence.run, summary, limit)
    if errors is not None:
        yield errors
    trusted = True
    if threshold.require_calibration is not None:
        calibration = calibration_check(
            metric,
            threshold.require_calibration,
            evidence.run,
            evidence.prompts.get(metric),
            evidence.calibrations,
        )
        trusted = calibration.status != "warn"
        yield calibration
    places: list[tuple[str | None, Limits]] = [(None, threshold), *threshold.tags.items()]
    for tag, limits in places:
        found = (
            scored_check(summary, tag, limits, section),
            *level_checks(summary, tag, limits),
            drops.get((metric, tag)),
        )
        for check in found:
            if check is not None:
                yield check if trusted else _only_report(check)


def _drops(section: GateSection, evidence: Evidence) -> Mapping[Place, Check]:
    """The checks of ``max_drop`` on what the run has scored; the others are reported by ``min_scored``."""
    summaries = summaries_of(evidence.run)
    drops = [(metric, tag, limits) for metric, tag, limits in section.drops() if metric in summaries]
    if evidence.scores is not None and evidence.baseline is not None:
        return drop_checks(drops, summaries, evidence.scores, evidence.baseline, section)
    return {
        (metric, tag): Check(metric, tag, "max_drop", "warn", None, limits.max_drop, evidence.no_baseline)
        for metric, tag, limits in drops
    }


def _only_report(check: Check) -> Check:
    """A missed limit on the scores of a judge that nobody checked is a warning."""
    if check.rule in _BY_JUDGE and check.status == "fail":
        return replace(check, status="warn", detail=f"only reported, the judge is not calibrated: {check.detail}")
    return check
