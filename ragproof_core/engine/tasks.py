"""The units of work of a run: a case, and one judged metric of a case."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Protocol

from ragproof_core.engine.adapter_slot import AdapterSlot
from ragproof_core.engine.asking import ask_adapter
from ragproof_core.engine.results import failed, finished
from ragproof_core.engine.scoring import CasePlan, Planner, score
from ragproof_core.engine.selection import Metric
from ragproof_core.engine.workers import Worker
from ragproof_core.errors import BudgetExceededError, reason_of
from ragproof_core.models.case import Case
from ragproof_core.models.judging import Judge
from ragproof_core.models.outcome import Outcome, Scores, error, judge_error
from ragproof_core.models.response import Response
from ragproof_core.models.run import CaseResult, RunSettings
from ragproof_core.plugins.component import Component
from ragproof_core.plugins.loop_lost import LoopLostError

JUDGE_PATIENCE_SECONDS = 900.0
"""A judge has time limits of its own; one that does not return at all is given up after this."""


class JudgeHandle(Judge, Protocol):
    """A judge for one metric of one case, which keeps the raw replies."""

    @property
    def raw(self) -> str | None:
        """The replies word for word, secrets redacted."""
        ...

    @property
    def notes(self) -> Sequence[str]:
        """What was noted while asking."""
        ...


@dataclass(slots=True)
class Evaluation:
    """Everything that evaluating one case depends on."""

    adapter: AdapterSlot
    planner: Planner
    hooks: frozenset[str]
    run: RunSettings
    judge_for: Callable[[str, str], JudgeHandle] | None
    redact: Callable[[str], str]
    deliver: Callable[[CaseResult], None]
    submit: Callable[[UnitTask], None]
    abort: Callable[[BudgetExceededError], None]
    judged: int = 0
    """How many judged metrics are done; counted without a lock, for an estimate of speed."""


class CaseTask:
    """One case on its way: adapter calls, then the rounds of metrics, then its result."""

    __slots__ = (
        "case", "component", "current", "evaluation", "index", "judge_raw", "lock", "next_round", "open_units",
        "outcomes", "plan", "response", "started",
    )  # fmt: skip

    def __init__(self, index: int, case: Case, evaluation: Evaluation) -> None:
        self.index = index
        self.case = case
        self.evaluation = evaluation
        self.component: Component | None = None
        self.response: Response | None = None
        self.plan: CasePlan | None = None
        self.outcomes: dict[str, Outcome] = {}
        self.judge_raw: dict[str, str] = {}
        self.current: Metric | None = None
        self.next_round = 0
        self.open_units = 0
        self.lock = threading.Lock()
        self.started = perf_counter()

    def run(self, worker: Worker) -> None:
        """Ask the adapter, then score."""
        if self.plan is None:
            response = self._ask(worker)
            if response is None:
                return
            self.response = response
            self.plan = self.evaluation.planner.plan(self.case, response)
            self.outcomes = Scores(self.plan.skipped)
        self.score_rounds(worker)

    def _ask(self, worker: Worker) -> Response | None:
        evaluation = self.evaluation
        while True:
            self.component = evaluation.adapter.component
            self.started = perf_counter()
            worker.guard(evaluation.run.case_timeout_seconds)
            try:
                response = ask_adapter(self.component, self.case, evaluation.hooks, evaluation.run)
            except LoopLostError:
                continue
            except BaseException as problem:  # also CancelledError, a panic of a native library, sys.exit
                worker.release()
                duration_ms = (perf_counter() - self.started) * 1000
                reason = reason_of(problem)
                evaluation.deliver(failed(self.index, self.case, "error", reason, duration_ms, evaluation.redact))
                return None
            worker.release()
            return response

    def score_rounds(self, worker: Worker) -> None:
        """Run the rounds that are left; judged metrics go to the judge's threads, the last one comes back here."""
        plan, response, evaluation = self.plan, self.response, self.evaluation
        if plan is None or response is None:
            raise RuntimeError("a case is scored before the adapter was asked")
        worker.task = self  # which may have been a judged metric of this case: what is late from here on is the case
        worker.guard(evaluation.run.case_timeout_seconds)
        case, outcomes, run = self.case, self.outcomes, evaluation.run
        while self.next_round < len(plan.rounds):
            this_round = plan.rounds[self.next_round]
            for metric in this_round.plain:
                name = metric.name
                if name not in outcomes:
                    self.current = metric
                    outcome = score(metric, case, response, None, run, outcomes)
                    outcomes[name] = outcome if outcome[2] is None else self._redacted(outcome)
            if this_round.judged:
                worker.release()  # before the round counts as done: who is given up here leaves it to its copy
                self.next_round += 1
                self.open_units = len(this_round.judged)
                for metric in this_round.judged:
                    evaluation.submit(UnitTask(self, metric))
                return
            self.next_round += 1
        worker.release()
        evaluation.deliver(finished(self.index, self.case, response, self.outcomes, self.judge_raw, evaluation.redact))

    def unit_done(self, metric: Metric, outcome: Outcome, raw: str | None) -> bool:
        """Take in a judged metric's outcome; returns whether it was the last one of its round."""
        with self.lock:
            self.outcomes[metric.name] = self._redacted(outcome)
            if raw is not None:
                self.judge_raw[metric.name] = raw
            self.open_units -= 1
            return self.open_units == 0

    def timed_out(self) -> CaseTask | None:
        """Settle a case whose worker was given up.

        Stuck in the adapter, its result is delivered as a timeout. Stuck in a metric, a copy is returned to go on
        with the other metrics.
        """
        seconds = self.evaluation.run.case_timeout_seconds
        if self.plan is None:
            reason = f"the adapter did not return within {seconds:g} s"
            duration_ms = (perf_counter() - self.started) * 1000
            redact = self.evaluation.redact
            self.evaluation.deliver(failed(self.index, self.case, "timeout", reason, duration_ms, redact))
            return None
        rest = CaseTask(self.index, self.case, self.evaluation)
        rest.response, rest.plan, rest.next_round = self.response, self.plan, self.next_round
        rest.outcomes, rest.judge_raw = Scores(self.plan.skipped), dict(self.judge_raw)
        rest.outcomes.update(self.outcomes)
        if self.current is not None and self.current.name not in rest.outcomes:
            rest.outcomes[self.current.name] = error(f"{self.current.name} did not return within {seconds:g} s")
        return rest

    def _redacted(self, outcome: Outcome) -> Outcome:
        if outcome.reason is None:
            return outcome
        reason = self.evaluation.redact(outcome.reason)
        return outcome if reason is outcome.reason else outcome._replace(reason=reason)


