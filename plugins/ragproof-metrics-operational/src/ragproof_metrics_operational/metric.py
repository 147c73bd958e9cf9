"""What the operational metrics have in common: their declarations, and the way from an answer to a number."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from ragproof_core import Answer, Outcome, Response, hookimpl, skipped
from ragproof_core.engine.needs import NEEDS

NO_ANSWER = skipped(NEEDS["answer"])


class Measure:
    """A number of 0 or more, the smaller the better unless a metric says otherwise."""

    api_version = 1
    direction = "lower"
    range: ClassVar[tuple[float | None, float | None]] = (0.0, None)


class AnswerMeasure(Measure, ABC):
    """A measure that is read from the adapter's answer."""

    needs = ("answer",)

    @hookimpl
    def score(self, response: Response) -> float | Outcome:
        """Return what the answer reports, or skip saying what it does not report."""
        answer = response.answer
        return NO_ANSWER if answer is None else self.read(answer)

    @abstractmethod
    def read(self, answer: Answer) -> float | Outcome:
        """Read the number from an answer."""
