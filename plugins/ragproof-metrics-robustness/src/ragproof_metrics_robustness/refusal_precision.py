"""``robustness.refusal_precision``: how often declining was right, and the whole picture of a run's refusals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ragproof_core import Case, Outcome, ScoreRow, hookimpl, scored, skipped
from ragproof_metrics_robustness.declining import Declining
from ragproof_metrics_robustness.refusal_picture import picture


class RefusalPrecision(Declining):
    """Whether the question of an answer that declined is unanswerable; the precision of refusing."""

    direction = "higher"
    description = "share of the declining answers whose question is unanswerable"
    kinds = ("qa", "unanswerable")

    def outcome(self, case: Case, note: str | None, *, declined: bool) -> Outcome:
        """Return 1.0 for a declined unanswerable question, 0.0 for another; an answer that answers is skipped."""
        if not declined:
            return skipped("answer does not decline")
        return scored(float(case.kind == "unanswerable"), note)

    @hookimpl
    def summarize(self, rows: Sequence[ScoreRow]) -> Mapping[str, float | None]:
        """Return precision, recall, F1, coverage and risk of the run; see :func:`.refusal_picture.picture`."""
        return picture(rows)
