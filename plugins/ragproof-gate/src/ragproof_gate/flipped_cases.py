"""The cases whose scores changed from one run to the other, with both answers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from ragproof_core.models.run import CaseResult
from ragproof_core.statistics import Direction
from ragproof_gate.number_text import same
from ragproof_gate.run_comparison import SHARE, RunComparison
from ragproof_gate.run_scores import RunScores

Change = Literal["better", "worse", "higher", "lower", "gained", "lost"]


@dataclass(frozen=True, slots=True)
class ScoreChange:
    """One metric's value for a case in both runs; None where it was not scored (``lost``, ``gained``)."""

    metric: str
    base: float | None
    cand: float | None
    change: Change


@dataclass(frozen=True, slots=True)
class FlippedCase:
    """A case that changed: its scores, and what each run recorded for it (None before they are read)."""

    case_id: str
    changes: tuple[ScoreChange, ...]
    base: CaseResult | None = None
    cand: CaseResult | None = None

    @property
    def worsened(self) -> int:
        """How many metrics say that the case got worse, less those that say better."""
        return sum({"worse": 1, "better": -1}.get(change.change, 0) for change in self.changes)


def flipped_cases(comparison: RunComparison, base: RunScores, cand: RunScores) -> list[FlippedCase]:
    """List the cases whose status or whose score in a share metric changed, those that got worse most first.

    Metrics in other units (milliseconds, tokens) change in every case and are left out.
    """
    changes: dict[str, list[ScoreChange]] = defaultdict(list)
    for found in sorted(comparison.metrics, key=lambda found: found.metric):
        if found.unit == SHARE:
            ours, theirs = base.of(found.metric), cand.of(found.metric)
            for case_id in ours.keys() | theirs.keys():
                change = _change(ours.get(case_id), theirs.get(case_id), found.direction)
                if change is not None:
                    values = ours.get(case_id), theirs.get(case_id)
                    changes[case_id].append(ScoreChange(found.metric, *values, change))
    order = {case_id: place for place, case_id in enumerate({**base.statuses, **cand.statuses})}
    changed_status = {c for c in order if base.statuses.get(c) != cand.statuses.get(c)}
    flipped = [FlippedCase(case_id, tuple(changes[case_id])) for case_id in changes.keys() | changed_status]
    newly_failed = {case.case_id for case in flipped if cand.statuses.get(case.case_id) not in ("ok", None)}
    return sorted(flipped, key=lambda c: (c.case_id not in newly_failed, -c.worsened, order[c.case_id]))


def with_answers(
    flipped: Iterable[FlippedCase], base: Iterable[CaseResult], cand: Iterable[CaseResult]
) -> list[FlippedCase]:
    """Add what both runs recorded; the results are read once, and only those of flipped cases are kept."""
    cases = list(flipped)
    wanted = {case.case_id for case in cases}
    ours, theirs = _pick(base, wanted), _pick(cand, wanted)
    return [replace(case, base=ours.get(case.case_id), cand=theirs.get(case.case_id)) for case in cases]


def _pick(results: Iterable[CaseResult], wanted: set[str]) -> Mapping[str, CaseResult]:
    return {result.case_id: result for result in results if result.case_id in wanted}


def _change(base: float | None, cand: float | None, direction: Direction) -> Change | None:
    if base is None or cand is None:
        return "lost" if cand is None else "gained"
    if same(base, cand, 1.0):
        return None
    if direction == "none":
        return "higher" if cand > base else "lower"
    return "better" if (cand > base) == (direction == "higher") else "worse"
