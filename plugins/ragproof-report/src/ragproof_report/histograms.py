"""How the scores of a metric are spread."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ragproof_core.models.run import CaseResult, Summary
from ragproof_core.reporting.metric_names import reading_order
from ragproof_core.reporting.numbers import amount

_BINS = 10


@dataclass(frozen=True, slots=True)
class Bar:
    """A bin: its range as text, and how many cases fall in it."""

    label: str
    count: int


@dataclass(frozen=True, slots=True)
class Histogram:
    """A metric's scores in ten equal bins, from 0 to 1 for shares and from the least to the largest otherwise."""

    summary: Summary
    bars: tuple[Bar, ...]
    low: str
    high: str

    @property
    def highest(self) -> int:
        """The largest count of a bin."""
        return max(bar.count for bar in self.bars)

    @property
    def spoken(self) -> str:
        """The histogram in words, for those who cannot see it."""
        return "; ".join(f"{bar.label}: {bar.count}" for bar in self.bars if bar.count)


class ScoreTally:
    """The scored values of every metric, eight bytes each."""

    def __init__(self) -> None:
        self.values: dict[str, array[float]] = {}

    def add(self, result: CaseResult) -> None:
        """Take in one case."""
        for name, outcome in result.scores.items():
            if outcome.value is not None:
                self.values.setdefault(name, array("d")).append(outcome.value)

    def histograms(self, summaries: Mapping[str, Summary]) -> tuple[Histogram, ...]:
        """Return a histogram for each metric with a value, in reading order."""
        names = sorted((name for name in self.values if name in summaries), key=reading_order)
        return tuple(histogram(summaries[name], self.values[name]) for name in names)


def histogram(summary: Summary, values: Sequence[float]) -> Histogram:
    """Return the histogram of at least one value; a value on an inner edge belongs to the bin above it."""
    low, high = min(values), max(values)
    if summary.unit in ("", "share") and low >= 0.0 and high <= 1.0:
        low, high = 0.0, 1.0
    unit = summary.unit
    if high == low:
        return Histogram(summary, (Bar(amount(low, unit), len(values)),), amount(low, unit), amount(high, unit))
    counts = [0] * _BINS
    for value in values:
        counts[min(int((value - low) / (high - low) * _BINS + 1e-9), _BINS - 1)] += 1
    edges = [low + (high - low) * place / _BINS for place in range(_BINS + 1)]
    bars = tuple(
        Bar(f"{amount(edges[place], unit)} to {amount(edges[place + 1], unit)}", count)
        for place, count in enumerate(counts)
    )
    return Histogram(summary, bars, amount(low, unit), amount(high, unit))
