"""Versions of the toy metric with one fault each; ``fails`` names the standard tests that see it."""

import re
from typing import ClassVar

import pytest
from ragproof_metrics_generation.groundedness import PROMPT
from toy_metric import Base, Toy

from ragproof_core import Answer, Chunk, JudgeError, hookimpl, scored, skipped
from ragproof_core.testing import MetricConformance
from ragproof_core.testing.samples import made_response


class TestCorrect(Base):
    pass


class TestNoFixture(MetricConformance):
    fails = frozenset({"*"})


EVERY_SCORE = frozenset(
    {
        "test_the_sample_is_scored", "test_equal_input_gives_equal_outcomes", "test_its_input_is_left_alone",
        "test_scores_from_many_threads_keep_apart", "test_without", "test_cases_of_kind", "test_blank_parts",
        "test_any_text_may_occur", "test_two_megabytes_take_linear_time", "test_answer_that_reports_nothing",
    }
)  # fmt: skip


class OutOfRange(Toy):
    @hookimpl
    def score(self, case, response):
        return 1.7


class TestOutOfRange(Base):
    made = OutOfRange
    fails = EVERY_SCORE


class NotANumber(Toy):
    @hookimpl
    def score(self, case, response):
        return True


class TestNotANumber(Base):
    made = NotANumber
    fails = EVERY_SCORE


class NeverScores(Toy):
    @hookimpl
    def score(self, case, response):
        return skipped("not today")


class TestNeverScores(Base):
    made = NeverScores
    fails = frozenset({"test_the_sample_is_scored"})


class NoReason(Toy):
    @hookimpl
    def score(self, case, response):
        return scored(1.0) if "Bonn" in response.answer.answer_text else skipped("")


class TestSkipsWithoutReason(Base):
    made = NoReason
    fails = EVERY_SCORE - {
        "test_the_sample_is_scored", "test_its_input_is_left_alone", "test_without", "test_cases_of_kind",
        "test_answer_that_reports_nothing",
    }  # fmt: skip


class Stateful(Toy):
    best = 0.0

    @hookimpl
    def score(self, case, response):
        before, self.best = self.best, len(response.answer.answer_text) / 10**9
        return before


class TestKeepsState(Base):
    made = Stateful
    fails = frozenset({"test_equal_input_gives_equal_outcomes", "test_scores_from_many_threads_keep_apart"})


class Changing(Toy):
    @hookimpl
    def score(self, case, response):
        case.metadata["seen"] = True
        return super().score(case, response)


class TestChangesTheCase(Base):
    made = Changing
    fails = frozenset({"test_its_input_is_left_alone"})


class Undeclared(Toy):
    needs = ("answer",)


class TestUndeclaredNeed(Base):
    made = Undeclared
    fails = frozenset({"test_without", "test_blank_parts"})


class ReadsUsage(Toy):
    range = (0.0, None)
    needs = ("answer",)

    @hookimpl
    def score(self, response):
        return response.answer.usage.cost_usd


class TestUndeclaredReport(Base):
    made = ReadsUsage
    fails = frozenset({"test_answer_that_reports_nothing"})


class DeclaresUsage(ReadsUsage):
    needs = ("answer", "usage.cost_usd")


class TestDeclaredReport(Base):
    made = DeclaresUsage


class Generous(Toy):
    @hookimpl
    def score(self, case, response):
        said = response.answer.answer_text.split()
        return all(word in case.expected_answer for word in said) * 1.0


class TestFullMarksForNothing(Base):
    made = Generous
    fails = frozenset({"test_blank_parts"})


class Found(Toy):
    """Whether all that was retrieved has a text: all of nothing is true."""

    needs = ("retrieval",)

    @hookimpl
    def score(self, response):
        return all(chunk.id for chunk in response.retrieved) * 1.0


class TestFullMarksForNothingRetrieved(Base):
    made = Found
    fails = frozenset({"test_blank_parts"})


class Encoding(Toy):
    @hookimpl
    def score(self, case, response):
        response.answer.answer_text.encode()
        return super().score(case, response)


class TestCannotEncode(Base):
    made = Encoding
    fails = frozenset({"test_any_text_may_occur"})


class Quadratic(Toy):
    @hookimpl
    def score(self, case, response):
        re.search(r"\s+$", response.answer.answer_text)
        return super().score(case, response)


class TestQuadratic(Base):
    made = Quadratic
    fails = frozenset({"test_two_megabytes_take_linear_time"})


class Bare(Toy):
    unit = ""
    range = (1.0, 0.0)


class TestPoorDeclarations(Base):
    made = Bare
    fails = frozenset({"test_the_declarations_are_complete"}) | EVERY_SCORE


class Sideways(Toy):
    direction = "up"


class TestWrongDirection(Base):
    made = Sideways
    fails = EVERY_SCORE | {"*"}


class Summing(Toy):
    @hookimpl
    def summarize(self, rows):
        return {"mean": sum(row.values["Summing"] for row in rows) / len(rows)}


class TestSummarizesNothing(Base):
    made = Summing
    fails = frozenset({"test_it_summarizes_any_run"})


class ByQaOnly(Toy):
    kinds = ("unanswerable",)


class TestOneKind(Base):
    made = ByQaOnly


class Judged(Toy):
    needs = ("answer", "context", "judge")
    prompts = (PROMPT,)

    @hookimpl
    def score(self, case, response, judge):
        return self.judged(case, response, judge)

    def judged(self, case, response, judge):
        variables = {"question": "Q?", "context": response.context, "answer": response.answer.answer_text}
        value = PROMPT.score(judge.ask(PROMPT, variables), variables)
        return skipped("no claims") if value is None else scored(value if response.context else 0.0)


class TestJudged(Base):
    made = Judged


class TestJudgedInItsOwnWords(Base):
    made = Judged
    replies: ClassVar = {"groundedness": {"claims": [{"claim": "x", "supported": False}]}}

    @pytest.fixture
    def response(self):
        return made_response((Chunk("a", "b"),), Answer("b"))


class Swallowing(Judged):
    @hookimpl
    def score(self, case, response, judge):
        try:
            return self.judged(case, response, judge)
        except JudgeError:
            return 0.0


class TestSwallowsJudgeErrors(Base):
    made = Swallowing
    fails = frozenset({"test_a_failed_ask_is_a_judge_error", "test_an_unusable_reply_is_a_judge_error_and_not_cached"})


class SwallowingAll(Judged):
    @hookimpl
    def score(self, case, response, judge):
        try:
            return self.judged(case, response, judge)
        except Exception as problem:
            raise JudgeError(str(problem)) from problem


class TestSwallowsTheBudget(Base):
    made = SwallowingAll
    fails = frozenset({"test_an_exceeded_budget_passes_through"})


class Undeclaring(Judged):
    prompts = ()


class TestUndeclaredPrompt(Base):
    made = Undeclaring
    fails = frozenset({"test_every_prompt_asked_is_declared", "test_its_prompts_can_be_calibrated"})


class TestTooFewFixtures(Base):
    made = Judged
    fixtures_a_prompt = 1000
    fails = frozenset({"test_its_prompts_can_be_calibrated"})


class NeverAsks(Judged):
    @hookimpl
    def score(self, case, response, judge):
        return 0.5


class TestNeverAsks(Base):
    made = NeverAsks
    fails = frozenset(
        {
            "test_a_failed_ask_is_a_judge_error", "test_an_exceeded_budget_passes_through",
            "test_an_unusable_reply_is_a_judge_error_and_not_cached", "test_every_prompt_asked_is_declared",
        }
    )  # fmt: skip
