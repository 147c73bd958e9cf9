"""One metric over the stored runs of a project."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ragproof_core.models.run import RunRecord, Summary

_BARS = "▁▂▃▄▅▆▇█"


@dataclass(frozen=True, slots=True)
class TrendPoint:
    """A run's mean of the metric. ``changed`` says that it measured something else than the run before it.

    That is another dataset, k, kind of labels, judge, or version of its templates: the step is then no effect of the
    pipeline alone.
    """

    run: RunRecord
    summary: Summary
    mean: float
    changed: bool


def trend_points(runs: Sequence[RunRecord], metric: str) -> list[TrendPoint]:
    """Return the runs that scored the metric, oldest first; ``runs`` come newest first."""
    points: list[TrendPoint] = []
    for run in reversed(runs):
        for summary in run.summaries:
            if summary.metric == metric and summary.mean is not None:
                changed = bool(points) and _measured(points[-1].run) != _measured(run)
                points.append(TrendPoint(run, summary, summary.mean, changed))
    return points


def _measured(run: RunRecord) -> tuple[object, ...]:
    judge = run.judge or {}
    prompts = judge.get("prompts") or {}
    settings = run.settings
    asked = tuple(sorted(prompts.items()))
    return run.dataset.sha256, settings.k, settings.retrieve_k, settings.source_match, judge.get("identity"), asked


def trend(runs: Sequence[RunRecord], metric: str) -> Iterator[tuple[str, float]]:
    """Yield run id and mean of the runs that scored the metric, oldest first; ``runs`` come newest first."""
    return ((point.run.run_id, point.mean) for point in trend_points(runs, metric))


def spark(values: Sequence[float], breaks: Iterable[int] = ()) -> str:
    """Draw the values as a line of eight heights, the lowest to the highest of them.

    A bar ``│`` stands before each of the places in ``breaks``.
    """
    low, high = min(values), max(values)
    before = set(breaks)
    drawn = []
    for place, value in enumerate(values):
        height = len(_BARS) // 2 if high == low else round((value - low) / (high - low) * (len(_BARS) - 1))
        drawn.append(("│" if place in before else "") + _BARS[height])
    return "".join(drawn)


def trend_text(points: Sequence[TrendPoint]) -> str:
    """Return the line, its range, the newest value and the last step, with a word on the breaks in it."""
    values = [point.mean for point in points]
    breaks = [place for place, point in enumerate(points) if point.changed]
    text = f"{spark(values, breaks)}  {min(values):.3f} to {max(values):.3f}, newest {values[-1]:.3f}"
    if len(values) > 1 and not points[-1].changed:
        text += f" ({values[-1] - values[-2]:+.3f})"
    if points[-1].summary.direction == "lower":
        text += ", lower is better"
    return f"{text}; │ = another dataset, k, labels or judge" if breaks else text
