"""Scoring in the metric suite: the fixtures, and one metric on one case exactly as the kernel does it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import pytest

from ragproof_core.engine.scoring import Planner, score
from ragproof_core.engine.selection import Metric, declare
from ragproof_core.errors import PluginError
from ragproof_core.models.case import Case
from ragproof_core.models.outcome import Outcome, scored
from ragproof_core.models.response import Response
from ragproof_core.models.run import RunSettings
from ragproof_core.plugins.component import Component
from ragproof_core.testing.checking import fail, require, shown
from ragproof_core.testing.conformance import Conformance
from ragproof_core.testing.samples import sample_case, sample_response
from ragproof_core.testing.scripted_judge import ScriptedJudge

RUN = RunSettings()


class MetricScoring(Conformance):
    """The fixtures of the metric suite, which a subclass may override, and :meth:`outcome`."""

    role: ClassVar[str] = "metric"
    replies: ClassVar[Mapping[str, Any]] = {}

    @pytest.fixture
    def metric(self) -> Any:
        """Return the metric to test; every subclass has its own."""
        fail(f"{type(self).__qualname__} needs a fixture 'metric' that returns the built metric")

    @pytest.fixture
    def instance(self, metric: Any) -> object:
        """Return the component under test."""
        return metric

    @pytest.fixture
    def declared(self, component: Component) -> Metric:
        """Return the metric with its declarations, as the kernel reads them."""
        try:
            return declare(component.name, component)
        except PluginError as problem:
            fail(str(problem))

    @pytest.fixture
    def case(self, declared: Metric) -> Case:
        """Return a case that the metric scores; of one of its kinds, with every field filled in."""
        return sample_case(next(kind for kind in ("qa", "unanswerable", "injection") if kind in declared.kinds))

    @pytest.fixture
    def response(self) -> Response:
        """Return a response that the metric scores; every part is filled in."""
        return sample_response()

    @pytest.fixture
    def judge(self) -> Iterator[ScriptedJudge]:
        """Yield a judge with the subclass's ``replies``."""
        made = ScriptedJudge(self.replies)
        yield made
        made.close()

    def outcome(
        self, metric: Metric, case: Case, response: Response, judge: ScriptedJudge | None, *, what: str
    ) -> Outcome:
        """Score as the kernel does; an outcome that the kernel would record as ``error`` fails the test.

        A metric that raises is called again, so that the test shows where it does.
        """
        plan = Planner([metric], judge=judge is not None).plan(case, response)
        if metric.name in plan.skipped:
            return plan.skipped[metric.name]
        asks = metric.uses_judge(configured=judge is not None)
        earlier = {name: scored(1.0) for name in metric.after}
        found = score(metric, case, response, judge.handle() if judge and asks else None, RUN, earlier)
        if found.status == "error":
            if (found.reason or "").startswith(f"{metric.name} raised "):
                handle = judge.handle() if judge and asks else None
                try:
                    metric.score(case, response, handle, RUN, earlier)
                except (Exception, SystemExit) as problem:
                    problem.add_note(f"{what}: the kernel records 'error' for the case")
                    raise
            fail(f"{what}: {found.reason}. The kernel records 'error' for the case, outside every mean")
        require(
            found.status == "scored" or (found.reason or "").strip(),
            f"{what}: the outcome is {found.status!r} without a reason; say why in a few words, reports show it",
        )
        require(
            found.status != "judge_error",
            f"{what}: judge_error ({shown(found.reason)}), though the judge replied. Set replies = "
            '{"prompt name": {…}} when the example reply made from the schema does not fit the prompt',
        )
        return found
