"""Whether the answer keeps its sentences short."""

from __future__ import annotations

import re

from pydantic import BaseModel, ConfigDict, Field

from ragproof_core import Outcome, Response, hookimpl, not_applicable, scored

_END = re.compile(r"[.!?。！？]")


class ShortSentences:
    """Share of the answer's sentences that have at most so many words."""

    api_version = 1
    direction = "higher"
    range = (0.0, 1.0)
    unit = "share"
    description = "sentences of at most max_words words / sentences of the answer"
    source = "Acme house style, section 2"
    needs = ("answer",)

    class Settings(BaseModel):
        """What users may write for the metric in ragproof.yaml."""

        model_config = ConfigDict(extra="forbid")

        max_words: int = Field(20, ge=1, description="words that a short sentence has at most")

    def __init__(self, settings: Settings) -> None:
        self._max_words = settings.max_words

    @hookimpl
    def score(self, response: Response) -> Outcome:
        """Count words between sentence ends; an answer without a word has no sentence."""
        assert response.answer is not None
        lengths = [len(sentence.split()) for sentence in _END.split(response.answer.answer_text)]
        lengths = [length for length in lengths if length]
        if not lengths:
            return not_applicable("answer has no sentence")
        return scored(sum(length <= self._max_words for length in lengths) / len(lengths))
