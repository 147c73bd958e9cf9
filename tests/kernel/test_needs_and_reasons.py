"""The fixed reasons for skipping, and what counts as missing."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from ragproof_core import Answer, Case, Chunk, Response, Usage, evaluate
from ragproof_core.engine.needs import BIT, HOOKS_FOR, NEEDS, hooks_for, is_need, missing_bits, reason_without, reports

CASE = Case(
    id="1", question="q", expected_answer="a", expected_source_ids=("s",), expected_source_grades={"s": 1},
    keywords=("k",), adversarial_payload="p",
)  # fmt: skip
CHUNKS = (Chunk(id="s"),)
RESPONSE = Response(
    retrieved=CHUNKS, exact=CHUNKS, context=CHUNKS, answer=Answer(answer_text="a", citations=({"chunk_id": "s"},))
)


def missing(case=CASE, response=RESPONSE):
    bits = missing_bits(case, response)
    return [need for need in NEEDS if bits & BIT[need]]


def case(**changes):
    fields = {name: getattr(CASE, name) for name in Case.__dataclass_fields__}
    return Case(**{**fields, **changes})


def response(**changes):
    return Response(
        **{**{name: getattr(RESPONSE, name) for name in ("retrieved", "exact", "context", "answer")}, **changes}
    )


def test_the_reasons_are_these():
    assert NEEDS == {
        "retrieval": "adapter does not expose retrieval",
        "exact_retrieval": "adapter does not expose exact retrieval",
        "answer": "adapter does not expose answers",
        "citations": "answer has no citations",
        "context": "no context: the adapter returned no chunks",
        "expected_answer": "case has no expected_answer",
        "expected_sources": "case has no expected_source_ids",
        "expected_grades": "case has no expected_source_grades",
        "keywords": "case has no keywords",
        "payload": "case has no adversarial_payload",
        "judge": "no judge is configured: set RAGPROOF_JUDGE_MODEL, or 'judge' in the config",
    }
    assert set(HOOKS_FOR) < set(NEEDS)
    assert len(set(BIT.values())) == len(NEEDS)


def test_nothing_is_missing_from_a_full_case():
    assert missing() == []


@pytest.mark.parametrize(
    ("changes", "needs"),
    [
        ({"expected_answer": None}, ["expected_answer"]),
        ({"expected_answer": " \n"}, ["expected_answer"]),
        ({"expected_source_grades": None}, ["expected_grades"]),
        ({"expected_source_ids": ()}, []),  # the grades tell them
        ({"expected_source_ids": (), "expected_source_grades": {"s": 0}}, ["expected_sources"]),
        ({"expected_source_ids": (), "expected_source_grades": {}}, ["expected_sources", "expected_grades"]),
        ({"expected_source_ids": (), "expected_source_grades": None}, ["expected_sources", "expected_grades"]),
        ({"keywords": ()}, ["keywords"]),
        ({"adversarial_payload": None}, ["payload"]),
    ],
)
def test_what_a_case_may_miss(changes, needs):
    assert missing(case=case(**changes)) == needs


@pytest.mark.parametrize(
    ("changes", "needs"),
    [
        ({"retrieved": None}, ["retrieval"]),
        ({"retrieved": ()}, []),  # an empty list was retrieved: it scores 0
        ({"exact": None}, ["exact_retrieval"]),
        ({"context": None}, ["context"]),
        ({"context": ()}, []),  # an empty context differs from an unknown one
        ({"answer": None}, ["answer", "citations"]),
        ({"answer": Answer(answer_text="")}, ["citations"]),
    ],
)
def test_what_a_response_may_miss(changes, needs):
    assert missing(response=response(**changes)) == needs


@pytest.mark.parametrize("need", ["judge", "usage.cost_usd", "usage.input_tokens", "trace.steps", "trace.a.b"])
def test_what_is_a_need(need):
    assert is_need(need)


@pytest.mark.parametrize(
    "name", ["", "usage", "usage.", "usage.dollars", "trace", "trace.", "timings_ms.x", "cost_usd"]
)
def test_what_is_no_need(name):
    assert not is_need(name)


def test_what_is_reported_needs_the_answer_and_has_a_reason():
    assert hooks_for("usage.cost_usd") == hooks_for("trace.steps") == ("answer",)
    assert reason_without("usage.cost_usd") == "adapter reports no usage.cost_usd"
    assert reason_without("trace.a.b") == "adapter reports no trace.a.b"
    assert reason_without("payload") == "case has no adversarial_payload"


def test_none_is_not_reported_and_zero_is():
    answer = Answer("a", usage=Usage(input_tokens=0), trace={"steps": None, "cache_hit": False})
    needs = ["usage.input_tokens", "usage.cost_usd", "trace.steps", "trace.cache_hit", "trace.other"]
    assert [need for need in needs if reports(answer, need)] == ["usage.input_tokens", "trace.cache_hit"]


def test_each_case_is_skipped_for_what_its_own_answer_lacks():
    """One plan a shape: the second answer's shape equals the first but for what it reports."""
    answers = {
        "a": {"answer_text": "a"},
        "b": {"answer_text": "b", "trace": {"steps": 3}},
        "c": {"answer_text": "c", "usage": {"cost_usd": 0.5}},
    }
    adapter = SimpleNamespace(answer=lambda question: answers[question])
    cases = [{"id": name, "question": name, "expected_answer": name} for name in answers]
    report = evaluate(cases=cases, adapter=adapter, metrics=["operational.steps", "operational.cost_usd"])
    outcomes = {row.case_id: {name: tuple(outcome) for name, outcome in row.scores.items()} for row in report.rows}
    no_cost = ("skipped", None, "adapter reports no usage.cost_usd")
    no_steps = ("skipped", None, "adapter reports no trace.steps")
    assert outcomes == {
        "a": {"operational.cost_usd": no_cost, "operational.steps": no_steps},
        "b": {"operational.cost_usd": no_cost, "operational.steps": ("scored", 3.0, None)},
        "c": {"operational.cost_usd": ("scored", 0.5, None), "operational.steps": no_steps},
    }
