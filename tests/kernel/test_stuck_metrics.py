"""Metrics that get stuck around a judge: the run ends, and only the stuck metric loses its value."""

from __future__ import annotations

import threading
import time
from types import SimpleNamespace

from ragproof_core import Case, hookimpl
from ragproof_core.engine.running import CaseRunner, JudgeLane
from ragproof_core.engine.selection import declare, in_order
from ragproof_core.engine.workers import Worker
from ragproof_core.models.run import RunSettings
from ragproof_core.plugins.component import from_object
from ragproof_core.plugins.plain import PlainAdapter


def metric(name, value, **declared):
    class Made:
        api_version = 1
        direction = "higher"

        @hookimpl
        def score(self, case):
            return value(case)

    for attribute, given in declared.items():
        setattr(Made, attribute, given)
    return declare(name, from_object("metric", Made(), name))


def outcomes_of(metrics, count, seconds):
    judge = SimpleNamespace(raw=None, notes=())
    runner = CaseRunner(
        [Case(id=f"c{number}", question="?") for number in range(count)],
        from_object("adapter", PlainAdapter(SimpleNamespace(answer=lambda question: question)), "plain"),
        in_order(metrics),
        RunSettings(case_timeout_seconds=seconds),
        judge=JudgeLane(lambda case_id, metric: judge, 2),
        redact=str,
    )
    found = []
    thread = threading.Thread(target=runner.run, args=(range(count), found.extend), daemon=True)
    thread.start()
    thread.join(20)
    assert not thread.is_alive(), "the run does not end"
    return {result.case_id: {name: tuple(outcome) for name, outcome in result.scores.items()} for result in found}


def test_a_metric_that_hangs_behind_a_judged_one_loses_only_its_own_value():
    def later(case):
        if case.id == "c1":
            time.sleep(30)
        return 0.5

    metrics = [
        metric("m.judged", lambda case: 1.0, needs=("judge",)),
        metric("m.later", later, after=("m.judged",)),
    ]
    judged, fine = ("scored", 1.0, None), ("scored", 0.5, None)
    assert outcomes_of(metrics, 3, 0.3) == {
        "c0": {"m.judged": judged, "m.later": fine},
        "c1": {"m.judged": judged, "m.later": ("error", None, "m.later did not return within 0.3 s")},
        "c2": {"m.judged": judged, "m.later": fine},
    }


def test_a_judged_metric_is_asked_although_the_time_of_the_plain_ones_ran_out(monkeypatch):
    """The thread loses the processor after the last plain metric, just before it hands the judged one over."""
    release, held = Worker.release, []

    def slow_release(worker):
        if not held and worker.task is not None and getattr(worker.task, "outcomes", None):
            held.append(worker)
            time.sleep(0.5)
        release(worker)

    monkeypatch.setattr(Worker, "release", slow_release)
    metrics = [metric("a.plain", lambda case: 0.5), metric("j.judged", lambda case: 1.0, needs=("judge",))]
    found = outcomes_of(metrics, 1, 0.2)
    assert found == {"c0": {"a.plain": ("scored", 0.5, None), "j.judged": ("scored", 1.0, None)}}
    assert held
