"""A comparison as text for a terminal or a pipe."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ragproof_core.models.run import RunRecord
from ragproof_core.reporting.numbers import counted
from ragproof_core.reporting.printable import one_line, printable
from ragproof_core.statistics import Comparison
from ragproof_gate.number_text import number, p_text, signed
from ragproof_gate.run_comparison import Family, MetricComparison, RunComparison, names

HEADERS = (
    "metric",
    "base",
    "cand",
    "difference",
    "95 % interval",
    "p",
    "adj. p",
    "up/down/equal",
    "detectable",
    "verdict",
)
TAG_HEADERS = ("metric", "tag", *HEADERS[1:])
_MOVED = ("worse", "better", "higher", "lower")


def head_lines(found: RunComparison) -> Iterator[str]:
    """What was compared: both runs with their failed cases, the common cases, and what is in one run only."""
    for name, run, failed in (("base", found.base, found.failed_base), ("cand", found.cand, found.failed_cand)):
        yield f"{name:<7} {_run(run)}"
        if failed:
            yield f"{'':<7} failed: {printable(names(failed))}"
    common = counted(found.common_cases, "case")
    yield f"common  {common}  labels: {found.base.settings.source_match}  k={found.base.settings.k}"
    for name, only in (("base", found.only_base), ("cand", found.only_cand)):
        if only:
            yield f"only in {name}: {counted(len(only), 'case')}: {printable(names(only))}"
    for name, metrics in (("base", found.metrics_only_base), ("cand", found.metrics_only_cand)):
        if metrics:
            yield f"only {name} has: {printable(names(metrics))}"
    for remark in found.remarks:
        yield f"note: {printable(remark)}"


def _run(run: RunRecord) -> str:
    label = f" ({one_line(run.label, 40)})" if run.label else ""
    counts = ", ".join(f"{run.cases.get(status, 0)} {status}" for status in ("ok", "error", "timeout"))
    describe = "  ".join(f"{key}={value}" for key, value in run.describe.items())
    total = run.cases.get("total", run.dataset.cases)
    return f"{run.run_id}{label} · {run.status} · {counted(total, 'case')}: {counts}  {one_line(describe, 60)}".rstrip()


def metric_rows(found: RunComparison) -> list[tuple[str, ...]]:
    """A row for each metric that both runs scored on some common case, in the comparison's order."""
    return [(_name(metric), *_cells(metric.overall)) for metric in found.metrics if metric.overall.n]


def tag_rows(found: RunComparison) -> list[tuple[str, ...]]:
    """A row for each metric and tag where a difference was found."""
    return [
        (_name(metric), one_line(tag, 24), *_cells(comparison))
        for metric in found.metrics
        for tag, comparison in metric.tags.items()
        if comparison.outcome in _MOVED
    ]


def _name(found: MetricComparison) -> str:
    return f"{printable(found.metric)}{' ↓' if found.direction == 'lower' else ''}"


def _cells(found: Comparison) -> tuple[str, ...]:
    interval = "-" if found.ci95 is None else f"{signed(found.ci95[0])} to {signed(found.ci95[1])}"
    return (
        number(found.base_mean),
        number(found.cand_mean),
        signed(found.difference),
        interval,
        p_text(found.p_value),
        p_text(found.p_adjusted),
        f"{found.up}/{found.down}/{found.equal}",
        number(found.detectable),
        found.verdict,
    )


def foot_lines(found: RunComparison, rows_by_tag: Sequence[object]) -> Iterator[str]:
    """How to read the table: which metrics moved together, what lacks pairs, what the columns mean."""
    for family in found.families():
        if family.better or family.worse:
            yield _moved(family)
    for metric in found.metrics:
        lost = len(metric.overall.only_base), len(metric.overall.only_cand)
        if metric.overall.n and any(lost):
            base, cand = counted(lost[0], "case"), lost[1]
            yield f"{printable(metric.metric)}: {base} scored in base only, {cand} in cand only, not paired"
    unpaired = [metric.metric for metric in found.metrics if not metric.overall.n]
    if unpaired:
        yield f"not scored on a common case: {printable(names(unpaired, 30))}"
    if not rows_by_tag and any(metric.tags for metric in found.metrics):
        yield "no tag shows a difference of its own; --json has the numbers"
    yield "↓ lower is better. adj. p: Holm over the metrics. detectable: what so many cases find 4 times in 5."


def _moved(family: Family) -> str:
    parts = [f"{len(moved)} {word} ({', '.join(map(_bare, moved))})" for word, moved in _directions(family) if moved]
    of = len(family.better) + len(family.worse) + family.other
    alone = "; it moved alone" if of > 1 and len(family.better) + len(family.worse) == 1 else ""
    return printable(f"{family.name}: of {counted(of, 'metric')} {', '.join(parts)}{alone}")


def _bare(metric: str) -> str:
    return metric.partition(".")[2] or metric


def _directions(family: Family) -> list[tuple[str, tuple[str, ...]]]:
    return [("better", family.better), ("worse", family.worse)]
