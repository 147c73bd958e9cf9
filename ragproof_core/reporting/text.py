"""The one-screen text of a run: the headline, and a table of the metrics that have a value or an error."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from ragproof_core.models.run import RunRecord, Summary
from ragproof_core.reporting.headline import headline
from ragproof_core.reporting.judge_check import calibrations_of
from ragproof_core.reporting.metric_names import reading_order
from ragproof_core.reporting.numbers import number
from ragproof_core.reporting.printable import one_line, printable

__all__ = ["HEADERS", "calibrations_of", "headline", "not_scored", "plain_text", "rows"]

HEADERS = ("metric", "mean", "95 % interval", "p50", "p95", "scored", "skipped", "errors")


def rows(run: RunRecord) -> Iterator[tuple[str, ...]]:
    """Yield a row a metric: name, mean, interval, p50, p95, scored of total, skipped, errors.

    A metric without a score and without an error has no row; :func:`not_scored` names it.
    """
    total = run.cases.get("total", run.dataset.cases)
    for summary in sorted(run.summaries, key=lambda summary: reading_order(summary.metric)):
        if _is_idle(summary):
            continue
        interval = "" if summary.ci95 is None else f"{number(summary.ci95[0])} to {number(summary.ci95[1])}"
        yield (
            f"{summary.metric}{' ↓' if summary.direction == 'lower' else ''}",
            number(summary.mean),
            interval,
            number(summary.p50),
            number(summary.p95),
            f"{summary.scored}/{total}",
            str(summary.skipped + summary.not_applicable),
            str(summary.errors),
        )


def not_scored(run: RunRecord) -> Iterator[str]:
    """Yield lines that say which metrics have no value at all, and why; those with a reason of their own share one."""
    by_reason: dict[str, list[str]] = defaultdict(list)
    for summary in sorted(run.summaries, key=lambda summary: reading_order(summary.metric)):
        if _is_idle(summary):
            by_reason[next(iter(summary.skip_reasons), "no case was scored")].append(printable(summary.metric))
    alone = []
    for reason, metrics in by_reason.items():
        if len(metrics) == 1:
            alone.append(f"{metrics[0]} ({one_line(reason, 120)})")
        else:
            yield f"not scored: {', '.join(metrics)} ({one_line(reason, 120)})"
    if alone:
        yield f"not scored: {', '.join(alone)}"


def _is_idle(summary: Summary) -> bool:
    return not summary.scored and not summary.errors


def plain_text(run: RunRecord) -> str:
    """Return the whole report as plain text, for notebooks and pipes."""
    table = [HEADERS, *rows(run)]
    widths = [max(len(row[column]) for row in table) for column in range(len(HEADERS))]
    lines = [
        f"{printable(run.project)} · run {run.run_id}{f' ({one_line(run.label)})' if run.label else ''} · {run.status}",
        *headline(run),
        "",
    ]
    for row in table:
        first, *rest = row
        cells = [f"{first:<{widths[0]}}", *(f"{c:>{w}}" for c, w in zip(rest, widths[1:], strict=True))]
        lines.append("  ".join(cells).rstrip())
    idle = list(not_scored(run))
    return "\n".join([*lines, *(["", *idle] if idle else [])])
