"""Which cases of a run want a look."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from ragproof_core.models.run import CaseResult, Summary

_WORST = {"higher": 0.0, "lower": 1.0}
_STAGES = ("funnel.retrieved", "funnel.in_context", "funnel.used", "funnel.correct")


def failures(results: Iterable[CaseResult], summaries: Sequence[Summary]) -> Iterator[CaseResult]:
    """Yield the cases whose adapter failed, whose metrics errored, or that have the worst score of some metric."""
    worst = {summary.metric: _WORST.get(summary.direction) for summary in summaries if summary.unit == "share"}
    for result in results:
        if result.status != "ok" or any(
            outcome.status in ("error", "judge_error")
            or (outcome.value is not None and outcome.value == worst.get(name))
            for name, outcome in result.scores.items()
        ):
            yield result


def lost_by_stage(results: Iterable[CaseResult]) -> list[tuple[str, list[str]]]:
    """List, for each stage of the funnel, the ids of the cases that are lost there first."""
    lost: dict[str, list[str]] = defaultdict(list)
    for result in results:
        for stage in _STAGES:
            outcome = result.scores.get(stage)
            if outcome is not None and outcome.value == 0.0:
                lost[stage].append(result.case_id)
                break
    return [(stage, lost[stage]) for stage in _STAGES if stage in lost]
