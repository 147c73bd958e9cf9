"""The standard tests of a metric that asks a judge."""

from __future__ import annotations

import math

import pytest

from ragproof_core.engine.scoring import score
from ragproof_core.engine.selection import Metric
from ragproof_core.errors import BudgetExceededError, JudgeError, PluginError
from ragproof_core.judging.rendering import read_template, render
from ragproof_core.models.case import Case
from ragproof_core.models.outcome import Outcome, scored
from ragproof_core.models.response import Response
from ragproof_core.testing.checking import fail, require, shown
from ragproof_core.testing.metric_scoring import RUN, MetricScoring
from ragproof_core.testing.scripted_judge import RaisingJudge, ScriptedJudge


class MetricJudging(MetricScoring):
    """What a metric does with the judge; every test here is skipped for one that uses none."""

    fixtures_a_prompt: int = 10

    def test_a_failed_ask_is_a_judge_error(self, declared: Metric, case: Case, response: Response) -> None:
        """A ``JudgeError`` passes through, and the kernel records ``judge_error``: never a value."""
        _needs_judge(declared)
        judge = RaisingJudge(JudgeError("the judge is away"))
        found = _scored_with(declared, case, response, judge)
        require(judge.asks, "the sample was scored without asking the judge, so its failure cannot be seen; " + _SAMPLE)
        require(
            found.status == "judge_error" and "the judge is away" in (found.reason or ""),
            f"the judge failed and the outcome is {found.status} ({found.value}, {found.reason}); expected judge_error "
            "with the judge's reason. Let JudgeError pass: the kernel counts it outside the mean",
        )

    def test_an_unusable_reply_is_a_judge_error_and_not_cached(
        self, declared: Metric, case: Case, response: Response
    ) -> None:
        """A reply that does not fit is asked for once more, then the metric is ``judge_error``; nothing is kept."""
        _needs_judge(declared)
        judge = ScriptedJudge(every_reply="I would say it is fine.")
        found = _scored_with(declared, case, response, judge.handle())
        judge.close()
        require(
            found.status == "judge_error",
            f"the judge's replies were unusable and the outcome is {found.status} ({found.value}, {found.reason}); "
            "expected judge_error, so that no verdict is made up",
        )
        require(not judge.cached, "an unusable reply was cached; failures are never kept for another run")

    def test_an_exceeded_budget_passes_through(self, declared: Metric, case: Case, response: Response) -> None:
        """``BudgetExceededError`` reaches the kernel, which ends the run with what is stored."""
        _needs_judge(declared)
        try:
            found = _scored_with(declared, case, response, RaisingJudge(BudgetExceededError("no money left")))
        except BudgetExceededError:
            return
        fail(
            f"the budget was exceeded and the outcome is {found.status} ({found.value}, {found.reason}); expected "
            "BudgetExceededError to pass through score(), so that the run is aborted"
        )

    def test_every_prompt_asked_is_declared(
        self, declared: Metric, case: Case, response: Response, judge: ScriptedJudge
    ) -> None:
        """``prompts`` names the prompts that the metric asks; calibration and run records go by it."""
        _needs_judge(declared)
        self.outcome(declared, case, response, judge, what="the sample")
        known = {prompt.sha256 for prompt in declared.prompts}
        asked = judge.bench.stats.prompts
        require(asked, "the sample was scored without asking the judge; " + _SAMPLE)
        unknown = sorted(name for name, digest in asked.items() if digest not in known)
        require(not unknown, f"the metric asks {', '.join(unknown)}, which its 'prompts' does not name")

    def test_its_prompts_can_be_calibrated(self, declared: Metric) -> None:
        """Each prompt has a template, enough human-scored fixtures that fill it, and a score from 0 to 1."""
        _needs_judge(declared)
        require(declared.prompts, "the metric uses a judge, but its 'prompts' is empty")
        for prompt in declared.prompts:
            try:
                template = read_template(prompt)
                fixtures = list(prompt.fixtures())
                for fixture in fixtures:
                    render(template, fixture.variables)
            except (PluginError, OSError) as problem:
                fail(f"{problem}. A prompt ships templates/{prompt.name}.txt and fixtures/{prompt.name}.jsonl")
            require(
                len(fixtures) >= self.fixtures_a_prompt,
                f"prompt {prompt.name!r} has {len(fixtures)} fixtures; expected {self.fixtures_a_prompt} or more "
                "human-scored examples, by which 'ragproof calibrate' measures a judge",
            )
            wrong = [fixture.expected for fixture in fixtures if not _is_share(fixture.expected)]
            require(not wrong, f"prompt {prompt.name!r}: fixtures expect {shown(wrong)}; expected 0 to 1, or null")


_SAMPLE = "give the subclass fixtures 'case' and 'response' for which the metric asks"


def _needs_judge(metric: Metric) -> None:
    if not metric.uses_judge(configured=True):
        pytest.skip("the metric uses no judge")


def _scored_with(metric: Metric, case: Case, response: Response, judge: object) -> Outcome:
    return score(metric, case, response, judge, RUN, {name: scored(1.0) for name in metric.after})


def _is_share(value: object) -> bool:
    number = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    return value is None or (number and 0 <= float(str(value)) <= 1)
