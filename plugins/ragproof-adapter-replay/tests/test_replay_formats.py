"""The same recordings under the field names and in the formats that tools write."""

import csv
import json

import pytest
from ragproof_adapter_replay import Replay

from ragproof_core import Answer, Chunk, ConfigError


def build(tmp_path, name, text, **settings):
    (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return Replay(Replay.Settings(path=name, **settings), tmp_path)


def ids(chunks):
    return [chunk.id for chunk in chunks]


OWN = {
    "question": "How long do refunds take?",
    "retrieved": [{"id": "d1", "text": "Refunds take 5 days.", "score": 0.9}, {"id": 2, "text": "Unrelated."}],
    "answer": {"answer_text": "5 days.", "citations": ["d1"], "retrieved_chunks": [{"id": "d1"}]},
}


def test_own_shape_keeps_order_scores_and_the_answers_context(tmp_path):
    adapter = build(tmp_path, "r.jsonl", json.dumps(OWN))
    chunks = adapter.retrieve("How long do refunds take?", 5, [], {})
    assert chunks == (Chunk("d1", "Refunds take 5 days.", 0.9), Chunk("2", "Unrelated."))
    answer = adapter.answer("How long do refunds take?", [], {})
    assert answer.answer_text == "5 days."
    assert [citation.chunk_id for citation in answer.citations] == ["d1"]
    assert ids(answer.retrieved_chunks) == ["d1"]


@pytest.mark.parametrize(("k", "expected"), [(0, []), (1, ["d1"]), (2, ["d1", "2"]), (9, ["d1", "2"])])
def test_retrieve_gives_the_first_k(tmp_path, k, expected):
    assert ids(build(tmp_path, "r.jsonl", json.dumps(OWN)).retrieve(OWN["question"], k, [], {})) == expected


TOOLS = {
    "ragas": {"user_input": "Q?", "response": "A.", "retrieved_contexts": ["one", "two"], "reference": "ref"},
    "older ragas": {"question": "Q?", "answer": "A.", "contexts": ["one", "two"], "ground_truth": "ref"},
    "deepeval": {"input": "Q?", "actual_output": "A.", "retrieval_context": ["one", "two"], "expected_output": "ref"},
}


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("shape", ["jsonl", "json", "csv"])
def test_field_names_of_other_tools(tmp_path, tool, shape):
    row = TOOLS[tool]
    if shape == "csv":
        with (tmp_path / "r.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(row))
            writer.writeheader()
            writer.writerow(row)  # a list is written as its Python repr, as ragas' to_csv does
        text = (tmp_path / "r.csv").read_text(encoding="utf-8")
    else:
        text = json.dumps([row] if shape == "json" else row)
    adapter = build(tmp_path, f"r.{shape}", text)
    chunks = adapter.retrieve("Q?", 5, [], {})
    assert [chunk.text for chunk in chunks] == ["one", "two"]
    answer = adapter.answer("Q?", [], {})
    assert answer.answer_text == "A."
    assert answer.retrieved_chunks == chunks


def test_contexts_without_ids_get_an_id_of_their_text(tmp_path):
    rows = [{"question": q, "contexts": ["same text", q]} for q in ("Q1", "Q2")]
    adapter = build(tmp_path, "r.jsonl", "\n".join(map(json.dumps, rows)))
    first, second = (ids(adapter.retrieve(q, 2, [], {})) for q in ("Q1", "Q2"))
    # the first 12 hex digits of sha256("same text")
    assert first[0] == second[0] == "text:2e68a7bba11b"
    assert first[1] != second[1]


def test_ids_beside_the_texts_are_taken(tmp_path):
    row = {"user_input": "Q?", "retrieved_contexts": ["one", "two"], "retrieved_context_ids": ["a", 7]}
    chunks = build(tmp_path, "r.jsonl", json.dumps(row)).retrieve("Q?", 5, [], {})
    assert chunks == (Chunk("a", "one"), Chunk("7", "two"))


def test_ids_without_texts_are_chunks_without_text(tmp_path):
    row = {"user_input": "Q?", "retrieved_context_ids": ["a", 7]}
    assert build(tmp_path, "r.jsonl", json.dumps(row)).retrieve("Q?", 5, [], {}) == (Chunk("a"), Chunk("7"))


def test_deepeval_cost_is_the_usage(tmp_path):
    row = {"input": "Q?", "actual_output": "A.", "token_cost": 0.002, "completion_time": 1.5}
    assert build(tmp_path, "r.json", json.dumps([row])).answer("Q?", [], {}).usage.cost_usd == 0.002


def test_a_ragas_conversation_is_split_at_its_last_question(tmp_path):
    messages = [
        {"type": "human", "content": "Hello"},
        {"type": "ai", "content": "Hi."},
        {"type": "human", "content": "Limit?"},
        {"type": "ai", "content": "", "tool_calls": []},
        {"type": "tool", "content": "5 GB"},
        {"type": "ai", "content": "5 GB."},
    ]
    adapter = build(tmp_path, "r.jsonl", json.dumps({"user_input": messages, "reference": "5 GB"}))
    history = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi."}]
    assert adapter.answer("Limit?", history, {}) == Answer("5 GB.")
    assert adapter.retrieve is None


def test_csv_delimiter_splits_a_plain_cell_and_without_one_it_is_one_context(tmp_path):
    text = "input,actual_output,retrieval_context\nQ?,A.,one|two; three\n"
    plain = build(tmp_path, "r.csv", text).retrieve("Q?", 5, [], {})
    split = build(tmp_path, "r.csv", text, context_delimiter="|").retrieve("Q?", 5, [], {})
    assert [chunk.text for chunk in plain] == ["one|two; three"]
    assert [chunk.text for chunk in split] == ["one", "two; three"]


def test_csv_answer_that_is_json_stays_text_and_an_empty_cell_is_an_empty_answer(tmp_path):
    adapter = build(tmp_path, "r.csv", 'question,answer\nQ1,"{""a"": 1}"\nQ2,\n')
    assert adapter.answer("Q1", [], {}).answer_text == '{"a": 1}'
    assert adapter.answer("Q2", [], {}).answer_text == ""


def test_csv_with_bom_crlf_newlines_in_cells_and_huge_cells(tmp_path):
    huge = "x" * 2_000_000
    text = f'\ufeffquestion,answer\r\n"Q\r\n1","a\r\nb"\r\nQ2,{huge}\r\n'
    before = csv.field_size_limit()
    adapter = build(tmp_path, "r.csv", text)
    assert adapter.answer("Q 1", [], {}).answer_text == "a\r\nb"
    assert adapter.answer("Q2", [], {}).answer_text == huge
    assert csv.field_size_limit() == before


def test_tsv_is_csv_with_tabs(tmp_path):
    assert build(tmp_path, "r.tsv", "question\tanswer\nQ?\tA, b\n").answer("Q?", [], {}) == Answer("A, b")


@pytest.mark.parametrize(
    "text", ["答え\u2028next \U0001f600 \u201cq\u201d", "nul \x00 here", "lone \ud800", "{{question}} ```"]
)
def test_odd_text_comes_back_as_it_was(tmp_path, text):
    row = json.dumps({"question": "Q?", "answer": text, "contexts": [text]}, ensure_ascii="\ud800" in text)
    adapter = build(tmp_path, "r.jsonl", row)
    assert adapter.answer("Q?", [], {}).answer_text == text
    assert adapter.retrieve("Q?", 1, [], {})[0].text == text


def test_own_field_names(tmp_path):
    row = {"prompt": "Q?", "out": "A.", "response": "something else", "query": "x", "question": "y"}
    adapter = build(tmp_path, "r.jsonl", json.dumps(row), fields={"question": "prompt", "answer": "out"})
    assert adapter.answer("Q?", [], {}) == Answer("A.")


def test_a_capability_that_no_recording_has_is_dropped(tmp_path):
    answers = build(tmp_path, "r.jsonl", json.dumps({"question": "Q?", "answer": "A."}))
    assert (answers.retrieve, answers.retrieve_exact) == (None, None)
    chunks = build(tmp_path, "r.jsonl", json.dumps({"question": "Q?", "retrieved": [], "retrieved_exact": [{"id": 1}]}))
    assert chunks.answer is None
    assert chunks.retrieve("Q?", 3, [], {}) == ()
    assert chunks.retrieve_exact("Q?", 3) == (Chunk("1"),)


@pytest.mark.parametrize(("name", "settings"), [("r.txt", {}), ("missing.jsonl", {}), ("empty.jsonl", {})])
def test_a_file_that_cannot_be_used_is_named(tmp_path, name, settings):
    (tmp_path / "r.txt").write_text("x")
    (tmp_path / "empty.jsonl").write_text("\n \n")
    with pytest.raises(ConfigError, match=name):
        Replay(Replay.Settings(path=name, **settings), tmp_path)


def test_the_format_setting_overrules_the_suffix(tmp_path):
    adapter = build(tmp_path, "r.txt", json.dumps({"question": "Q?", "answer": "A."}), format="jsonl")
    assert adapter.answer("Q?", [], {}) == Answer("A.")
