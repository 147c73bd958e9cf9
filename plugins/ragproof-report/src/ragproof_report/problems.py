"""What failed, by reason: pipeline errors, metrics that failed, judges without a usable verdict."""

from __future__ import annotations

from dataclasses import dataclass, field

from ragproof_core.models.run import CaseResult
from ragproof_report.case_lines import cut

MOST_IDS = 12
MOST_REASONS = 200
_WIDTH = 400


@dataclass(slots=True)
class Problem:
    """One reason, who gave it, how many cases it hit, and the first of them."""

    source: str
    reason: str
    count: int = 0
    case_ids: list[str] = field(default_factory=list)


class ProblemTally:
    """Groups failures by source and reason; beyond 200 reasons they are counted together."""

    def __init__(self) -> None:
        self._problems: dict[tuple[str, str], Problem] = {}

    def add(self, result: CaseResult) -> None:
        """Take in one case."""
        if result.status != "ok":
            self._count(f"pipeline {result.status}", result.error or "no reason given", result.case_id)
        for name, outcome in result.scores.items():
            if outcome.status in ("error", "judge_error"):
                source = name if outcome.status == "error" else f"{name} (judge)"
                self._count(source, outcome.reason or "no reason given", result.case_id)

    def _count(self, source: str, reason: str, case_id: str) -> None:
        key = (source, cut(reason, _WIDTH))
        if key not in self._problems and len(self._problems) >= MOST_REASONS:
            key = ("others", "more reasons, see 'ragproof show RUN --failures'")
        problem = self._problems.setdefault(key, Problem(*key))
        problem.count += 1
        if len(problem.case_ids) < MOST_IDS:
            problem.case_ids.append(cut(case_id, 60))

    def problems(self) -> tuple[Problem, ...]:
        """Return the reasons, the most frequent first."""
        return tuple(sorted(self._problems.values(), key=lambda problem: -problem.count))
