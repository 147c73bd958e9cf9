"""Every unusable line is listed with its place, field and reason."""

import json

import pytest
from pydantic import ValidationError
from ragproof_adapter_replay import Replay

from ragproof_core import ConfigError


def refusal(tmp_path, name, text, **settings):
    (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    with pytest.raises(ConfigError) as caught:
        Replay(Replay.Settings(path=name, **settings), tmp_path)
    return [line.strip() for line in str(caught.value).splitlines()]


ROWS = [
    ("{", "r.jsonl:2: not JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
    ("[1]", "r.jsonl:2: expected an object, got [1]"),
    ('{"answer": "A."}', "r.jsonl:2: question: missing, and no id that the file in `questions` maps to one"),
    ('{"question": " "}', 'r.jsonl:2: question: expected a text that is not blank, got " "'),
    ('{"question": 5}', "r.jsonl:2: question: expected a text that is not blank, got 5"),
    ('{"question": [{"type": "ai", "content": "x"}]}', "r.jsonl:2: question: no message is from the user"),
    (
        '{"question": "Q", "retrieved": [{"id": null}]}',
        "r.jsonl:2: retrieved[0].id: Input should be a valid string, got null",
    ),
    ('{"question": "Q", "retrieved": [{"text": "t"}]}', "r.jsonl:2: retrieved[0].id: Field required"),
    ('{"question": "Q", "retrieved": "d1"}', 'r.jsonl:2: retrieved: expected a list, got "d1"'),
    (
        '{"question": "Q", "contexts": ["a"], "retrieved_context_ids": ["1", "2"]}',
        "r.jsonl:2: context ids: expected a list of 1 id, one for each chunk",
    ),
    (
        '{"question": "Q", "contexts": ["a"], "retrieved_context_ids": [null]}',
        "r.jsonl:2: context[0].id: Input should be a valid string, got null",
    ),
    (
        '{"question": "Q", "answer": {"text": "A"}}',
        "r.jsonl:2: answer.answer_text: Field required",
    ),
    ('{"question": "Q", "answer": ["A"]}', 'r.jsonl:2: answer.answer_text: Input should be a valid string, got ["A"]'),
    (
        '{"question": "Q", "answer": "A", "usage": {"input_tokens": -1}}',
        "r.jsonl:2: answer.usage.input_tokens: Input should be greater than or equal to 0, got -1",
    ),
    ('{"question": "Q", "history": ["hi"]}', "r.jsonl:2: history: turn 0 is not an object with role and content"),
    ('{"question": "Q", "history": "hi"}', "r.jsonl:2: history: expected a list of turns with role and content"),
    (
        '{"question": "Q", "response": "a", "answer": "b"}',
        "r.jsonl:2: answer: answer and response are both given; choose one with `fields: {answer: answer}`",
    ),
]


@pytest.mark.parametrize(("line", "expected"), ROWS)
def test_jsonl_rows(tmp_path, line, expected):
    good = json.dumps({"question": "fine", "answer": "A."})
    lines = refusal(tmp_path, "r.jsonl", f"{good}\n{line}\n")
    assert lines == ["The recording cannot be replayed:", expected]


def test_all_bad_lines_are_listed_up_to_twenty(tmp_path):
    lines = refusal(tmp_path, "r.jsonl", "{\n" * 25)
    assert [line.split(": ")[0] for line in lines[1:21]] == [f"r.jsonl:{number}" for number in range(1, 21)]
    assert lines[21:] == ["… and 5 more"]


def test_json_rows_are_named_by_index(tmp_path):
    lines = refusal(tmp_path, "r.json", '[{"question": "Q", "answer": "A"}, 3]')
    assert lines[1:] == ["r.json[1]: expected an object, got 3"]
    assert refusal(tmp_path, "r.json", "{}")[1:] == ["r.json: expected a list of objects, got {}"]


def test_csv_rows_are_named_by_the_line_they_begin_at(tmp_path):
    lines = refusal(tmp_path, "r.csv", 'question,answer\n"two\nlines",A\n"","B\nb"\nQ,B,C\n')
    assert lines[1:] == [
        "r.csv:6: has more cells than the header's 2",
        "r.csv:4: question: missing, and no id that the file in `questions` maps to one",
    ]


def test_a_file_that_is_not_utf8_is_named_with_the_byte(tmp_path):
    assert refusal(tmp_path, "r.jsonl", b'{"question": "\xff"}')[0].endswith("r.jsonl: is not UTF-8: byte 14 is 0xff")


def test_unknown_names_in_fields_are_refused():
    with pytest.raises(ValidationError, match="unknown: quesion; known: question, history"):
        Replay.Settings(path="r.jsonl", fields={"quesion": "x"})


def test_unknown_settings_are_refused():
    with pytest.raises(ValidationError, match="file"):
        Replay.Settings(path="r.jsonl", file="x")
