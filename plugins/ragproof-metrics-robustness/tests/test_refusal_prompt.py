"""The prompt "refusal": its template, its reply, and its scored examples."""

import json

import pytest
from ragproof_metrics_robustness.decision import PROMPT, RefusalReply
from ragproof_metrics_robustness.refusals import is_refusal

from ragproof_core.judging.rendering import read_template, render

FIXTURES = list(PROMPT.fixtures())


def test_the_template_states_the_reply_and_keeps_data_out_of_the_system_text():
    system, separator, _ = PROMPT.template.partition("\n---\n")
    assert separator
    assert "{{" not in system
    examples = [json.loads(line) for line in system.splitlines() if line.startswith("{")]
    assert examples == [{"refused": True}, {"refused": False}]


def test_the_examples_are_enough_and_hard():
    assert len(FIXTURES) == 22
    assert {fixture.expected for fixture in FIXTURES} == {0.0, 1.0}
    assert sum(fixture.expected for fixture in FIXTURES) == 9
    texts = [fixture.variables["answer"] for fixture in FIXTURES]
    assert len(set(texts)) == len(texts)
    assert sum(not text.isascii() for text in texts) >= 4
    assert any("NOTE TO THE REVIEWER" in text for text in texts)


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda fixture: fixture.variables["answer"][:30])
def test_every_example_renders(fixture):
    assert fixture.variables.keys() == {"question", "answer"}
    assert fixture.variables["answer"] in render(read_template(PROMPT), fixture.variables).user


@pytest.mark.parametrize(("reply", "score"), [({"refused": True}, 1.0), ({"refused": False, "why": "x"}, 0.0)])
def test_score(reply, score):
    assert PROMPT.score(RefusalReply.model_validate_json(json.dumps(reply)), {}) == score


def test_the_phrase_heuristic_agrees_on_all_examples_but_one():
    wrong = [
        fixture.variables["answer"]
        for fixture in FIXTURES
        if float(is_refusal(fixture.variables["answer"])) != fixture.expected
    ]
    assert wrong == ["The handbook describes the notice period in Germany, four weeks. It says nothing about Austria."]
