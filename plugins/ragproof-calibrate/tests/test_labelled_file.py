import json

import pytest
from ragproof_calibrate.labels import load_labels

from ragproof_core.errors import DatasetError


@pytest.fixture
def load(demo, tmp_path):
    def write_and_load(*lines, raw=None):
        path = tmp_path / "labels.jsonl"
        path.write_bytes(raw if raw is not None else "\n".join(map(json.dumps, lines)).encode())
        return load_labels(path, [demo.GRADE, demo.LISTED])

    return write_and_load


def test_both_shapes(load):
    nested = {"prompt": "demo_grade", "variables": {"question": "q", "answer": "a"}, "expected": 0.5}
    flat = {"prompt": "demo_grade", "question": "q", "answer": "a", "expected": 0.5, "about": "negation", "id": "7"}
    one, other = load(nested, flat)
    assert one.variables == other.variables == {"question": "q", "answer": "a"}
    assert (one.expected, one.where, other.where) == (0.5, "labels.jsonl:1", "labels.jsonl:2")


def test_chunks_may_be_just_their_text(load):
    line = {"prompt": "demo_listed", "question": "q", "context": ["x", {"id": 9, "text": "y"}], "expected": None}
    (sample,) = load(line)
    assert sample.variables["context"] == [{"id": "1", "text": "x"}, {"id": "9", "text": "y"}]
    assert sample.expected is None


def test_a_bom_crlf_and_blank_lines_are_fine(load):
    line = json.dumps({"prompt": "demo_grade", "question": "q", "answer": "\u2028", "expected": 1}, ensure_ascii=False)
    assert len(load(raw=("\ufeff" + line + "\r\n\r\n" + line + "\r\n").encode())) == 2


GOOD = {"prompt": "demo_grade", "question": "q", "answer": "a", "expected": 1}


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("nonsense", "line: expected a JSON object, found str"),
        ({**GOOD, "prompt": "demo_grad"}, "prompt: unknown prompt 'demo_grad'; did you mean demo_grade?"),
        ({**GOOD, "prompt": "zzz"}, "prompt: unknown prompt 'zzz'; the metrics in use have: demo_grade, demo_listed"),
        ({"expected": 1}, "prompt: is missing; "),
        ({**GOOD, "expected": 2}, "expected: expected a number from 0 to 1, or null for not applicable, found 2"),
        ({**GOOD, "expected": True}, "expected: expected a number from 0 to 1"),
        ({**GOOD, "expected": "0.5"}, "expected: expected a number from 0 to 1"),
        ({"prompt": "demo_grade", "question": "q", "answer": "a"}, "expected: is missing; give a number"),
        ({"prompt": "demo_grade", "question": "q", "expected": 1}, "answer: is missing; prompt demo_grade needs answer, question"),
        ({**GOOD, "anwser": "b"}, "anwser: unknown; prompt demo_grade needs answer, question"),
        ({**GOOD, "answer": ["a"]}, "answer: expected text, found list"),
        ({**GOOD, "answer": None}, "answer: expected text, found NoneType"),
        ({"prompt": "demo_grade", "variables": [], "expected": 1}, "variables: expected an object, found list"),
        ({"prompt": "demo_listed", "question": "q", "context": "x", "expected": 1}, "context: expected a list of chunks, found str"),
        ({"prompt": "demo_listed", "question": "q", "context": [{"text": "x"}], "expected": 1}, "context: entry 1 is no chunk"),
        ({"prompt": "demo_listed", "question": "q", "context": ["x", {"id": "1", "text": ""}], "expected": 1}, "context: the chunk id '1' occurs twice"),
    ],
)  # fmt: skip
def test_bad_lines_are_named(load, tmp_path, line, problem):
    with pytest.raises(DatasetError) as caught:
        load(GOOD, line)
    assert str(caught.value).startswith(f"{tmp_path / 'labels.jsonl'}:2: {problem}")
    assert caught.value.exit_code == 3


def test_every_bad_line_is_listed_up_to_twenty(load):
    with pytest.raises(DatasetError) as caught:
        load(*[{**GOOD, "expected": 9}] * 23)
    lines = str(caught.value).splitlines()
    assert len(lines) == 21
    assert lines[-1] == "and 3 more"


@pytest.mark.parametrize(
    ("raw", "problem"),
    [(b"\xff{}", "is not UTF-8"), (b" \n\n", "has no examples"), (b"{", "line: is not JSON")],
)
def test_unreadable_files(load, raw, problem):
    with pytest.raises(DatasetError, match=problem):
        load(raw=raw)


def test_a_missing_file(demo, tmp_path):
    with pytest.raises(DatasetError, match="no such file; check --labels"):
        load_labels(tmp_path / "none.jsonl", [])
