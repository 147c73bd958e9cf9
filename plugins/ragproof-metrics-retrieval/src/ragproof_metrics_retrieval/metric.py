"""What the retrieval metrics have in common: their declarations, and the choice of k."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from pydantic import BaseModel, ConfigDict, Field

from ragproof_core import Case, Outcome, Response, RunSettings, hookimpl, skipped


class NoSettings(BaseModel):
    """A metric over the full list has nothing to set."""

    model_config = ConfigDict(extra="forbid")


class CutoffSettings(BaseModel):
    """The cut-off of a metric at k."""

    model_config = ConfigDict(extra="forbid")

    k: int | None = Field(None, ge=1, le=10_000, description="cut-off; default: run.k")


class RankedMetric(ABC):
    """Scores the ranked source ids of a case against its expected ids."""

    api_version = 1
    direction = "higher"
    range: ClassVar = (0.0, 1.0)
    unit = "share"
    needs: ClassVar[tuple[str, ...]] = ("retrieval", "expected_sources")
    _k: int | None = None

    @hookimpl
    def score(self, case: Case, response: Response, run: RunSettings) -> float | Outcome:
        """Return the metric's value for the case, 0 to 1."""
        ranked = response.ranked
        relevant = case.relevant
        if ranked is None:
            return skipped("adapter does not expose retrieval")
        if not relevant:
            return skipped("case has no expected_source_ids")
        return self.value(ranked, relevant, self._k or run.k)

    @abstractmethod
    def value(self, ranked: Sequence[str], relevant: frozenset[str], k: int) -> float:
        """Compute the metric; ``relevant`` is never empty, ``k`` at least 1."""


class FullListMetric(RankedMetric):
    """Looks at everything that was retrieved, whatever k is."""

    Settings = NoSettings

    def __init__(self, settings: NoSettings | None = None) -> None:
        """Take no settings: an unknown one is refused by name."""


class CutoffMetric(RankedMetric):
    """Looks at the first k; ``k`` from the metric's settings, else the run's."""

    Settings = CutoffSettings

    def __init__(self, settings: CutoffSettings | None = None) -> None:
        self._k = settings.k if settings is not None else None


def hits(ranked: Sequence[str], relevant: frozenset[str], k: int) -> int:
    """Return how many of the first ``k`` ids are relevant; ``ranked`` holds each id once."""
    return len(relevant.intersection(ranked[:k]))