class UnitTask:
    """One judged metric of one case, on a thread of the judge."""

    __slots__ = ("metric", "task")

    def __init__(self, task: CaseTask, metric: Metric) -> None:
        self.task = task
        self.metric = metric

    def run(self, worker: Worker) -> None:
        """Score the metric with a judge handle of its own."""
        task, evaluation = self.task, self.task.evaluation
        if evaluation.judge_for is None or task.response is None:
            raise RuntimeError(f"{self.metric.name} was sent to a judge that is not there")
        judge = evaluation.judge_for(task.case.id, self.metric.name)
        worker.guard(JUDGE_PATIENCE_SECONDS)
        try:
            outcome = score(self.metric, task.case, task.response, judge, evaluation.run, task.outcomes)
        except BudgetExceededError as problem:
            worker.release()
            evaluation.abort(problem)
            return
        worker.release()
        evaluation.judged += 1
        if judge.notes:
            outcome = outcome._replace(reason="; ".join(filter(None, [outcome.reason, *judge.notes])))
        if task.unit_done(self.metric, outcome, judge.raw):
            task.score_rounds(worker)

    def timed_out(self) -> CaseTask | None:
        """Record that the judge never came back; returns the case if it can go on now."""
        reason = f"the judge did not return within {JUDGE_PATIENCE_SECONDS:g} s"
        return self.task if self.task.unit_done(self.metric, judge_error(reason), None) else None
