"""The report as GitHub-flavoured Markdown of at most 60 kB: for pull requests, job summaries and wikis."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ragproof_core.models.run import Summary
from ragproof_core.reporting.headline import configuration, golden_set, judge_name, worst_tags
from ragproof_core.reporting.markdown_text import markdown_text
from ragproof_core.reporting.metric_names import short_name
from ragproof_core.reporting.numbers import amount, counted, number
from ragproof_report.gathering import RunReport

MOST_BYTES = 60_000
_WORST, _TAGS, _PROBLEMS, _DOCUMENTS = 10, 5, 10, 10
_ARROWS = {"higher": "↑", "lower": "↓"}


def markdown_page(report: RunReport) -> str:
    """Return the Markdown. What does not fit is left out from the end, and said to be."""
    lines = [line for section in _sections(report) for line in [*section, ""]]
    room = MOST_BYTES - 200
    for place, line in enumerate(lines):
        room -= len(line.encode("utf-8", "backslashreplace")) + 1
        if room < 0:
            left = counted(len(lines) - place, "line")
            return "\n".join([*lines[:place], "", f"Left out, because the page would be too long: {left}.", ""])
    return "\n".join(lines)


def _sections(report: RunReport) -> Iterator[Iterator[str]]:
    for part in (_heading, _metrics, _readings, _weak_spots, _stages, _judge, _problems, _worst):
        yield part(report)


def _heading(report: RunReport) -> Iterator[str]:
    run = report.run
    label = f" ({markdown_text(run.label, 80)})" if run.label else ""
    yield f"## {markdown_text(run.project, 80)}{label}"
    yield ""
    yield f"Run `{run.run_id}` · {markdown_text(run.status)} · {run.started_at[:16].replace('T', ' ')} UTC"
    yield ""
    yield f"- **Config** {markdown_text(configuration(run), 600)}"
    yield f"- **Golden set** {markdown_text(golden_set(run), 300)}"
    if run.judge is not None:
        yield f"- **Judge** {markdown_text(judge_name(run.judge), 200)}"
    outcomes = ", ".join(f"{count} {name}" for name, count in report.outcomes.items() if count)
    yield f"- **Cases** {outcomes or 'none'}"
    for note in run.notes:
        yield f"- **Note** {markdown_text(note, 600)}"


def _metrics(report: RunReport) -> Iterator[str]:
    shown = [summary for summary in report.summaries if summary.scored or summary.errors]
    if not shown:
        return
    total = report.run.cases.get("total", report.run.dataset.cases)
    yield "| metric | | mean | 95 % interval | p50 | p95 | scored | errors |"
    yield "|---|---|---:|---|---:|---:|---:|---:|"
    for summary in shown:
        cells = [
            markdown_text(summary.metric, 80),
            _ARROWS.get(summary.direction, ""),
            amount(summary.mean, summary.unit),
            _interval(summary),
            amount(summary.p50, summary.unit),
            amount(summary.p95, summary.unit),
            f"{summary.scored}/{total}",
            f"**{summary.errors}**" if summary.errors else "0",
        ]
        yield f"| {' | '.join(cells)} |"


def _interval(summary: Summary) -> str:
    if summary.ci95 is None:
        return "-"
    return f"{amount(summary.ci95[0], summary.unit)} to {amount(summary.ci95[1], summary.unit)}"


def _readings(report: RunReport) -> Iterator[str]:
    if report.readings:
        yield "### Reading them together"
        yield ""
    for reading in report.readings:
        finding, condition = markdown_text(reading.finding, 400), markdown_text(reading.condition, 600)
        yield f"- **{finding}** {markdown_text(reading.advice, 300)} Because: {condition}."


def _weak_spots(report: RunReport) -> Iterator[str]:
    tags = worst_tags(report.run.summaries, report.run.settings.k)[:_TAGS]
    if tags:
        yield f"**Worst tags** {' · '.join(markdown_text(tag, 120) for tag in tags)}"
    metrics = report.documents.metrics
    low = [row for row in report.documents.rows if any(p.mean is not None and p.mean < 0.5 for p in row.parts)]  # noqa: PLR2004
    if low:
        names = (short_name(metric, report.run.settings.k) for metric in metrics)
        yield ""
        yield f"| documents below 0.5 | cases | {' | '.join(markdown_text(name) for name in names)} |"
        yield f"|---|---:|{'---:|' * len(metrics)}"
        for row in low[:_DOCUMENTS]:
            means = " | ".join(number(part.mean) for part in row.parts)
            yield f"| {markdown_text(row.document, 80)} | {row.cases} | {means} |"


def _stages(report: RunReport) -> Iterator[str]:
    if report.funnel:
        rates = " → ".join(
            f"{stage.title} {stage.summary.mean:.0%} ({stage.lost} lost)"
            for stage in report.funnel
            if stage.summary.mean is not None
        )
        yield f"**Funnel** {rates}"
        yield ""
    matrix = report.abstention
    if not matrix.is_empty:
        yield "| questions | answered | refused | not known |"
        yield "|---|---:|---:|---:|"
        for name, row in (("answerable", matrix.answerable), ("unanswerable", matrix.unanswerable)):
            yield f"| {name} | {row.answered} | {row.refused} | {row.unknown} |"


def _judge(report: RunReport) -> Iterator[str]:
    if report.run.judge is None:
        return
    if not report.checks:
        yield "**Judge check** none of this judge; make one with `ragproof calibrate`."
    for check in report.checks:
        other = "" if check.same_template else " (another template)"
        figures = f"agreement {number(check.exact)} (n={check.n}), κ {number(check.kappa)}{other}"
        yield f"- **Judge check** {markdown_text(check.prompt, 80)}: {figures}"


def _problems(report: RunReport) -> Iterator[str]:
    if not report.problems:
        return
    yield "### Errors"
    yield ""
    yield "| where | reason | cases |"
    yield "|---|---|---:|"
    for problem in report.problems[:_PROBLEMS]:
        yield f"| {markdown_text(problem.source, 80)} | {markdown_text(problem.reason, 300)} | {problem.count} |"
    yield from _left_out(report.problems, _PROBLEMS, "rarer reasons")


def _worst(report: RunReport) -> Iterator[str]:
    if not report.worst:
        return
    yield "### Worst cases"
    yield ""
    yield "| case | question | answer | why |"
    yield "|---|---|---|---|"
    for case in report.worst[:_WORST]:
        answer = "" if case.answer is None else markdown_text(case.answer.shown, 200)
        why = markdown_text(f"{case.verdict.outcome} {case.verdict.reason}".strip(), 200)
        question = markdown_text(case.question.shown, 160)
        yield f"| {markdown_text(case.case_id, 60)} | {question} | {answer} | {why} |"


def _left_out(items: Sequence[object], shown: int, what: str) -> Iterator[str]:
    if len(items) > shown:
        yield ""
        yield f"Left out: {len(items) - shown} {what}."
