"""``max_drop``: how much worse than the baseline, on the cases of both, and whether that is more than chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ragproof_core.models.run import Summary
from ragproof_core.reporting.numbers import counted
from ragproof_core.statistics import Comparison, compare_family
from ragproof_gate.gate_checks import Check, Status
from ragproof_gate.gate_config import GateSection, Limits, OnInconclusive
from ragproof_gate.number_text import beside, limit_text, number, p_text, same, signed
from ragproof_gate.run_comparison import paired
from ragproof_gate.run_scores import RunScores

ALPHA = 0.05
_STATUS: Mapping[OnInconclusive, Status] = {"warn": "warn", "fail": "fail", "pass": "inconclusive"}

Drop = tuple[str, str | None, Limits]


def drop_checks(
    drops: Sequence[Drop],
    summaries: Mapping[str, Summary],
    run: RunScores,
    baseline: RunScores,
    section: GateSection,
) -> dict[tuple[str, str | None], Check]:
    """Check every ``max_drop``, keyed by metric and tag; all of them are one family for Holm's correction.

    A drop beyond the limit fails when the corrected paired test finds the metric worse, and the drop is larger than
    the noise floor. Else it is inconclusive. For a metric where lower is better a drop is a rise.
    """
    found: dict[tuple[str, str | None], Check] = {}
    pairs = {}
    for metric, tag, limits in drops:
        summary = summaries[metric]
        if summary.direction == "none":
            detail = "the metric has no better or worse, so no drop; use min and max"
            found[metric, tag] = Check(metric, tag, "max_drop", "error", None, limits.max_drop, detail)
        else:
            pairs[metric, tag] = paired(baseline, run, summary, tag)
    compared = compare_family(pairs)
    for metric, tag, limits in drops:
        if (metric, tag) in compared:
            found[metric, tag] = _check(metric, tag, limits, compared[metric, tag], summaries[metric], section)
    return found


def _check(
    metric: str, tag: str | None, limits: Limits, found: Comparison, summary: Summary, section: GateSection
) -> Check:
    limit = limits.max_drop or 0.0
    if found.difference is None:
        detail = "no case is scored in both runs, so nothing can be said about a drop"
        return Check(metric, tag, "max_drop", "error", None, limit, detail)
    drop = (-found.difference if summary.direction == "higher" else found.difference) + 0.0
    scale = max(abs(found.base_mean or 0.0), abs(found.cand_mean or 0.0))
    detail = _evidence(found, drop, limit, scale, summary)
    if _within(drop, limit, scale):
        return Check(metric, tag, "max_drop", "pass", drop, limit, detail)
    doubt = _doubt(found, drop, limits.noise_floor or 0.0, scale)
    if doubt is None:
        return Check(metric, tag, "max_drop", "fail", drop, limit, detail)
    return Check(metric, tag, "max_drop", _STATUS[section.on_inconclusive], drop, limit, f"{detail}; {doubt}")


def _within(drop: float, limit: float, scale: float) -> bool:
    """0.75 to 0.72 is a drop of 0.03, though floats make it a little more."""
    return drop <= limit or same(drop, limit, scale)


def _doubt(found: Comparison, drop: float, floor: float, scale: float) -> str | None:
    """Why the drop may be none; None when it is certain."""
    if found.outcome != "worse":
        needed = f", about {counted(found.needed, 'case')} would settle it" if found.needed is not None else ""
        return f"may be chance{needed}"
    return f"within the noise floor of {limit_text(floor)}" if _within(drop, floor, scale) else None


def _evidence(found: Comparison, drop: float, limit: float, scale: float, summary: Summary) -> str:
    word = "rise" if summary.direction == "lower" else "drop"
    if drop > 0.0:
        sign = "≤" if _within(drop, limit, scale) else ">"
        head = f"{word} {beside(drop, limit, scale)} {sign} {limit_text(limit)}"
    else:
        head = f"no {word} (allowed {limit_text(limit)})"
    parts = [
        f"{head}: {number(found.base_mean)} to {number(found.cand_mean)} on {counted(found.n, 'common case')}",
        f"{found.up} up, {found.down} down",
    ]
    if found.ci95 is not None:
        low, high = found.ci95
        parts.append(f"difference {signed(found.difference)}, 95 % interval {signed(low)} to {signed(high)}")
    parts.append(f"p {p_text(found.p_value)}, corrected {p_text(found.p_adjusted)}")
    parts += [
        f"{len(only)} scored in the {name} only"
        for name, only in (("baseline", found.only_base), ("run", found.only_cand))
        if only
    ]
    return ", ".join(parts)
