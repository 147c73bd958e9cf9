"""Whether the answer has the words and numbers that it must have: ``generation.keyword_hit``."""

from __future__ import annotations

from ragproof_core import Case, Outcome, Response, hookimpl, scored
from ragproof_metrics_generation.keywords.folding import fold
from ragproof_metrics_generation.keywords.pattern import keyword_of
from ragproof_metrics_generation.preconditions import MISSING

_HIT = scored(1.0)


class KeywordHit:
    """Whether every keyword of the case stands in the answer."""

    api_version = 1
    direction = "higher"
    range = (0.0, 1.0)
    unit = "share"
    description = "1 when every keyword of the case occurs in the answer as a whole word or number, else 0"
    source = "string matching after Unicode NFKC and case folding; no judge"
    needs = ("answer", "keywords")

    @hookimpl
    def score(self, case: Case, response: Response) -> Outcome:
        """Search every keyword; a 0 names those that were not found."""
        if response.answer is None:
            return MISSING["answer"]
        if not case.keywords:
            return MISSING["keywords"]
        text = fold(response.answer.answer_text)
        missed = [keyword for keyword in case.keywords if not keyword_of(keyword).occurs_in(text)]
        return scored(0.0, f"not in the answer: {', '.join(missed)}") if missed else _HIT
