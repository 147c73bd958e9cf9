"""Which recording answers which case."""

import json

import pytest
from hypothesis import given, strategies as st
from ragproof_adapter_replay import Replay
from ragproof_adapter_replay.recording import normal_question

from ragproof_core import AdapterError, ConfigError


def build(tmp_path, rows, **settings):
    (tmp_path / "r.jsonl").write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return Replay(Replay.Settings(path="r.jsonl", **settings), tmp_path)


def turns(*contents):
    return [{"role": "user", "content": content} for content in contents]


def test_history_tells_equal_questions_apart(tmp_path):
    adapter = build(
        tmp_path,
        [
            {"question": "And the limit?", "history": turns("Plan A"), "answer": "1 GB"},
            {"question": "And the limit?", "history": turns("Plan B"), "answer": "2 GB"},
            {"question": "And the limit?", "answer": "Which plan?"},
        ],
    )
    assert adapter.answer("And the limit?", turns("Plan A"), {}).answer_text == "1 GB"
    assert adapter.answer("And the limit?", turns("Plan B"), {}).answer_text == "2 GB"
    assert adapter.answer("And the limit?", turns("Plan C"), {}).answer_text == "Which plan?"
    assert adapter.answer("And the limit?", [], {}).answer_text == "Which plan?"


def test_an_empty_history_fits_only_an_empty_history(tmp_path):
    adapter = build(tmp_path, [{"question": "Q?", "history": [], "answer": "A."}])
    assert adapter.answer("Q?", [], {}).answer_text == "A."
    with pytest.raises(AdapterError, match=r"another history only \(r.jsonl:1\)"):
        adapter.answer("Q?", turns("Hello"), {})


def test_two_different_results_for_one_question_are_refused(tmp_path):
    with pytest.raises(ConfigError, match=r"r.jsonl:3: question: another result for it is at r.jsonl:1"):
        build(
            tmp_path,
            [
                {"question": "Q?", "answer": "A."},
                {"question": "Q2?", "answer": "A."},
                {"question": " Q?\n", "answer": "B."},
            ],
        )


def test_the_same_result_twice_is_fine(tmp_path):
    adapter = build(tmp_path, [{"question": "Q?", "answer": "A."}] * 2)
    assert adapter.answer("Q?", [], {}).answer_text == "A."


def test_key_matches_metadata(tmp_path):
    rows = [{"row": 1, "question": "Q?", "answer": "A."}, {"row": "2", "question": "Q?", "answer": "B."}]
    adapter = build(tmp_path, rows, key="row")
    assert adapter.answer("Q?", [], {"row": "1"}).answer_text == "A."
    assert adapter.answer("Q?", [], {"row": 2}).answer_text == "B."
    with pytest.raises(AdapterError, match="no recording with row = 3"):
        adapter.answer("Q?", [], {"row": 3})
    with pytest.raises(AdapterError, match="metadata has no 'row'"):
        adapter.answer("Q?", [], {})


def test_an_id_is_looked_up_in_the_questions_file(tmp_path):
    cases = [
        {"id": "c1", "question": "Q?", "history": turns("one"), "expected_answer": "x"},
        {"id": "c2", "question": "Q?", "history": turns("two")},
        {"id": 3, "question": "Other?"},
    ]
    (tmp_path / "cases.jsonl").write_text("\n".join(map(json.dumps, cases)), encoding="utf-8")
    rows = [{"case_id": "c1", "answer": "1"}, {"id": "c2", "answer": "2"}, {"qid": "3", "answer": "3"}]
    adapter = build(tmp_path, rows, questions="cases.jsonl")
    assert adapter.answer("Q?", turns("one"), {}).answer_text == "1"
    assert adapter.answer("Q?", turns("two"), {}).answer_text == "2"
    assert adapter.answer("Other?", turns("anything"), {}).answer_text == "3"


def test_a_missing_question_is_named_at_run_time(tmp_path):
    adapter = build(tmp_path, [{"question": "Q?", "answer": "A.", "retrieved": []}])
    with pytest.raises(AdapterError, match=r'r.jsonl has no recording for the question "Other\?" \(1 recording\)'):
        adapter.retrieve("Other?", 5, [], {})


def test_a_missing_part_is_named_at_run_time(tmp_path):
    adapter = build(tmp_path, [{"question": "Q1", "answer": "A."}, {"question": "Q2", "retrieved": []}])
    with pytest.raises(AdapterError, match=r'"Q2" has no answer \(r.jsonl:2\)'):
        adapter.answer("Q2", [], {})
    with pytest.raises(AdapterError, match=r'"Q1" has no retrieved chunks \(r.jsonl:1\)'):
        adapter.retrieve("Q1", 5, [], {})


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip))
def test_normal_question_is_idempotent_and_ignores_outer_space(question):
    normal = normal_question(question)
    assert normal_question(normal) == normal
    assert normal_question(f"  {question}\r\n") == normal
