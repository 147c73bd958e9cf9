"""Running metrics on one case: which apply, in which rounds, and what their results are worth."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from types import NoneType
from typing import Any, get_args

from ragproof_core.engine.needs import BIT, hooks_for, is_reported, missing_bits, reason_without, reports
from ragproof_core.engine.selection import Metric, levels
from ragproof_core.errors import BudgetExceededError, JudgeError, reason_of
from ragproof_core.models.case import Case
from ragproof_core.models.outcome import Outcome, OutcomeStatus, error, judge_error, skipped
from ragproof_core.models.response import Answer, Response
from ragproof_core.models.run import RunSettings

_new = tuple.__new__  # skips the named tuple's own constructor, which takes longer than many a metric
NO_OUTCOMES: Mapping[str, Outcome] = {}
_STATUSES = get_args(OutcomeStatus)
_LONGEST_SHOWN = 120


@dataclass(frozen=True, slots=True)
class Round:
    """Metrics that may run at the same time: plain ones in the case's own thread, judged ones as units of their own."""

    plain: tuple[Metric, ...]
    judged: tuple[Metric, ...]


@dataclass(frozen=True, slots=True)
class CasePlan:
    """What to do with the cases of one shape: the rounds to run, and the outcomes that are known beforehand."""

    rounds: tuple[Round, ...]
    skipped: Mapping[str, Outcome]


class Planner:
    """Decides, once for each shape of a case, which metrics apply to it."""

    def __init__(self, metrics: Sequence[Metric], *, judge: bool) -> None:
        self._metrics = metrics
        self._judge = judge
        self._levels = levels(metrics)
        reported = dict.fromkeys(need for metric in metrics for need in metric.needs if is_reported(need))
        self._reported = {need: 1 << position for position, need in enumerate(reported, start=len(BIT))}
        self._none_reported = sum(self._reported.values())
        self._plans: dict[tuple[str, int], CasePlan] = {}

    def plan(self, case: Case, response: Response) -> CasePlan:
        """Return the plan for a case with this response."""
        bits = missing_bits(case, response) | self._not_reported(response.answer)
        if not self._judge:
            bits |= BIT["judge"]
        key = (case.kind, bits)
        plan = self._plans.get(key)
        if plan is None:
            plan = self._plans[key] = self._make(case.kind, bits)
        return plan

    def _not_reported(self, answer: Answer | None) -> int:
        if answer is None or (answer.usage is None and not answer.trace):
            return self._none_reported
        return sum(bit for need, bit in self._reported.items() if not reports(answer, need))

    def _make(self, kind: str, bits: int) -> CasePlan:
        missing = {need for need, bit in (*BIT.items(), *self._reported.items()) if bits & bit}
        known: dict[str, Outcome] = {}
        rounds: dict[int, tuple[list[Metric], list[Metric]]] = {}
        for metric in self._metrics:
            reason = _why_skipped(metric, kind, missing)
            if reason is not None:
                known[metric.name] = skipped(reason)
                continue
            plain, judged = rounds.setdefault(self._levels[metric.name], ([], []))
            (judged if metric.uses_judge(configured=self._judge) else plain).append(metric)
        return CasePlan(tuple(Round(tuple(p), tuple(j)) for _, (p, j) in sorted(rounds.items())), known)


def _why_skipped(metric: Metric, kind: str, missing: Collection[str]) -> str | None:
    if kind not in metric.kinds:
        return f"applies to {' and '.join(sorted(metric.kinds))} cases only"
    return next((reason_without(need) for need in metric.needs if need in missing), None)


def hooks_wanted(metrics: Sequence[Metric]) -> frozenset[str]:
    """Return the adapter hooks that some metric needs or wants; the others are never called."""
    return frozenset(hook for metric in metrics for need in (*metric.needs, *metric.wants) for hook in hooks_for(need))


def score(
    metric: Metric,
    case: Case,
    response: Response,
    judge: Any,
    run: RunSettings,
    outcomes: Mapping[str, Outcome],
) -> Outcome:
    """Run one metric on one case; whatever it raises becomes its outcome, and nobody else's."""
    earlier = {name: outcomes[name] for name in metric.after if name in outcomes} if metric.after else NO_OUTCOMES
    try:
        result = metric.score(case, response, judge, run, earlier)
        if type(result) is float and metric.least <= result <= metric.most:
            return _new(Outcome, ("scored", result, None))
        if type(result) is not Outcome and hasattr(result, "__await__"):
            result = metric.component.wait(result)
        return checked(metric, result)
    except BudgetExceededError:
        raise
    except JudgeError as problem:
        return judge_error(str(problem))
    except BaseException as problem:  # also CancelledError, a panic of a native library, sys.exit
        return error(f"{metric.name} raised {reason_of(problem)}")


def checked(metric: Metric, result: Any) -> Outcome:
    """Turn what a metric returned into an outcome: a number in range is scored, anything else is its error."""
    if type(result) is not Outcome:
        return _number(metric, result)
    outcome: Outcome = result
    status, value, reason = outcome
    if status not in _STATUSES or not isinstance(reason, (str, NoneType)):
        return error(f"{metric.name} returned {_shown(result)}, which is no outcome")
    if reason is not None and type(reason) is not str:
        reason = str(reason)
        outcome = Outcome(status, value, reason)
    if status != "scored":
        return outcome if value is None else Outcome(status, None, reason)
    if type(value) is float and metric.least <= value <= metric.most:
        return outcome
    return _noted(_number(metric, value), reason)


def _noted(outcome: Outcome, note: str | None) -> Outcome:
    return outcome if note is None or outcome.value is None else outcome._replace(reason=note)


def _number(metric: Metric, number: Any) -> Outcome:
    if isinstance(number, bool) or not isinstance(number, (int, float)):
        return error(f"{metric.name} returned {_shown(number)}; expected a number or an Outcome")
    try:
        return _in_range(metric, float(number))
    except OverflowError:
        return error(f"{metric.name} returned a whole number too large to be a score")


def _in_range(metric: Metric, number: float) -> Outcome:
    if not isfinite(number):
        return error(f"{metric.name} returned {number}, which is not a finite number")
    if not metric.least <= number <= metric.most:
        return error(f"{metric.name} returned {number}, outside its range {_range(metric)}")
    return _new(Outcome, ("scored", number, None))


def _shown(value: Any) -> str:
    try:
        text = repr(value)
    except Exception:
        return f"a {type(value).__name__} that cannot be shown"
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"


def _range(metric: Metric) -> str:
    low = "-∞" if metric.low is None else f"{metric.low:g}"
    high = "∞" if metric.high is None else f"{metric.high:g}"
    return f"{low} to {high}"
