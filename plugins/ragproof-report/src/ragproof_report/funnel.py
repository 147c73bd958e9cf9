"""The four stages of an answer side by side, and where each case was lost first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from ragproof_core.models.run import CaseResult, Summary

STAGES = ("funnel.retrieved", "funnel.in_context", "funnel.used", "funnel.correct")
_TITLES = {
    "funnel.retrieved": "all expected sources retrieved",
    "funnel.in_context": "all of them in the context",
    "funnel.used": "all of them cited",
    "funnel.correct": "answer correct",
}
MOST_IDS = 40


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage: its rate over the cases scored, and the cases that passed all before it and were lost here."""

    metric: str
    title: str
    summary: Summary
    lost: int
    lost_ids: tuple[str, ...]


class FunnelTally:
    """Finds the first stage at which each case was lost."""

    def __init__(self) -> None:
        self._lost: dict[str, list[str]] = defaultdict(list)
        self._counts: dict[str, int] = defaultdict(int)

    def add(self, result: CaseResult) -> None:
        """Take in one case."""
        for stage in STAGES:
            outcome = result.scores.get(stage)
            if outcome is not None and outcome.value == 0.0:
                self._counts[stage] += 1
                if len(self._lost[stage]) < MOST_IDS:
                    self._lost[stage].append(result.case_id)
                return

    def stages(self, summaries: Mapping[str, Summary]) -> tuple[Stage, ...]:
        """Return the stages that were scored, in their order."""
        return tuple(
            Stage(name, _TITLES[name], summaries[name], self._counts[name], tuple(self._lost[name]))
            for name in STAGES
            if name in summaries and summaries[name].scored
        )
