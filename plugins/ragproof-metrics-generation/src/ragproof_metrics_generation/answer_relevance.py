"""Whether the answer addresses what was asked: ``generation.answer_relevance``."""

from __future__ import annotations

from typing import Literal

from ragproof_core import Case, Judge, Outcome, Prompt, Reply, Response, hookimpl
from ragproof_metrics_generation.bands import ask, scale
from ragproof_metrics_generation.conversation import asked
from ragproof_metrics_generation.preconditions import unmet


class RelevanceReply(Reply):
    """How much of the question the answer addresses."""

    verdict: Literal["relevant", "partial", "irrelevant"]


PROMPT = Prompt(
    "answer_relevance", "ragproof_metrics_generation", RelevanceReply, scale("relevant", "partial", "irrelevant")
)


class AnswerRelevance:
    """Whether the answer addresses the question, right or wrong."""

    api_version = 1
    direction = "higher"
    range = (0.0, 1.0)
    unit = "share"
    description = "does the answer address the question: relevant 1, partial 0.5, irrelevant 0"
    source = "Es et al. 2023, RAGAS (answer relevance); here a three-band verdict"
    needs = ("answer", "judge")
    prompts = (PROMPT,)

    @hookimpl
    def score(self, case: Case, response: Response, judge: Judge | None) -> Outcome:
        """Ask for the verdict; a blank answer addresses nothing and is 0 without asking."""
        if reason := unmet(self.needs, case, response, judge):
            return reason
        assert response.answer is not None and judge is not None  # noqa: PT018
        variables = {"question": asked(case), "answer": response.answer.answer_text}
        return ask(PROMPT, judge, variables)
