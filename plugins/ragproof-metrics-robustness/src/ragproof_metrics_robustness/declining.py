"""What the three metrics about declining have in common."""

from __future__ import annotations

from typing import ClassVar

from ragproof_core import Case, Judge, Outcome, Response, hookimpl, scored
from ragproof_metrics_robustness.decision import BLANK, NO_ANSWER, PROMPT, decide, text_of

_SOURCE = "selective question answering; refusal as in XSTest (Röttger et al. 2024) and NoMIRACL (Thakur et al. 2024)"


class Declining:
    """1 when the answer declined the question, 0 when it answered it."""

    api_version = 1
    range: ClassVar[tuple[float | None, float | None]] = (0.0, 1.0)
    unit = "share"
    source = _SOURCE
    needs = ("answer",)
    wants = ("judge",)
    prompts = (PROMPT,)

    @hookimpl
    def score(self, case: Case, response: Response, judge: Judge | None) -> Outcome:
        """Return 1.0 or 0.0 with a note on the sentence that decided; a blank answer is skipped."""
        answer = text_of(response)
        if answer is None:
            return NO_ANSWER
        if not answer or answer.isspace():
            return BLANK
        declined, note = decide(case, answer, judge)
        return self.outcome(case, note, declined=declined)

    def outcome(self, case: Case, note: str | None, *, declined: bool) -> Outcome:  # noqa: ARG002
        """Return the metric's value for a decision."""
        return scored(float(declined), note)
