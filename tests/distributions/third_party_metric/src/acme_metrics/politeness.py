"""Whether the answer is polite, by a judge."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from ragproof_core import Case, Judge, Outcome, Prompt, Reply, Response, hookimpl, not_applicable, scored

_SCORES = {"polite": 1.0, "neutral": 0.5, "rude": 0.0}


class Tone(Reply):
    """The judge's reply."""

    tone: Literal["polite", "neutral", "rude"]


def _score(reply: Tone, variables: Mapping[str, Any]) -> float:
    del variables
    return _SCORES[reply.tone]


PROMPT = Prompt("acme_tone", "acme_metrics", Tone, _score)


class Politeness:
    """Tone of the answer: polite 1.0, neutral 0.5, rude 0.0."""

    api_version = 1
    direction = "higher"
    range = (0.0, 1.0)
    unit = "share"
    description = "polite 1.0, neutral 0.5, rude 0.0"
    source = "Acme house style, section 1"
    needs = ("answer", "judge")
    prompts = (PROMPT,)

    @hookimpl
    def score(self, case: Case, response: Response, judge: Judge) -> Outcome:
        """Ask once; a blank answer has no tone."""
        assert response.answer is not None
        if not response.answer.answer_text.strip():
            return not_applicable("answer is blank")
        variables = {"question": case.question, "answer": response.answer.answer_text}
        return scored(_score(judge.ask(PROMPT, variables), variables))
