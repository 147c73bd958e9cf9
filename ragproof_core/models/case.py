"""One line of a dataset: a question, and what a good pipeline does with it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, StringConstraints
from pydantic.dataclasses import dataclass

CaseKind = Literal["qa", "unanswerable", "injection"]

NonBlank = Annotated[str, StringConstraints(pattern=r"\S")]
Gain = Annotated[float, Field(ge=0, allow_inf_nan=False)]

_INPUT = ConfigDict(extra="forbid", coerce_numbers_to_str=True, defer_build=True)


@dataclass(frozen=True, slots=True, config=_INPUT)
class Turn:
    """An earlier turn of the conversation."""

    role: NonBlank
    content: str


@dataclass(frozen=True, slots=True, config=_INPUT)
class Case:
    """One test case.

    ``expected_source_grades`` maps a source id to its gain (0 or more, linear); the ids with a gain above 0 are the
    expected ids when ``expected_source_ids`` is empty. Ids given as numbers are read as strings.
    """

    id: NonBlank
    question: NonBlank
    kind: CaseKind = "qa"
    expected_answer: str | None = None
    expected_source_ids: tuple[NonBlank, ...] = ()
    expected_source_grades: dict[str, Gain] | None = None
    adversarial_payload: NonBlank | None = None
    keywords: tuple[NonBlank, ...] = ()
    history: tuple[Turn, ...] = ()
    tags: tuple[NonBlank, ...] = ()
    metadata: dict[str, Any] = Field(default_factory=dict)

    @property
    def relevant(self) -> frozenset[str]:
        """The expected source ids; from the grades where no ids are given."""
        if self.expected_source_ids or not self.expected_source_grades:
            return frozenset(self.expected_source_ids)
        return frozenset(source for source, gain in self.expected_source_grades.items() if gain > 0)
