"""Running the cases of a dataset: threads and deadlines."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from queue import SimpleQueue

from ragproof_core.engine.adapter_slot import AdapterSlot
from ragproof_core.engine.delivery import Delivery
from ragproof_core.engine.growth import Growth
from ragproof_core.engine.scoring import Planner, hooks_wanted
from ragproof_core.engine.selection import Metric
from ragproof_core.engine.tasks import CaseTask, Evaluation, JudgeHandle, UnitTask
from ragproof_core.engine.workers import Pool, Task, Worker
from ragproof_core.errors import BudgetExceededError
from ragproof_core.models.case import Case
from ragproof_core.models.run import CaseResult, RunSettings
from ragproof_core.plugins.component import Component


@dataclass(frozen=True, slots=True)
class JudgeLane:
    """How judged metrics get their judge, which sees to it that no more than ``concurrency`` calls are in flight."""

    judge_for: Callable[[str, str], JudgeHandle]
    concurrency: int


class CaseRunner:
    """Runs cases through an adapter and metrics; finished results are accepted in batches, one batch at a time."""

    def __init__(
        self,
        cases: Sequence[Case],
        adapter: Component,
        metrics: Sequence[Metric],
        run: RunSettings,
        *,
        judge: JudgeLane | None,
        redact: Callable[[str], str],
    ) -> None:
        self._cases = cases
        self._adapter = AdapterSlot(adapter)
        # twice as many as calls may be in flight: a metric that waits for another one's equal ask has a thread, too
        self._judge_threads = 2 * judge.concurrency if judge else 0
        self._workers = min(run.concurrency, adapter.max_concurrency or run.concurrency)
        self._wake = threading.Event()
        self._source_lock = threading.Lock()
        self._todo: Iterator[int] = iter(())
        self._delivery: Delivery
        self._units: SimpleQueue[UnitTask | None] = SimpleQueue()
        self._room = threading.Semaphore(self._workers + 2 * judge.concurrency) if judge else None
        self.budget_problem: BudgetExceededError | None = None
        self.interrupted = False
        self.evaluation = Evaluation(
            adapter=self._adapter,
            planner=Planner(metrics, judge=judge is not None),
            hooks=hooks_wanted(metrics) & adapter.hooks,
            run=run,
            judge_for=judge.judge_for if judge else None,
            redact=redact,
            deliver=self._deliver,
            submit=self._units.put,
            abort=self._abort,
        )

    def run(self, todo: Sequence[int], accept: Callable[[Sequence[CaseResult]], None]) -> bool:
        """Run the cases with these indexes; returns whether all of them got a result.

        ``accept`` gets finished results in batches, in any thread but never in two at once, and returns once they are
        safe. What it raises ends the run.
        """
        self._todo = iter(todo)
        delivery = self._delivery = Delivery(accept, len(todo))
        cases = Pool("case", min(1, len(todo)), self._next_case, self._wake.set)
        judges = Pool("judge", min(1, self._judge_threads), self._units.get, self._wake.set)
        growths = (Growth(cases, min(self._workers, len(todo))), Growth(judges, self._judge_threads))
        try:
            while not delivery.complete and self.budget_problem is None:
                self._wake.wait(min(growth.next_look_seconds for growth in growths))
                self._wake.clear()
                for growth, done in zip(growths, (delivery.delivered, self.evaluation.judged), strict=True):
                    growth.look(done, delivery)
                for pool in (cases, judges):
                    if pool.problem is not None:
                        raise pool.problem
                    self._give_up_late(pool)
                if delivery.due:
                    delivery.flush()
        except KeyboardInterrupt:
            self.interrupted = True
        finally:
            self._stop(judges)
        delivery.close()
        return delivery.complete

    def _next_case(self) -> Task | None:
        if self._room is not None:
            self._room.acquire()
        with self._source_lock:
            index = None if self.budget_problem else next(self._todo, None)
            if index is None:
                return None
        return CaseTask(index, self._cases[index], self.evaluation)

    def _deliver(self, result: CaseResult) -> None:
        if self._room is not None:
            self._room.release()
        self._delivery.put(result)
        if self._delivery.all_delivered:
            self._wake.set()

    def _abort(self, problem: BudgetExceededError) -> None:
        self.budget_problem = self.budget_problem or problem
        self._wake.set()

    def _give_up_late(self, pool: Pool) -> None:
        late = pool.late()
        if not late:
            return
        released = self._renew_adapters(late)
        for worker in late:
            if worker.ident in released:
                worker.guard(self.evaluation.run.case_timeout_seconds)
                continue
            task = pool.give_up(worker)
            if isinstance(task, (CaseTask, UnitTask)):
                pool.add_worker(task.timed_out())

    def _renew_adapters(self, late: Sequence[Worker]) -> frozenset[int]:
        tasks = [task for task in (worker.task for worker in late) if isinstance(task, CaseTask) and task.plan is None]
        # all of them first: a call that is released goes on at once, with the new component
        stuck = [task.component for task in tasks if task.component is not None]
        released: frozenset[int] = frozenset()
        for component in stuck:
            released |= self._adapter.renew(component)
        return released

    def _stop(self, judges: Pool) -> None:
        with self._source_lock:
            self._todo = iter(())
        if self._room is not None:
            self._room.release(self._workers)
            for _ in range(judges.size):
                self._units.put(None)
