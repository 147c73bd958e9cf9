"""A gate's result as JUnit XML: a test case a check."""

from __future__ import annotations

from collections.abc import Mapping

from ragproof_core.reporting.junit import JUnitCase, JUnitOutcome, JUnitSuite, junit_xml
from ragproof_gate.gate_checks import Check, GateResult, Status

# JUnit has no warning: what does not block passes, with its sentence as output
_OUTCOMES: Mapping[Status, JUnitOutcome] = {
    "pass": "passed",
    "fail": "failed",
    "error": "error",
    "skip": "skipped",
    "warn": "passed",
    "inconclusive": "passed",
}


def gate_junit(result: GateResult) -> str:
    """Return the document; it has failures or errors exactly when the gate did not pass."""
    properties = [("run", result.run.run_id), ("passed", str(result.passed).lower())]
    if result.baseline is not None:
        properties.append(("baseline", result.baseline.run_id))
    tests = [_test(check) for check in result.checks]
    suite = JUnitSuite("ragproof gate", tests, timestamp=result.run.ended_at, properties=properties)
    return junit_xml([suite])


def _test(check: Check) -> JUnitCase:
    outcome = _OUTCOMES[check.status]
    return JUnitCase(
        classname=f"gate.{check.metric or 'run'}",
        name=check.title,
        outcome=outcome,
        message=check.detail,
        output=f"{check.status}: {check.detail}" if outcome == "passed" else "",
        kind=check.rule,
    )
