"""The fixed reasons for skipping, and what counts as missing."""

from __future__ import annotations

import pytest

from ragproof_core import Answer, Case, Chunk, Response
from ragproof_core.engine.needs import BIT, HOOKS_FOR, NEEDS, missing_bits

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
