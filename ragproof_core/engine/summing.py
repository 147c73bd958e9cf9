"""One summary row a metric: mean, nearest-rank percentiles, counts, tags, and the metric's own named values."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from math import isfinite, isnan

from ragproof_core.engine.columns import Column, Columns
from ragproof_core.engine.selection import Metric
from ragproof_core.errors import reason_of
from ragproof_core.models.case import Case
from ragproof_core.models.run import RunSettings, ScoreRow, Summary, TagSummary
from ragproof_core.statistics import available, mean, mean_interval, percentiles

_PERCENTILES = (0.5, 0.95, 0.99)


def summarize(
    metrics: Sequence[Metric], columns: Columns, run: RunSettings, warn: Callable[[str], None]
) -> tuple[Summary, ...]:
    """Sum up a run, a row a metric in the metrics' order; failed cases count as errors of every metric."""
    by_tag = _indexes_by_tag(columns.cases)
    named = _named_values(metrics, columns, run, warn)
    interval = mean_interval if available() else _no_interval
    return tuple(
        _summary(metric, columns.metrics[metric.name], columns.failed, by_tag, named.get(metric.name, {}), interval)
        for metric in metrics
    )


def _no_interval(values: Sequence[float]) -> None:  # noqa: ARG001
    return None


def _named_values(
    metrics: Sequence[Metric], columns: Columns, run: RunSettings, warn: Callable[[str], None]
) -> Mapping[str, Mapping[str, float | None]]:
    summing = [metric for metric in metrics if "summarize" in metric.component.hooks]
    rows = columns.rows() if summing else []
    return {metric.name: _named(metric, rows, run, warn) for metric in summing}


def _indexes_by_tag(cases: Sequence[Case]) -> Mapping[str, list[int]]:
    by_tag: dict[str, list[int]] = defaultdict(list)
    for index, case in enumerate(cases):
        for tag in dict.fromkeys(case.tags):
            by_tag[tag].append(index)
    return dict(sorted(by_tag.items()))


def _summary(
    metric: Metric,
    column: Column,
    failed: int,
    by_tag: Mapping[str, list[int]],
    named: Mapping[str, float | None],
    interval: Callable[[Sequence[float]], tuple[float, float] | None],
) -> Summary:
    values = column.scored()  # one column at a time: as objects they take four times the memory
    p50, p95, p99 = percentiles(values, _PERCENTILES)
    return Summary(
        metric=metric.name,
        direction=metric.direction,
        unit=metric.unit,
        mean=mean(values),
        p50=p50,
        p95=p95,
        p99=p99,
        ci95=interval(values),
        scored=len(values),
        skipped=column.count("skipped"),
        not_applicable=column.count("not_applicable"),
        errors=column.count("error", "judge_error") + failed,
        values=named,
        skip_reasons=column.reasons("skipped", "not_applicable"),
        error_reasons=column.reasons("error", "judge_error"),
        tags={tag: _tag(column, indexes) for tag, indexes in by_tag.items()},
    )


def _tag(column: Column, indexes: Sequence[int]) -> TagSummary:
    if column.values is None:
        return TagSummary(None, 0)
    values = [value for value in map(column.values.__getitem__, indexes) if not isnan(value)]
    return TagSummary(mean(values), len(values))


def _named(
    metric: Metric, rows: Sequence[ScoreRow], run: RunSettings, warn: Callable[[str], None]
) -> Mapping[str, float | None]:
    try:
        found = metric.component.call("summarize", rows=rows, run=run)
        return {str(name): _finite(value) for name, value in dict(found).items()}
    except KeyboardInterrupt:
        raise
    except BaseException as problem:
        warn(f"{metric.name}: its summary failed: {reason_of(problem)}")
        return {}


def _finite(value: float | None) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not isfinite(value):
        raise TypeError(f"a named value is {value!r}; expected a finite number or None")
    return float(value)
