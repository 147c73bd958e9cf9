"""The four roles as pluggy hook specifications.

Every hook is ``firstresult``: one component is called, and ``None`` means that it has no such hook. An implementation
lists only the arguments it wants; it may be ``async def``. Arguments are only ever added here, never taken away.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pluggy

if TYPE_CHECKING:
    from ragproof_core.models.case import Case
    from ragproof_core.models.judging import Judge, JudgeReply, JudgeRequest
    from ragproof_core.models.outcome import Outcome
    from ragproof_core.models.response import Answer, Chunk, Response
    from ragproof_core.models.run import (
        CacheEntry,
        Calibration,
        CaseResult,
        RunRecord,
        RunSettings,
        ScoreRow,
        Summary,
    )

PROJECT = "ragproof"
API_VERSION = 1

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


class AdapterSpec:
    """The pipeline under test. It never sees the expected answer or sources."""

    @hookspec(firstresult=True)
    def retrieve(
        self, question: str, k: int, history: list[dict[str, str]], metadata: Mapping[str, Any]
    ) -> Sequence[Chunk | Mapping[str, Any]]:
        """Return up to ``k`` chunks (or dicts of a chunk's shape) for the question, best first."""
        raise NotImplementedError

    @hookspec(firstresult=True)
    def answer(
        self, question: str, history: list[dict[str, str]], metadata: Mapping[str, Any]
    ) -> Answer | Mapping[str, Any] | str:
        """Answer the question: an ``Answer``, a dict of its shape, or just the text."""
        raise NotImplementedError

    @hookspec(firstresult=True)
    def retrieve_exact(self, question: str, k: int) -> Sequence[Chunk | Mapping[str, Any]]:
        """Return the true top ``k`` by exhaustive search, to measure an approximate index against."""
        raise NotImplementedError

    @hookspec(firstresult=True)
    def close(self) -> None:
        """Release what the adapter holds; called once at the end of a run."""
        raise NotImplementedError


class MetricSpec:
    """One number about one case."""

    @hookspec(firstresult=True)
    def score(
        self,
        case: Case,
        response: Response,
        judge: Judge | None,
        run: RunSettings,
        outcomes: Mapping[str, Outcome],
    ) -> Outcome | float:
        """Return the outcome on this case; ``outcomes`` has those of the metrics named in ``after``."""
        raise NotImplementedError

    @hookspec(firstresult=True)
    def summarize(self, rows: Sequence[ScoreRow], run: RunSettings) -> Mapping[str, float | None]:
        """Return named values of the whole run (an F1, a coverage), shown beside the metric."""
        raise NotImplementedError


class JudgeSpec:
    """A model that gives verdicts."""

    @hookspec(firstresult=True)
    def complete(self, request: JudgeRequest) -> JudgeReply:
        """Send the request, return the raw reply; raise ``JudgeError`` with the reason when there is none."""
        raise NotImplementedError

    @hookspec(firstresult=True)
    def close(self) -> None:
        """Release connections; called once at the end of a run."""
        raise NotImplementedError


class StoreSpec:
    """Where runs, results, judge replies and calibrations are kept. Called from any thread."""

    @hookspec(firstresult=True)
    def open_run(self, run: RunRecord) -> None:
        """Record a new run, or the same run opened again to be resumed."""
        raise NotImplementedError

    @hookspec(firstresult=True)
    def add_results(self, run_id: str, results: Sequence[CaseResult]) -> None:
        """Store a batch, durably, before returning; a case that is there already is replaced."""
        raise NotImplementedError

    @hookspec(firstresult=True)
    def finish_run(
        self, run_id: str, status: str, summaries: Sequence[Summary], cost_usd: float, run: RunRecord
    ) -> None:
        """Record how the run ended; ``run`` is the whole record with the final values."""
        raise NotImplementedError

    @hookspec(firstresult=True)
    def runs(self) -> Sequence[RunRecord]:
        """Return all runs, newest first, with their summaries."""
        raise NotImplementedError

    @hookspec(firstresult=True)
    def results(self, run_id: str) -> Iterable[CaseResult]:
        """Return a run's results in dataset order; may be read lazily."""
        raise NotImplementedError

    @hookspec(firstresult=True)
    def cache_get(self, keys: Sequence[str]) -> Mapping[str, str]:
        """Return the cached replies among these keys."""
        raise NotImplementedError

    @hookspec(firstresult=True)
    def cache_put(self, entries: Sequence[CacheEntry]) -> None:
        """Keep usable judge replies; an entry that is there already may be replaced."""
        raise NotImplementedError

    @hookspec(firstresult=True)
    def add_calibration(self, calibration: Calibration) -> None:
        """Keep a calibration's outcome."""
        raise NotImplementedError

    @hookspec(firstresult=True)
    def calibrations(self) -> Sequence[Calibration]:
        """Return all calibrations, newest first."""
        raise NotImplementedError

    @hookspec(firstresult=True)
    def close(self) -> None:
        """Close the store; called once."""
        raise NotImplementedError


SPECS: Mapping[str, type] = {
    "adapter": AdapterSpec,
    "metric": MetricSpec,
    "judge": JudgeSpec,
    "store": StoreSpec,
}
