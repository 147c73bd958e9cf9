"""Whether there is enough to judge by: failed cases, errored metrics, metrics that scored too little."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from ragproof_core.execution import COMPLETED
from ragproof_core.models.run import RunRecord, Summary
from ragproof_gate.gate_checks import Check
from ragproof_gate.gate_config import GateSection, Limits
from ragproof_gate.number_text import beside, limit_text, of_cases


def completed_check(run: RunRecord) -> Check | None:
    """A run that is not finished cannot pass; None for one that is."""
    if run.status == COMPLETED:
        return None
    done = sum(run.cases.get(status, 0) for status in ("ok", "error", "timeout"))
    detail = f"the run is {run.status}: {of_cases(done, total_cases(run))} done"
    return Check(None, None, "completed", "error", None, None, f"{detail}; ragproof run --resume {run.run_id}")


def error_rate_check(run: RunRecord, limit: float) -> Check:
    """The share of cases whose adapter call failed or timed out."""
    failed, total = failed_cases(run), total_cases(run)
    rate = failed / total if total else 1.0
    met = total > 0 and rate <= limit
    detail = f"{of_cases(failed, total)} failed or timed out, {_compared(rate, limit, met=met)}"
    return Check(None, None, "max_error_rate", "pass" if met else "fail", rate, limit, detail)


def metric_error_check(run: RunRecord, summary: Summary, limit: float) -> Check | None:
    """The share of the metric's own errors among the cases it tried, those that failed anyway aside; None without any.

    A case that failed is an error of every metric in the summary; it counts in ``error_rate_check``.
    """
    errors = max(0, summary.errors - failed_cases(run))
    if not errors:
        return None
    tried = summary.scored + summary.not_applicable + errors
    rate = errors / tried
    met = rate <= limit
    reason = next(iter(summary.error_reasons), "")
    why = f" ({reason})" if reason else ""
    detail = f"{of_cases(errors, tried)} errored, {_compared(rate, limit, met=met)}{why}"
    return Check(summary.metric, None, "max_error_rate", "pass" if met else "fail", rate, limit, detail)


def unknown_metric_check(metric: str, known: Iterable[str]) -> Check:
    """The run has no such metric: an error, for a limit that is never looked at is no limit."""
    listed = sorted(known)
    near = get_close_matches(metric, listed, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]!r}?" if near else f"it has: {', '.join(listed) or 'none'}"
    return Check(metric, None, "min_scored", "error", None, None, f"the run has no such metric; {hint}")


def scored_check(summary: Summary, tag: str | None, limits: Limits, section: GateSection) -> Check | None:
    """How many cases were scored. Nothing scored is an error, too few a failure; None when one is enough and there."""
    part = summary.tags.get(tag) if tag is not None else None
    scored = summary.scored if tag is None else part.scored if part else 0
    # the run-wide minimum is for whole metrics; a tag has few cases by nature
    limit = limits.min_scored or (section.min_scored if tag is None else 1)
    if not scored:
        return Check(summary.metric, tag, "min_scored", "error", 0, limit, f"nothing was scored: {_why(summary, tag)}")
    if limit == 1:
        return None
    met = scored >= limit
    detail = f"{scored} scored, {'at least' if met else 'fewer than'} {limit}"
    return Check(summary.metric, tag, "min_scored", "pass" if met else "fail", scored, limit, detail)


def failed_cases(run: RunRecord) -> int:
    """The cases whose adapter call failed or timed out."""
    return run.cases.get("error", 0) + run.cases.get("timeout", 0)


def total_cases(run: RunRecord) -> int:
    """The cases of the dataset."""
    return run.cases.get("total", run.dataset.cases)


def _compared(rate: float, limit: float, *, met: bool) -> str:
    return f"{beside(rate, limit)} {'≤' if met else '>'} {limit_text(limit)}"


def _why(summary: Summary, tag: str | None) -> str:
    if tag is not None:
        known = f"the tags are: {', '.join(summary.tags)}" if summary.tags else "no case has a tag"
        return "no case with this tag has a score" if tag in summary.tags else f"no case has this tag; {known}"
    return "; ".join(_counts(summary)) or "no case has a result"


def _counts(summary: Summary) -> Iterator[str]:
    for count, word, reasons in (
        (summary.errors, "errored", summary.error_reasons),
        (summary.skipped, "skipped", summary.skip_reasons),
        (summary.not_applicable, "not applicable", {}),
    ):
        if count:
            reason = next(iter(reasons), "")
            yield f"{count} {word}{f' ({reason})' if reason else ''}"
