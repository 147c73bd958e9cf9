"""``min`` and ``max``: a metric's mean against a limit, unrounded."""

from __future__ import annotations

from collections.abc import Iterator

from ragproof_core.models.run import Summary
from ragproof_core.reporting.numbers import counted
from ragproof_gate.gate_checks import Check, Rule
from ragproof_gate.gate_config import Limits
from ragproof_gate.number_text import beside, limit_text, number, same


def level_checks(summary: Summary, tag: str | None, limits: Limits) -> Iterator[Check]:
    """Yield the checks of ``min`` and ``max``; none when nothing was scored (``min_scored`` reports that)."""
    part = summary.tags.get(tag) if tag is not None else None
    mean, scored = (summary.mean, summary.scored) if tag is None else (part.mean, part.scored) if part else (None, 0)
    if mean is None:
        return
    interval = summary.ci95 if tag is None else None
    if limits.min is not None:
        met = mean >= limits.min or same(mean, limits.min)
        yield _check(summary.metric, tag, "min", mean, limits.min, met=met, scored=scored, interval=interval)
    if limits.max is not None:
        met = mean <= limits.max or same(mean, limits.max)
        yield _check(summary.metric, tag, "max", mean, limits.max, met=met, scored=scored, interval=interval)


def _check(
    metric: str,
    tag: str | None,
    rule: Rule,
    mean: float,
    limit: float,
    *,
    met: bool,
    scored: int,
    interval: tuple[float, float] | None,
) -> Check:
    sign = {("min", True): "≥", ("min", False): "<", ("max", True): "≤", ("max", False): ">"}[rule, met]
    spread = "" if interval is None else f", 95 % interval {number(interval[0])} to {number(interval[1])}"
    detail = f"{beside(mean, limit)} {sign} {limit_text(limit)}, mean of {counted(scored, 'case')}{spread}"
    return Check(metric, tag, rule, "pass" if met else "fail", mean, limit, detail)
