"""The scores of a stored run, turned from rows into columns."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from ragproof_core.models.run import CaseResult, RunRecord
from ragproof_core.plugins.component import Component


@dataclass(frozen=True)
class RunScores:
    """A run with its scored values.

    ``values`` maps a metric to its scored cases (case id to value), ``statuses`` every case that has a result to
    ``ok``, ``error`` or ``timeout``, ``tags`` a tag to its cases; all in dataset order.
    """

    run: RunRecord
    values: Mapping[str, Mapping[str, float]]
    statuses: Mapping[str, str]
    tags: Mapping[str, frozenset[str]]

    @cached_property
    def failed(self) -> tuple[str, ...]:
        """The cases whose adapter call failed or timed out."""
        return tuple(case_id for case_id, status in self.statuses.items() if status != "ok")

    def of(self, metric: str, tag: str | None = None) -> Mapping[str, float]:
        """The scored cases of a metric, all or those with a tag; empty for what the run does not have."""
        values = self.values.get(metric, {})
        if tag is None:
            return values
        tagged = self.tags.get(tag, frozenset())
        return {case_id: value for case_id, value in values.items() if case_id in tagged}


def read_scores(store: Component, run: RunRecord) -> RunScores:
    """Read a run's scores from the store. Raises :class:`StoreError` when the store cannot be read."""
    return scores_of(run, store.call("results", run_id=run.run_id))


def scores_of(run: RunRecord, results: Iterable[CaseResult]) -> RunScores:
    """Collect the scores of a run from its results, which are read once and not kept."""
    values: dict[str, dict[str, float]] = defaultdict(dict)
    statuses: dict[str, str] = {}
    tags: dict[str, list[str]] = defaultdict(list)
    for result in results:
        case_id = result.case_id
        statuses[case_id] = result.status
        for tag in result.tags:
            tags[tag].append(case_id)
        for metric, (status, value, _) in result.scores.items():
            if status == "scored" and value is not None:
                values[metric][case_id] = value
    by_tag = {tag: frozenset(tags[tag]) for tag in sorted(tags)}
    return RunScores(run, dict(values), statuses, by_tag)
