"""The last stage: the answer is right, as far as the run can tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ragproof_core import Outcome, ScoreRow, hookimpl, scored, skipped
from ragproof_metrics_funnel.stage import Stage, survival

DECIDED_BY = ("generation.answer_correctness", "generation.keyword_hit", "echo.exact_match")
"""The metrics that may decide, the most telling first."""

_UNDECIDED = skipped(f"none of {', '.join(DECIDED_BY)} is scored")
_VERDICTS = {(name, right): scored(float(right), f"by {name}") for name in DECIDED_BY for right in (True, False)}


class Correct(Stage):
    """The answer is correct by the first of :data:`DECIDED_BY` that is scored.

    It has no needs of its own, so that selecting it calls neither the adapter nor a judge.
    """

    description = "1 when the first scored of answer_correctness, keyword_hit and exact_match is 1, else 0"
    source = "the metric that decided, named beside the value"
    after = DECIDED_BY

    @hookimpl
    def score(self, outcomes: Mapping[str, Outcome]) -> Outcome:
        """Return the verdict of the first metric that has one; a partly correct answer (0.5) is not correct."""
        for name in DECIDED_BY:
            outcome = outcomes.get(name)
            if outcome is not None and outcome.status == "scored":
                return _VERDICTS[name, outcome.value == 1.0]
        return _UNDECIDED

    @hookimpl
    def summarize(self, rows: Sequence[ScoreRow]) -> Mapping[str, float | None]:
        """Return how often an answer is right, by whether it cites its sources and whether it got to see them."""
        return {
            "correct_given_used": survival(rows, "funnel.correct", "funnel.used"),
            "correct_given_in_context": survival(rows, "funnel.correct", "funnel.in_context"),
            "correct_without_context": survival(rows, "funnel.correct", "funnel.in_context", passed=False),
        }
