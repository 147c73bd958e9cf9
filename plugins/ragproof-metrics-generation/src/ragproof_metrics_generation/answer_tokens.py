"""How long the answer is: ``generation.answer_tokens``."""

from __future__ import annotations

from ragproof_core import Outcome, Response, hookimpl, scored
from ragproof_metrics_generation.preconditions import MISSING

CHARACTERS_PER_TOKEN = 4


class AnswerTokens:
    """Length of the answer in tokens; neither long nor short is good in itself."""

    api_version = 1
    direction = "none"
    range = (0.0, None)
    unit = "tokens"
    description = "output tokens as the pipeline reports them, else the answer's characters / 4, rounded up"
    source = "usage.output_tokens of the answer"
    needs = ("answer",)

    @hookimpl
    def score(self, response: Response) -> Outcome:
        """Return the reported count, or the estimate with a note that it is one."""
        answer = response.answer
        if answer is None:
            return MISSING["answer"]
        if answer.usage is not None and answer.usage.output_tokens is not None:
            return scored(answer.usage.output_tokens)
        return scored(float(-(-len(answer.answer_text) // CHARACTERS_PER_TOKEN)), "estimated: 4 characters a token")
