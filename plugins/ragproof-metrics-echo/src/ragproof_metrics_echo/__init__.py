"""The metric ``echo.exact_match``, and the smallest readable example of a metric package."""

from __future__ import annotations

from typing import ClassVar

from ragproof_core import Case, Outcome, Response, hookimpl, scored, skipped


class ExactMatch:
    """1.0 when the answer is the expected answer, white space at both ends aside, else 0.0."""

    api_version = 1
    direction = "higher"
    range: ClassVar = (0.0, 1.0)
    unit = "share"
    description = "1 when the answer equals the expected answer after stripping white space at both ends, else 0"
    source = "SQuAD (Rajpurkar et al., 2016), without its normalisation"
    needs = ("answer", "expected_answer")

    @hookimpl
    def score(self, case: Case, response: Response) -> Outcome:
        """Compare the two texts."""
        if case.expected_answer is None or response.answer is None:
            return skipped("needs an answer and an expected_answer")
        same = response.answer.answer_text.strip() == case.expected_answer.strip()
        return scored(1.0 if same else 0.0)
