"""``require_calibration``: a judge's scores may fail a gate only when that very judge was checked against people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ragproof_core.models.judging import Prompt
from ragproof_core.models.run import Calibration, RunRecord
from ragproof_core.reporting.numbers import counted
from ragproof_gate.comparability import prompts_of
from ragproof_gate.gate_checks import Check, Status
from ragproof_gate.gate_config import CalibrationBar
from ragproof_gate.number_text import beside, limit_text


def calibration_check(
    metric: str,
    bar: CalibrationBar,
    run: RunRecord,
    prompts: Sequence[Prompt] | None,
    calibrations: Iterable[Calibration],
) -> Check:
    """Hold the newest calibration of the run's judge and the metric's templates against the bar.

    ``prompts`` are the metric's, None when they cannot be told. ``warn`` means that the metric's limits only report;
    ``skip`` that there is no judge to check.
    """
    if run.judge is None:
        return _check(metric, "skip", "no judge was asked in this run")
    if prompts is not None and not prompts:
        return _check(metric, "skip", "the metric asks no judge")
    used = _templates(prompts or (), prompts_of(run))
    problems = list(_problems(used, bar, run, list(calibrations)))
    if problems:
        return _check(metric, "warn", f"the limits on this metric only report: {'; '.join(problems)}")
    listed = ", ".join(f"{name} {limit_text(limit)}" for name, limit in bar.asked().items())
    return _check(metric, "pass", f"the judge's calibration on {', '.join(sorted(used))} reaches {listed}")


def _templates(prompts: Sequence[Prompt], asked: Mapping[str, str]) -> dict[str, str]:
    """The prompts that the run asked, with the sha256 of the template that it used."""
    found = {prompt.name: asked.get(prompt.name) or asked.get(f"{prompt.package}:{prompt.name}") for prompt in prompts}
    return {name: sha256 for name, sha256 in found.items() if sha256 is not None}


def _problems(
    used: Mapping[str, str], bar: CalibrationBar, run: RunRecord, calibrations: Sequence[Calibration]
) -> Iterator[str]:
    if not used:
        yield "the run does not tell which templates the metric asked"
    for name, sha256 in used.items():
        yield from _missed(name, sha256, bar, run, calibrations)


def _missed(
    name: str, sha256: str, bar: CalibrationBar, run: RunRecord, calibrations: Iterable[Calibration]
) -> Iterator[str]:
    row = _newest(name, sha256, run, calibrations)
    if row is None:
        judge = (run.judge or {}).get("model") or (run.judge or {}).get("type")
        yield f"no calibration of judge {judge} with this template of {name}; make one with 'ragproof calibrate'"
        return
    n = row.get("n")
    if not isinstance(n, int) or n < bar.min_n:
        yield f"{name} was calibrated on {counted(n or 0, 'example')}, fewer than {bar.min_n}"
    for figure, limit in bar.asked().items():
        value = row.get(figure)
        if not isinstance(value, (int, float)):
            yield f"{figure} of {name} is undefined"
        elif value < limit:
            yield f"{figure} of {name} is {beside(float(value), limit)} < {limit_text(limit)}"


def _newest(name: str, sha256: str, run: RunRecord, calibrations: Iterable[Calibration]) -> Mapping[str, Any] | None:
    identity = (run.judge or {}).get("identity")
    for calibration in calibrations:
        if identity is not None and calibration.judge.get("identity") == identity:
            for row in calibration.prompts:
                if row.get("prompt") == name and row.get("template_sha256") == sha256:
                    return row
    return None


def _check(metric: str, status: Status, detail: str) -> Check:
    return Check(metric, None, "require_calibration", status, None, None, detail)
