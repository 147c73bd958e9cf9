"""The standard tests of a metric."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from time import perf_counter

import pytest

from ragproof_core.engine.needs import NEEDS
from ragproof_core.engine.selection import Metric
from ragproof_core.models.case import Case, CaseKind
from ragproof_core.models.response import Chunk, Response
from ragproof_core.models.run import ScoreRow
from ragproof_core.testing.checking import require, shown
from ragproof_core.testing.hostile_texts import HOSTILE_TEXTS, LONE_SURROGATES
from ragproof_core.testing.metric_judging import MetricJudging
from ragproof_core.testing.metric_scoring import RUN
from ragproof_core.testing.samples import made_response, without
from ragproof_core.testing.scripted_judge import ScriptedJudge

_MEGABYTE = 2**20
_SIZES = (_MEGABYTE // 32, _MEGABYTE // 8, _MEGABYTE // 2, 2 * _MEGABYTE)
_TEXTURES: Mapping[str, Callable[[int], str]] = {
    "words": lambda size: "The office is in Bonn. " * (size // 23),
    "one word": lambda size: "a" * size,
    "digits": lambda size: "1234567890" * (size // 10),
    "numbers": lambda size: "1,000.5 " * (size // 8),
    "white space": lambda size: " " * (size - 1) + ".",
    "brackets": lambda size: "([{" * (size // 3),
    "quotes": lambda size: "'\"" * (size // 2),
}
_BLANKS: Mapping[str, Callable[[Case, Response], tuple[Case, Response]]] = {
    "empty answer": lambda case, response: (case, _with_answer(response, "")),
    "blank answer": lambda case, response: (case, _with_answer(response, " \n\t")),
    "nothing retrieved": lambda case, response: (case, _with_chunks(response, ())),
    "chunks without text": lambda case, response: (case, _with_chunks(response, (Chunk("office"), Chunk("x", " ")))),
    "blank expected answer": lambda case, response: (replace(case, expected_answer="  "), response),
    "no tags, history and metadata": lambda case, response: (
        replace(case, tags=(), history=(), metadata={}),
        response,
    ),
    "nothing reported": lambda case, response: (case, _with_reports(response)),
    "no timings": lambda case, response: (case, replace(response, timings_ms={})),
}


class MetricConformance(MetricJudging):
    """Subclass with a fixture ``metric``: the built component.

    The suite scores a sample case and response in which every part is filled in; fixtures ``case`` and ``response`` of
    the subclass's own replace them when the metric does not score that one. A metric with a judge is given example
    replies that fit its prompts' schemas; ``replies`` (prompt name to reply) replaces them.

    ``seconds_for_two_megabytes`` bounds one score of a 2 MB answer, ``fixtures_a_prompt`` is how many human-scored
    examples each of the metric's prompts has at least.
    """

    seconds_for_two_megabytes: float = 5.0

    def test_the_declarations_are_complete(self, declared: Metric) -> None:
        """Direction, range, kinds and needs are valid, and unit, description and source are given."""
        for attribute in ("description", "unit", "source"):
            text = getattr(declared, attribute).strip()
            require(text, f"{attribute} is empty; reports and 'ragproof plugins show' print it beside the value")
            require("\n" not in text, f"{attribute} has several lines; expected one")
        low, high = declared.low, declared.high
        require(
            low is None or high is None or low < high,
            f"range is ({low}, {high}); expected a lower bound below the upper one, None for no bound",
        )

    def test_the_sample_is_scored(self, declared: Metric, case: Case, response: Response, judge: ScriptedJudge) -> None:
        """The sample gets a value inside ``range``; without one the other tests would see nothing."""
        found = self.outcome(declared, case, response, judge, what="the sample")
        require(
            found.status == "scored",
            f"the sample is {found.status}: {found.reason}. Give the subclass fixtures 'case' and 'response' that the "
            "metric scores",
        )

    def test_equal_input_gives_equal_outcomes(
        self, declared: Metric, case: Case, response: Response, judge: ScriptedJudge
    ) -> None:
        """The outcome depends on the case alone, not on what was scored before."""
        first = self.outcome(declared, case, response, judge, what="the sample")
        self.outcome(declared, case, _with_answer(response, "No idea."), judge, what="another answer")
        again = self.outcome(declared, case, response, judge, what="the sample again")
        require(first == again, f"the same case gave {first}, and {again} after another one; keep no state in score()")

    def test_its_input_is_left_alone(
        self, declared: Metric, case: Case, response: Response, judge: ScriptedJudge
    ) -> None:
        """Case and response are the same afterwards; other metrics see the same objects."""
        before = copy.deepcopy((case, response))
        self.outcome(declared, case, response, judge, what="the sample")
        for name, was, now in zip(("case", "response"), before, (case, response), strict=True):
            require(was == now, f"score() changed the {name}; all metrics of a case share it, so copy what is changed")

    def test_scores_from_many_threads_keep_apart(
        self, declared: Metric, case: Case, response: Response, judge: ScriptedJudge
    ) -> None:
        """Eight threads score two answers in turns, and each outcome is the one of its own answer."""
        inputs = [response, _with_answer(response, "I do not know.")] * 16
        alone = [self.outcome(declared, case, each, judge, what="alone") for each in inputs[:2]]
        with ThreadPoolExecutor(8) as threads:
            together = list(
                threads.map(lambda each: self.outcome(declared, case, each, judge, what="in a thread"), inputs)
            )
        for place, found in enumerate(together):
            require(
                found == alone[place % 2],
                f"{found} while other threads scored too, {alone[place % 2]} alone; keep no state in score()",
            )

    @pytest.mark.parametrize("need", NEEDS)
    def test_without(self, declared: Metric, case: Case, response: Response, judge: ScriptedJudge, need: str) -> None:
        """With one thing missing the case is skipped with a reason or still scored, and never an error."""
        less_case, less_response = without(need, case, response)
        self.outcome(
            declared,
            less_case,
            less_response,
            None if need == "judge" else judge,
            what=f"without {need} (add {need!r} to 'needs' if the metric cannot do without it)",
        )

    @pytest.mark.parametrize("part", ["usage", "trace"])
    def test_answer_that_reports_nothing(
        self, declared: Metric, case: Case, response: Response, judge: ScriptedJudge, part: str
    ) -> None:
        """An answer that reports no usage, or no trace, is skipped with a reason or scored, and never an error."""
        _, less = without(part, case, response)
        what = f"an answer without {part} (add '{part}.NAME' to 'needs' if the metric cannot do without it)"
        self.outcome(declared, case, less, judge, what=what)

    @pytest.mark.parametrize("kind", ["qa", "unanswerable", "injection"])
    def test_cases_of_kind(
        self, declared: Metric, case: Case, response: Response, judge: ScriptedJudge, kind: CaseKind
    ) -> None:
        """Cases of each kind are skipped with a reason or scored."""
        self.outcome(declared, replace(case, kind=kind), response, judge, what=f"a case of kind {kind}")

    @pytest.mark.parametrize("blank", _BLANKS)
    def test_blank_parts(
        self, declared: Metric, case: Case, response: Response, judge: ScriptedJudge, blank: str
    ) -> None:
        """What is there but blank is skipped or scored; nothing is never worth full marks."""
        blank_case, blank_response = _BLANKS[blank](case, response)
        found = self.outcome(declared, blank_case, blank_response, judge, what=blank)
        compared = {"expected_answer", "keywords"} & {*declared.needs}
        worthless = (blank in ("empty answer", "blank answer") and "answer" in declared.needs and compared) or (
            blank == "nothing retrieved" and {"retrieval", "context"} & {*declared.needs}
        )
        best = {"higher": declared.high, "lower": declared.low}.get(declared.direction)
        require(
            not (worthless and found.status == "scored" and found.value == best is not None),
            f"{blank}: scored {found.value}, the best value of the range; expected the worst, or skipped with a reason",
        )

    @pytest.mark.parametrize(
        "text", [pytest.param(text, id=name) for name, text in {**HOSTILE_TEXTS, **LONE_SURROGATES}.items()]
    )
    def test_any_text_may_occur(
        self, declared: Metric, case: Case, response: Response, judge: ScriptedJudge, text: str
    ) -> None:
        """Whatever stands in question, answer, chunks and expectations, the outcome is no error."""
        hostile = made_response((Chunk("office", text), Chunk("odd", text)), response.answer, (Chunk("odd", text),))
        in_case = case
        if text not in LONE_SURROGATES.values():  # datasets are UTF-8
            in_case = replace(case, question=text, expected_answer=text, keywords=(text,), adversarial_payload=text)
        self.outcome(declared, in_case, _with_answer(hostile, text), judge, what=shown(text))
        self.outcome(declared, case, _with_answer(response, text), judge, what=f"the answer {shown(text)}")

    @pytest.mark.parametrize("texture", _TEXTURES)
    def test_two_megabytes_take_linear_time(
        self, declared: Metric, case: Case, response: Response, judge: ScriptedJudge, texture: str
    ) -> None:
        """An answer of 2 MB is scored in seconds; sizes go up fourfold, so that quadratic time shows early."""
        took = []
        for size in _SIZES:
            large = _with_answer(response, _TEXTURES[texture](size))
            start = perf_counter()
            self.outcome(declared, case, large, judge, what=f"an answer of {size} characters ({texture})")
            took.append(perf_counter() - start)
            allowed = self.seconds_for_two_megabytes * max(size / _SIZES[-1], 1 / 16)
            growth = ", ".join(f"x{after / before:.0f}" for before, after in pairwise(took))
            require(
                took[-1] <= allowed,
                f"an answer of {size:,} characters ({texture}) took {took[-1]:.1f} s; expected {allowed:.1f} s at "
                f"most. Each step is four times longer and took {growth or 'too long at once'}; look for a regular "
                "expression or a loop that goes over the text again and again",
            )

    def test_it_summarizes_any_run(self, declared: Metric) -> None:
        """``summarize`` takes no rows, failed ones and scored ones, and names finite values."""
        if "summarize" not in declared.component.hooks:
            pytest.skip("the metric has no summarize hook")
        rows = [
            ScoreRow("failed", "qa", (), "error", {}),
            ScoreRow("scored", "qa", ("place",), "ok", {declared.name: 1.0}),
            ScoreRow("bare", "unanswerable", (), "ok", {}),
        ]
        for given in ([], rows[:1], rows):
            values = declared.component.call("summarize", rows=given, run=RUN)
            require(
                isinstance(values, Mapping) and all(_named_value(name, value) for name, value in values.items()),
                f"summarize() of {len(given)} rows returned {shown(values)}; expected a mapping of names to finite "
                "numbers, None for a value that there is not",
            )


def _named_value(name: object, value: object) -> bool:
    number = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    return isinstance(name, str) and (value is None or number)


def _with_answer(response: Response, text: str) -> Response:
    return response if response.answer is None else replace(response, answer=replace(response.answer, answer_text=text))


def _with_chunks(response: Response, chunks: tuple[Chunk, ...]) -> Response:
    answer = None if response.answer is None else replace(response.answer, retrieved_chunks=chunks)
    return replace(made_response(chunks, answer, chunks), timings_ms=response.timings_ms)


def _with_reports(response: Response) -> Response:
    if response.answer is None:
        return response
    return replace(response, answer=replace(response.answer, usage=None, timings_ms={}, trace={}))
