"""All that a report shows of a run, gathered in one pass over its results."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ragproof_core.models.run import Calibration, CaseResult, RunRecord, Summary
from ragproof_core.reporting.judge_check import JudgeCheck, judge_checks
from ragproof_core.reporting.metric_names import reading_order
from ragproof_report.abstention import AbstentionMatrix
from ragproof_report.case_details import WORST, CaseDetails, WorstCases
from ragproof_report.case_lines import MOST_LINES, CaseLine, case_line, telling_metrics
from ragproof_report.case_verdict import case_verdict
from ragproof_report.documents import DocumentTable, DocumentTally
from ragproof_report.funnel import FunnelTally, Stage
from ragproof_report.histograms import Histogram, ScoreTally
from ragproof_report.loss import bounded_directions, loss
from ragproof_report.problems import Problem, ProblemTally
from ragproof_report.readings import PRECISION, PrecisionCeiling, Reading, readings
from ragproof_report.tag_map import TagMap, tag_map
from ragproof_report.trends import Trend, trends


@dataclass(frozen=True, slots=True)
class RunReport:
    """A run, ready to be rendered; sequences are in the order in which they are shown.

    ``cases`` counts the results that were there; ``lines`` has at most 2,000 of them, the worst, in dataset order.
    """

    run: RunRecord
    summaries: tuple[Summary, ...]
    columns: tuple[str, ...]
    cases: int
    outcomes: dict[str, int]
    lines: tuple[CaseLine, ...]
    worst: tuple[CaseDetails, ...]
    histograms: tuple[Histogram, ...]
    tags: TagMap
    documents: DocumentTable
    funnel: tuple[Stage, ...]
    abstention: AbstentionMatrix
    problems: tuple[Problem, ...]
    readings: tuple[Reading, ...]
    checks: tuple[JudgeCheck, ...]
    trends: tuple[Trend, ...]


def gather(
    run: RunRecord,
    results: Iterable[CaseResult],
    *,
    runs: Sequence[RunRecord] = (),
    calibrations: Iterable[Calibration] = (),
    worst: int = WORST,
) -> RunReport:
    """Read the results once and return the report; ``runs`` and ``calibrations`` come newest first."""
    found = _Gathering(run, worst)
    for result in results:
        found.add(result)
    return found.report(runs, calibrations)


class _Gathering:
    """The tallies that each result goes through."""

    def __init__(self, run: RunRecord, worst: int) -> None:
        self._run = run
        self._columns = telling_metrics(run)
        self._directions = bounded_directions(run.summaries)
        self._worst_scores = [0.0 if self._directions[name] == "higher" else 1.0 for name in self._columns]
        self._worst = WorstCases(worst)
        self._scores, self._documents, self._funnel = ScoreTally(), DocumentTally(), FunnelTally()
        self._abstention, self._problems = AbstentionMatrix.empty(), ProblemTally()
        self._ceiling = PrecisionCeiling(run.settings.k)
        self._outcomes = dict.fromkeys(("passed", "failed", "error", "skipped"), 0)
        self._lines: list[tuple[bool, float, int, CaseLine]] = []
        self._cases = 0

    def add(self, result: CaseResult) -> None:
        self._cases += 1
        verdict = case_verdict(result)
        lost = loss(result, self._directions)
        self._outcomes[verdict.outcome] += 1
        self._worst.add(result, verdict, lost)
        for tally in (self._scores, self._documents, self._funnel, self._abstention, self._problems):
            tally.add(result)
        if result.status == "ok":
            self._ceiling.add(len(set(result.expected_source_ids)))
        bad = verdict.outcome in ("error", "failed")
        line = case_line(result, verdict, lost, self._columns, self._worst_scores)
        entry = (bad, lost, -result.index, line)
        if len(self._lines) < MOST_LINES:
            heapq.heappush(self._lines, entry)
        else:
            heapq.heappushpop(self._lines, entry)

    def report(self, runs: Sequence[RunRecord], calibrations: Iterable[Calibration]) -> RunReport:
        run = self._run
        by_name = {summary.metric: summary for summary in run.summaries}
        documents = self._documents.table()
        precision = by_name.get(PRECISION)
        ceiling = self._ceiling.value(precision.scored) if precision else None
        return RunReport(
            run=run,
            summaries=tuple(sorted(run.summaries, key=lambda summary: reading_order(summary.metric))),
            columns=self._columns,
            cases=self._cases,
            outcomes=self._outcomes,
            lines=tuple(sorted((entry[-1] for entry in self._lines), key=lambda line: line.index)),
            worst=self._worst.details(run),
            histograms=self._scores.histograms(by_name),
            tags=tag_map(run.summaries, self._columns),
            documents=documents,
            funnel=self._funnel.stages(by_name),
            abstention=self._abstention,
            problems=self._problems.problems(),
            readings=tuple(readings(run, documents, ceiling)),
            checks=tuple(judge_checks(run, calibrations)),
            trends=trends(run, runs, self._columns),
        )
