"""How badly a case went, so that the worst can be shown first."""

from __future__ import annotations

from collections.abc import Mapping
from math import fsum

from ragproof_core.models.run import CaseResult, Summary
from ragproof_core.reporting.metric_names import family

SHARE = ("", "share")


def bounded_directions(summaries: tuple[Summary, ...]) -> dict[str, str]:
    """Return the direction of each metric between 0 and 1 that has a good end."""
    return {s.metric: s.direction for s in summaries if s.unit in SHARE and s.direction in ("higher", "lower")}


def loss(result: CaseResult, directions: Mapping[str, str]) -> float:
    """Return the mean over families of metrics of the mean distance to the best score; 0 is perfect, 1 the worst.

    An errored metric counts as the worst score. Families weigh the same, so that nine retrieval metrics do not drown
    one verdict on the answer. A case without a score is 0.
    """
    by_family: dict[str, list[float]] = {}
    for name, outcome in result.scores.items():
        direction = directions.get(name)
        if direction is None:
            continue
        if outcome.value is not None:
            lost = 1.0 - outcome.value if direction == "higher" else outcome.value
        elif outcome.status in ("error", "judge_error"):
            lost = 1.0
        else:
            continue
        by_family.setdefault(family(name), []).append(min(max(lost, 0.0), 1.0))
    if not by_family:
        return 0.0
    return fsum(fsum(values) / len(values) for values in by_family.values()) / len(by_family)
