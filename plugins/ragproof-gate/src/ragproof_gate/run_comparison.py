"""Two runs compared on the cases that both scored: every metric, and every metric by tag."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from ragproof_core.models.run import RunRecord, Summary
from ragproof_core.statistics import Comparison, Direction, PairedScores, compare_family, pair
from ragproof_gate.run_scores import RunScores

SHARE = "share"
_ORDER = {"worse": 0, "better": 1, "lower": 2, "higher": 2, "inconclusive": 3, "same": 4}


@dataclass(frozen=True, slots=True)
class MetricComparison:
    """One metric in two runs, and the same by tag (only tags that some common case has)."""

    metric: str
    direction: Direction
    unit: str
    overall: Comparison
    tags: Mapping[str, Comparison]


@dataclass(frozen=True, slots=True)
class Family:
    """Metrics that measure related things (``retrieval.*``), by what became of them."""

    name: str
    better: tuple[str, ...]
    worse: tuple[str, ...]
    other: int


@dataclass(frozen=True, slots=True)
class RunComparison:
    """Two runs compared. ``metrics`` begins with what changed: worse, better, moved, inconclusive, the same.

    ``common_cases`` are the cases that went well in both runs; ``only_base`` and ``only_cand`` those that have a result
    in one run only, ``failed_base`` and ``failed_cand`` those whose adapter call failed. The metrics that only one run
    has are ``metrics_only_base`` and ``metrics_only_cand``. ``remarks`` are sentences for the reader.
    """

    base: RunRecord
    cand: RunRecord
    common_cases: int
    metrics: tuple[MetricComparison, ...]
    only_base: tuple[str, ...]
    only_cand: tuple[str, ...]
    failed_base: tuple[str, ...]
    failed_cand: tuple[str, ...]
    metrics_only_base: tuple[str, ...]
    metrics_only_cand: tuple[str, ...]
    remarks: tuple[str, ...] = ()

    def families(self) -> list[Family]:
        """What became of each family of metrics: several that move together are believed sooner than one alone."""
        names = dict.fromkeys(family_of(found.metric) for found in sorted(self.metrics, key=lambda m: m.metric))
        return [self._family(name) for name in names]

    def _family(self, name: str) -> Family:
        members = [found for found in self.metrics if family_of(found.metric) == name]
        better = tuple(found.metric for found in members if found.overall.outcome == "better")
        worse = tuple(found.metric for found in members if found.overall.outcome == "worse")
        return Family(name, better, worse, len(members) - len(better) - len(worse))


def family_of(metric: str) -> str:
    """The part of a metric's name before the first dot."""
    return metric.partition(".")[0]


def compare_runs(base: RunScores, cand: RunScores, *, remarks: Sequence[str] = ()) -> RunComparison:
    """Compare two runs that may be compared (see ``require_comparable``).

    The metrics are one family for Holm's correction; the metrics by tag are a second one, so that a look at the tags
    costs the headline nothing.
    """
    ours, theirs = summaries_of(base.run), summaries_of(cand.run)
    shared = {name: theirs[name] for name in theirs if name in ours}
    pairs = {name: paired(base, cand, summary) for name, summary in shared.items()}
    overall = compare_family(pairs)
    by_tag = compare_family(_pairs_by_tag(cand, pairs))
    tags: dict[str, dict[str, Comparison]] = {name: {} for name in shared}
    for (name, tag), comparison in by_tag.items():
        tags[name][tag] = comparison
    found = [
        MetricComparison(name, cast("Direction", summary.direction), summary.unit, overall[name], tags[name])
        for name, summary in shared.items()
    ]
    return RunComparison(
        base=base.run,
        cand=cand.run,
        common_cases=sum(status == "ok" == cand.statuses.get(case_id) for case_id, status in base.statuses.items()),
        metrics=tuple(sorted(found, key=_what_changed_first)),
        only_base=_missing_from(base, cand),
        only_cand=_missing_from(cand, base),
        failed_base=base.failed,
        failed_cand=cand.failed,
        metrics_only_base=tuple(name for name in ours if name not in theirs),
        metrics_only_cand=tuple(name for name in theirs if name not in ours),
        remarks=tuple(remarks),
    )


def paired(base: RunScores, cand: RunScores, summary: Summary, tag: str | None = None) -> PairedScores:
    """The scores of one metric in both runs, matched by case, all or those with a tag."""
    return pair(
        base.of(summary.metric, tag),
        cand.of(summary.metric, tag),
        direction=cast("Direction", summary.direction),
        span=1.0 if summary.unit == SHARE else None,
    )


def summaries_of(run: RunRecord) -> dict[str, Summary]:
    """The run's summary rows by metric."""
    return {summary.metric: summary for summary in run.summaries}


def _pairs_by_tag(cand: RunScores, pairs: Mapping[str, PairedScores]) -> dict[tuple[str, str], PairedScores]:
    """Pairs by metric and tag, without the tags that no common case has, or every one (the metric itself again)."""
    found = {}
    places: dict[tuple[str, ...], dict[str, list[int]]] = {}
    for name, whole in pairs.items():
        if whole.case_ids not in places:
            places[whole.case_ids] = _places_by_tag(whole.case_ids, cand.tags)
        for tag, chosen in places[whole.case_ids].items():
            if 0 < len(chosen) < len(whole.case_ids):
                found[name, tag] = _part(whole, chosen, cand.tags[tag])
    return found


def _places_by_tag(case_ids: Sequence[str], tags: Mapping[str, frozenset[str]]) -> dict[str, list[int]]:
    return {tag: [place for place, case_id in enumerate(case_ids) if case_id in tags[tag]] for tag in tags}


def _part(whole: PairedScores, places: Sequence[int], tagged: frozenset[str]) -> PairedScores:
    return replace(
        whole,
        case_ids=tuple(map(whole.case_ids.__getitem__, places)),
        base=tuple(map(whole.base.__getitem__, places)),
        cand=tuple(map(whole.cand.__getitem__, places)),
        only_base=tuple(case_id for case_id in whole.only_base if case_id in tagged),
        only_cand=tuple(case_id for case_id in whole.only_cand if case_id in tagged),
    )


def _missing_from(first: RunScores, second: RunScores) -> tuple[str, ...]:
    return tuple(case_id for case_id in first.statuses if case_id not in second.statuses)


def _what_changed_first(found: MetricComparison) -> tuple[int, float, str]:
    p_value = found.overall.p_value
    return _ORDER[found.overall.outcome], 2.0 if p_value is None else p_value, found.metric


def names(items: Iterable[str], most: int = 10) -> str:
    """The first few names, and how many more there are."""
    listed = list(items)
    more = f" and {len(listed) - most} more" if len(listed) > most else ""
    return ", ".join(listed[:most]) + more
