"""Whether the answer has all that the expected one has: ``generation.completeness``."""

from __future__ import annotations

from typing import Literal

from ragproof_core import Case, Judge, Outcome, Prompt, Reply, Response, hookimpl
from ragproof_metrics_generation.bands import ask, scale
from ragproof_metrics_generation.conversation import asked
from ragproof_metrics_generation.preconditions import unmet


class CompletenessReply(Reply):
    """How much of the reference answer the answer contains."""

    verdict: Literal["complete", "partial", "missing"]


PROMPT = Prompt(
    "completeness", "ragproof_metrics_generation", CompletenessReply, scale("complete", "partial", "missing")
)


class Completeness:
    """Whether the answer has every point of the expected answer; what it says beyond them does not count."""

    api_version = 1
    direction = "higher"
    range = (0.0, 1.0)
    unit = "share"
    description = "points of the expected answer in the answer: complete 1, partial 0.5, missing 0"
    source = "three-band comparison with a reference answer"
    needs = ("answer", "expected_answer", "judge")
    prompts = (PROMPT,)

    @hookimpl
    def score(self, case: Case, response: Response, judge: Judge | None) -> Outcome:
        """Ask for the verdict; in a blank answer everything is missing, without asking."""
        if reason := unmet(self.needs, case, response, judge):
            return reason
        assert response.answer is not None and judge is not None  # noqa: PT018
        variables = {
            "question": asked(case),
            "expected_answer": case.expected_answer,
            "answer": response.answer.answer_text,
        }
        return ask(PROMPT, judge, variables)
