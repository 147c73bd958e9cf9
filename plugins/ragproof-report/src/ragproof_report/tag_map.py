"""The per-tag heat map: how far each tag is from the run's mean, in the direction that counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ragproof_core.models.run import Summary, TagSummary

Level = Literal["much-worse", "worse", "same", "better", "much-better", "none"]

MOST_TAGS = 40
_SOME, _MUCH = 0.05, 0.15
"""Distances from the mean: absolute for shares, relative to the mean for other units."""
FEW = 5


@dataclass(frozen=True, slots=True)
class Cell:
    """A tag's mean of a metric; ``few`` says that so few cases tell little."""

    mean: float | None
    scored: int
    level: Level
    few: bool


@dataclass(frozen=True, slots=True)
class TagMap:
    """Tags down, metrics across; what was left out is counted."""

    metrics: tuple[Summary, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]
    tags_left_out: int


def tag_map(summaries: Sequence[Summary], metrics: Sequence[str]) -> TagMap:
    """Return the map of ``metrics``, as far as they have scores by tag; the tags with most cases are kept."""
    by_name = {summary.metric: summary for summary in summaries}
    kept = [by_name[name] for name in metrics if any(part.scored for part in by_name[name].tags.values())]
    counts: dict[str, int] = {}
    for summary in kept:
        for tag, part in summary.tags.items():
            counts[tag] = max(counts.get(tag, 0), part.scored)
    tags = sorted((tag for tag, scored in counts.items() if scored), key=lambda tag: (-counts[tag], tag))
    rows = tuple((tag, tuple(_cell(summary, summary.tags.get(tag)) for summary in kept)) for tag in tags[:MOST_TAGS])
    return TagMap(tuple(kept), rows, max(len(tags) - MOST_TAGS, 0))


def _cell(summary: Summary, part: TagSummary | None) -> Cell:
    if part is None or part.mean is None or summary.mean is None:
        return Cell(None, 0, "none", few=False)
    return Cell(part.mean, part.scored, level(summary, part.mean), part.scored < FEW)


def level(summary: Summary, mean: float) -> Level:
    """Return how a mean compares with the run's; a higher ``overrefusal`` is worse."""
    overall = summary.mean or 0.0
    gap = mean - overall if summary.direction == "higher" else overall - mean
    if summary.unit not in ("", "share"):
        gap = gap / abs(overall) if overall else 0.0
    if abs(gap) < _SOME:
        return "same"
    if gap > 0:
        return "much-better" if gap >= _MUCH else "better"
    return "much-worse" if gap <= -_MUCH else "worse"
