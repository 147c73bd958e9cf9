"""Whether the answer agrees with the expected one: ``generation.answer_correctness``."""

from __future__ import annotations

from typing import Literal

from ragproof_core import Case, Judge, Outcome, Prompt, Reply, Response, hookimpl
from ragproof_metrics_generation.bands import ask, scale
from ragproof_metrics_generation.conversation import asked
from ragproof_metrics_generation.preconditions import unmet


class CorrectnessReply(Reply):
    """How far the answer agrees with the reference answer."""

    verdict: Literal["correct", "partial", "wrong"]


PROMPT = Prompt(
    "answer_correctness", "ragproof_metrics_generation", CorrectnessReply, scale("correct", "partial", "wrong")
)


class AnswerCorrectness:
    """Whether the answer says what the expected answer says."""

    api_version = 1
    direction = "higher"
    range = (0.0, 1.0)
    unit = "share"
    description = "does the answer agree with the expected answer: correct 1, partial 0.5, wrong 0"
    source = "three-band comparison with a reference answer"
    needs = ("answer", "expected_answer", "judge")
    prompts = (PROMPT,)

    @hookimpl
    def score(self, case: Case, response: Response, judge: Judge | None) -> Outcome:
        """Ask for the verdict; a blank answer is wrong without asking."""
        if reason := unmet(self.needs, case, response, judge):
            return reason
        assert response.answer is not None and judge is not None  # noqa: PT018
        variables = {
            "question": asked(case),
            "expected_answer": case.expected_answer,
            "answer": response.answer.answer_text,
        }
        return ask(PROMPT, judge, variables)
