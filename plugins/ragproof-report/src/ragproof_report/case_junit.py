"""A run as JUnit XML: a test case a case of the dataset, by the rule of :mod:`ragproof_report.case_verdict`."""

from __future__ import annotations

from collections.abc import Iterable

from ragproof_core.models.run import CaseResult, RunRecord
from ragproof_core.reporting.junit import JUnitCase, JUnitSuite, junit_xml
from ragproof_core.reporting.metric_names import reading_order
from ragproof_report.case_lines import cut
from ragproof_report.case_verdict import case_verdict

_TEXT = 2000
_MESSAGE = 1000


def case_junit(run: RunRecord, results: Iterable[CaseResult]) -> str:
    """Return the document; cases that did not pass carry question, answer and scores as output."""
    properties = [("run", run.run_id), ("status", run.status), ("k", str(run.settings.k))]
    properties += [("labels", run.settings.source_match), ("dataset", run.dataset.sha256)]
    suite = JUnitSuite(
        name=run.project,
        tests=[_test(run, result) for result in results],
        timestamp=run.ended_at or run.started_at,
        properties=properties,
    )
    return junit_xml([suite], name=f"ragproof {run.run_id}")


def _test(run: RunRecord, result: CaseResult) -> JUnitCase:
    verdict = case_verdict(result)
    return JUnitCase(
        classname=f"{run.project}.{result.kind}",
        name=result.case_id,
        outcome=verdict.outcome,
        message=cut(verdict.reason, _MESSAGE),
        output="" if verdict.outcome == "passed" else _output(result),
        seconds=result.duration_ms / 1000,
        kind=result.status if result.status != "ok" else verdict.outcome,
    )


def _output(result: CaseResult) -> str:
    lines = [f"question: {cut(result.question, _TEXT)}"]
    if result.expected_answer is not None:
        lines.append(f"expected: {cut(result.expected_answer, _TEXT)}")
    if result.answer_text is not None:
        lines.append(f"answer: {cut(result.answer_text, _TEXT)}")
    for name in sorted(result.scores, key=reading_order):
        outcome = result.scores[name]
        if outcome.value is not None:
            lines.append(f"{name}: {outcome.value:g}")
        elif outcome.status in ("error", "judge_error"):
            lines.append(f"{name}: {outcome.status}: {cut(outcome.reason or '', _MESSAGE)}")
    return "\n".join(lines)
