"""The metrics over the project's runs up to this one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ragproof_core.models.run import RunRecord, Summary
from ragproof_core.reporting.trend import TrendPoint, trend_points

MOST_RUNS = 30
_WIDTH, _HEIGHT, _MARGIN = 220, 44, 6


@dataclass(frozen=True, slots=True)
class Dot:
    """A run's mean as a point of the drawing."""

    x: float
    y: float
    point: TrendPoint


@dataclass(frozen=True, slots=True)
class Trend:
    """A metric's line: its points from the oldest to the newest, cut where a run measured something else."""

    summary: Summary
    dots: tuple[Dot, ...]
    width: int = _WIDTH
    height: int = _HEIGHT

    @property
    def lines(self) -> list[str]:
        """SVG point lists, one a stretch of comparable runs."""
        stretches: list[list[Dot]] = [[]]
        for dot in self.dots:
            if dot.point.changed:
                stretches.append([])
            stretches[-1].append(dot)
        return [" ".join(f"{dot.x:.1f},{dot.y:.1f}" for dot in stretch) for stretch in stretches if len(stretch) > 1]

    @property
    def step(self) -> float | None:
        """The change against the run before, unless that measured something else."""
        if len(self.dots) < 2 or self.dots[-1].point.changed:  # noqa: PLR2004
            return None
        return self.dots[-1].point.mean - self.dots[-2].point.mean


def trends(run: RunRecord, runs: Sequence[RunRecord], metrics: Sequence[str]) -> tuple[Trend, ...]:
    """Return the trend of each metric that at least two runs scored; ``runs`` come newest first."""
    until = [r for r in runs if r.project == run.project and r.started_at <= run.started_at][:MOST_RUNS]
    found = []
    for metric in metrics:
        points = trend_points(until, metric)
        if len(points) > 1 and points[-1].run.run_id == run.run_id:
            found.append(Trend(points[-1].summary, _dots(points)))
    return tuple(found)


def _dots(points: Sequence[TrendPoint]) -> tuple[Dot, ...]:
    low, high = min(point.mean for point in points), max(point.mean for point in points)
    across = (_WIDTH - 2 * _MARGIN) / (len(points) - 1)
    tall = _HEIGHT - 2 * _MARGIN

    def height(mean: float) -> float:
        return _HEIGHT / 2 if high == low else _HEIGHT - _MARGIN - (mean - low) / (high - low) * tall

    return tuple(Dot(_MARGIN + place * across, height(point.mean), point) for place, point in enumerate(points))
