"""What a gate found: one check for each limit, and the decision that follows from them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from ragproof_core.models.run import RunRecord

Status = Literal["pass", "fail", "warn", "inconclusive", "skip", "error"]
Rule = Literal["completed", "max_error_rate", "min_scored", "min", "max", "max_drop", "require_calibration"]

PASSED, MISSED, NOT_EXECUTED = 0, 1, 2
SEVERITY: tuple[Status, ...] = ("error", "fail", "warn", "inconclusive", "skip", "pass")
_BLOCKING = ("error", "fail")


@dataclass(frozen=True, slots=True)
class Check:
    """One limit held against a run.

    ``metric`` is None for what concerns the whole run, ``tag`` for all cases. ``value`` and ``limit`` are what was
    compared, unrounded; ``value`` is None when there is nothing to compare. ``detail`` is a sentence for people.
    """

    metric: str | None
    tag: str | None
    rule: Rule
    status: Status
    value: float | None
    limit: float | None
    detail: str

    @property
    def blocks(self) -> bool:
        """Whether the gate cannot pass with this."""
        return self.status in _BLOCKING

    @property
    def title(self) -> str:
        """``retrieval.mrr [numeric] min``."""
        parts = (self.metric or "run", f"[{self.tag}]" if self.tag is not None else "", self.rule)
        return " ".join(part for part in parts if part)

    def as_json(self) -> dict[str, Any]:
        """One entry of ``checks`` in ``gate --json``."""
        return {
            "metric": self.metric,
            "tag": self.tag,
            "rule": self.rule,
            "status": self.status,
            "value": self.value,
            "limit": self.limit,
            "detail": self.detail,
        }


@dataclass(frozen=True, slots=True)
class GateResult:
    """The checks of a run. Text, JSON, JUnit, summary and exit code are all read from this."""

    run: RunRecord
    baseline: RunRecord | None
    checks: tuple[Check, ...]
    remarks: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """True when no check failed or could not be made."""
        return not any(check.blocks for check in self.checks)

    @property
    def exit_code(self) -> int:
        """0 passed; 2 the run is not finished, so that nothing is known; 1 otherwise."""
        if self.passed:
            return PASSED
        unfinished = any(check.rule == "completed" and check.blocks for check in self.checks)
        return NOT_EXECUTED if unfinished else MISSED

    def by_severity(self) -> list[Check]:
        """The checks, those that matter most first."""
        return sorted(self.checks, key=lambda check: SEVERITY.index(check.status))

    def count(self, statuses: Iterable[Status]) -> int:
        """How many checks have one of these statuses."""
        wanted = set(statuses)
        return sum(check.status in wanted for check in self.checks)

    def as_json(self) -> dict[str, Any]:
        """The object that ``ragproof gate --json`` prints."""
        return {
            "run": self.run.run_id,
            "baseline": None if self.baseline is None else self.baseline.run_id,
            "passed": self.passed,
            "exit_code": self.exit_code,
            "checks": [check.as_json() for check in self.checks],
            "remarks": list(self.remarks),
        }
