"""One metric over the stored runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ragproof_core.models.run import RunRecord

_BARS = "▁▂▃▄▅▆▇█"


def trend(runs: Sequence[RunRecord], metric: str) -> Iterator[tuple[str, float]]:
    """Yield run id and mean of the runs that scored the metric, oldest first; ``runs`` come newest first."""
    for run in reversed(runs):
        for summary in run.summaries:
            if summary.metric == metric and summary.mean is not None:
                yield run.run_id, summary.mean


def spark(values: Sequence[float]) -> str:
    """Draw the values as a line of eight heights, the lowest to the highest of them."""
    low, high = min(values), max(values)
    if high == low:
        return _BARS[len(_BARS) // 2] * len(values)
    return "".join(_BARS[round((value - low) / (high - low) * (len(_BARS) - 1))] for value in values)
