"""A gate's result as text."""

from __future__ import annotations

from collections.abc import Iterator

from ragproof_core.models.run import RunRecord
from ragproof_core.reporting.printable import one_line, printable
from ragproof_gate.gate_checks import SEVERITY, GateResult

_DETAIL_WIDTH = 1000


def gate_lines(result: GateResult) -> Iterator[str]:
    """What was gated, a line a check, those that matter most first, and the decision."""
    yield f"run       {describe_run(result.run)}"
    yield f"baseline  {'none' if result.baseline is None else describe_run(result.baseline)}"
    for remark in result.remarks:
        yield f"note: {printable(remark)}"
    yield ""
    width = max(len(check.status) for check in result.checks)
    for check in result.by_severity():
        title, detail = one_line(check.title, _DETAIL_WIDTH), one_line(check.detail, _DETAIL_WIDTH)
        yield f"{check.status:<{width}}  {title}: {detail}"
    yield ""
    yield decision(result)


def decision(result: GateResult) -> str:
    """``gate failed: 1 fail, 2 warn, 9 pass``."""
    counts = [(result.count([status]), status) for status in SEVERITY]
    listed = ", ".join(f"{count} {status}" for count, status in counts if count)
    return f"gate {'passed' if result.passed else 'failed'}: {listed}"


def describe_run(run: RunRecord) -> str:
    """``20260101T000000-abcdef (main) · handbook``."""
    label = f" ({one_line(run.label, 40)})" if run.label else ""
    return f"{run.run_id}{label} · {one_line(run.project, 40)}"
