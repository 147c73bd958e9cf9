"""Who should have been answered, and who was: abstention and overrefusal in one table."""

from __future__ import annotations

from dataclasses import dataclass

from ragproof_core.models.run import CaseResult

ABSTENTION = "robustness.abstention"
OVERREFUSAL = "robustness.overrefusal"


@dataclass(slots=True)
class Row:
    """Cases of one kind: answered, refused, and those where neither is known."""

    answered: int = 0
    refused: int = 0
    unknown: int = 0

    @property
    def known(self) -> int:
        """Answered and refused together."""
        return self.answered + self.refused

    def share(self, count: int) -> float | None:
        """Return a count as a share of the known ones."""
        return count / self.known if self.known else None


@dataclass(slots=True)
class AbstentionMatrix:
    """Answered and refused by whether the question has an answer."""

    answerable: Row
    unanswerable: Row

    @classmethod
    def empty(cls) -> AbstentionMatrix:
        """Return a matrix without cases."""
        return cls(Row(), Row())

    def add(self, result: CaseResult) -> None:
        """Take in one case; injections are no part of this."""
        if result.kind == "qa":
            row, outcome = self.answerable, result.scores.get(OVERREFUSAL)
        elif result.kind == "unanswerable":
            row, outcome = self.unanswerable, result.scores.get(ABSTENTION)
        else:
            return
        if outcome is None or outcome.value is None:
            row.unknown += 1
        elif outcome.value == 1.0:
            row.refused += 1
        else:
            row.answered += 1

    @property
    def is_empty(self) -> bool:
        """Whether no case tells anything."""
        return not (self.answerable.known or self.unanswerable.known)
