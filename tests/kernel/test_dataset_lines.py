"""Reading a dataset: every bad line is reported with its place and reason."""

from __future__ import annotations

import hashlib
import json

import pytest
from hypothesis import given, strategies as st

from ragproof_core import Case, Turn
from ragproof_core.dataset.loading import dataset_from_cases, load_dataset
from ragproof_core.errors import DatasetError

GOOD = '{"id": "a", "question": "q"}'


def load(tmp_path, text, limit=None):
    path = tmp_path / "d.jsonl"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return load_dataset(path, limit)


def complaint(tmp_path, text):
    with pytest.raises(DatasetError) as caught:
        load(tmp_path, text)
    return str(caught.value).replace(str(tmp_path / "d.jsonl"), "F")


def test_a_full_case(tmp_path):
    line = {
        "id": 7, "question": "q", "kind": "injection", "expected_answer": "e", "expected_source_ids": [12, "b"],
        "expected_source_grades": {"12": 2, "b": 0}, "adversarial_payload": "p", "keywords": ["k", 5],
        "history": [{"role": "user", "content": "hi"}], "tags": ["t"], "metadata": {"x": [1]},
    }  # fmt: skip
    (case,) = load(tmp_path, json.dumps(line)).cases
    assert case == Case(
        id="7", question="q", kind="injection", expected_answer="e", expected_source_ids=("12", "b"),
        expected_source_grades={"12": 2.0, "b": 0.0}, adversarial_payload="p", keywords=("k", "5"),
        history=(Turn("user", "hi"),), tags=("t",), metadata={"x": [1]},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("ids", "grades", "relevant"),
    [
        (["a"], None, {"a"}),
        (["a"], {"b": 1}, {"a"}),
        ([], {"a": 2, "b": 0, "c": 0.5}, {"a", "c"}),
        ([], {"a": 0}, set()),
        ([], None, set()),
    ],
)
def test_relevant_ids(ids, grades, relevant):
    case = Case(id="1", question="q", expected_source_ids=tuple(ids), expected_source_grades=grades)
    assert case.relevant == relevant


BAD_LINES = [
    ("{", "not JSON: Expecting property name enclosed in double quotes at column 2"),
    ("[]", "expected a JSON object with at least 'id' and 'question'"),
    ('"text"', "expected a JSON object with at least 'id' and 'question'"),
    ('{"id": "a"}', "question: is required"),
    ('{"question": "q"}', "id: is required"),
    ('{"id": "", "question": "q"}', "id: must not be blank"),
    ('{"id": "a", "question": " \\t"}', "question: must not be blank"),
    ('{"id": null, "question": "q"}', "id: input should be a valid string"),
    ('{"id": "a", "question": "q", "keyword": []}', "keyword: unknown field; did you mean 'keywords'?"),
    (
        '{"id": "a", "question": "q", "zzz": 1}',
        (
            "zzz: unknown field; known fields: id, question, kind, expected_answer, expected_source_ids, "
            "expected_source_grades, adversarial_payload, keywords, history, tags, metadata"
        ),
    ),
    (
        '{"id": "a", "question": "q", "kind": "quiz"}',
        "kind: input should be 'qa', 'unanswerable' or 'injection'",
    ),
    ('{"id": "a", "question": "q", "expected_source_ids": "x"}', "expected_source_ids: input should be a valid array"),
    (
        '{"id": "a", "question": "q", "expected_source_ids": [null]}',
        "expected_source_ids.0: input should be a valid string",
    ),
    (
        '{"id": "a", "question": "q", "expected_source_grades": {"x": -1}}',
        "expected_source_grades.x: input should be greater than or equal to 0",
    ),
    ('{"id": "a", "question": "q", "history": [{"role": "user"}]}', "history.0.content: is required"),
    (
        '{"id": "a", "question": "q", "history": [{"role": "u", "contents": "", "content": ""}]}',
        "history.0.contents: unknown field; did you mean 'content'?",
    ),
    ('{"id": "a", "question": "q"} trailing', "not JSON: Extra data at column 30"),
]


@pytest.mark.parametrize(("line", "reason"), BAD_LINES)
def test_a_bad_line_is_reported_with_its_number(tmp_path, line, reason):
    text = f'{{"id": "ok", "question": "q"}}\n\n{line}\n'
    assert complaint(tmp_path, text) == f"F:3: {reason}"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("[" * 100_000, "not JSON: nested too deeply"),
        (
            '{"id": "a", "question": "\\ud800"}',
            "not JSON that can be read: a number or a string in it is out of bounds",
        ),
        ('{"id": "a", "question": "q", "expected_answer": 5}', None),
        ('{"id": "a", "question": "q", "metadata": {"n": 1e999}}', None),
    ],
    ids=["deep", "half a pair", "a number", "a huge number"],
)
def test_lines_that_defeat_a_parser_are_bad_lines(tmp_path, line, reason):
    if reason is None:
        assert len(load(tmp_path, line).cases) == 1
    else:
        assert complaint(tmp_path, line) == f"F:1: {reason}"


def test_repeated_ids_name_the_first_line(tmp_path):
    assert complaint(tmp_path, f'{GOOD}\n\n{GOOD}\n{{"id": "b", "question": "q"}}\n{GOOD}').splitlines() == [
        "F:3: id: 'a' is already used in line 1",
        "F:5: id: 'a' is already used in line 1",
    ]


def test_numbers_and_texts_are_one_id_space(tmp_path):
    assert complaint(tmp_path, '{"id": 12, "question": "q"}\n{"id": "12", "question": "q"}') == (
        "F:2: id: '12' is already used in line 1"
    )


def test_up_to_20_bad_lines_are_listed(tmp_path):
    lines = complaint(tmp_path, "\n".join(["{"] * 20)).splitlines()
    assert len(lines) == 20
    lines = complaint(tmp_path, "\n".join(["{"] * 25)).splitlines()
    assert len(lines) == 21
    assert lines[19].startswith("F:20: ")
    assert lines[20] == "… and 5 more"


@pytest.mark.parametrize("text", ["", "\n\n \t\r\n", "\ufeff"])
def test_an_empty_dataset(tmp_path, text):
    assert complaint(tmp_path, text) == (
        "F: has no cases; expected one JSON object a line with at least 'id' and 'question'"
    )


def test_files_that_cannot_be_used(tmp_path):
    with pytest.raises(DatasetError, match=r"none: no such file; check 'dataset' in the config, or --dataset$"):
        load_dataset(tmp_path / "none")
    with pytest.raises(DatasetError, match=r"cannot be read: Is a directory$"):
        load_dataset(tmp_path)
    assert complaint(tmp_path, GOOD.encode() + b"\n\xff\xfe") == (
        f"F: is not UTF-8: byte {len(GOOD) + 1}: invalid start byte; save it as UTF-8"
    )


def test_bom_crlf_and_blank_lines_change_nothing(tmp_path):
    other = '{"id": "b", "question": "q"}'
    plain = load(tmp_path, f"{GOOD}\n{other}\n")
    odd = load(tmp_path, b"\xef\xbb\xbf" + f"\r\n{GOOD}\r\n \t\r\n{other}".encode())
    assert odd.cases == plain.cases
    assert odd.info == plain.info
    assert plain.info.sha256 == hashlib.sha256(f"{GOOD}\n{other}\n".encode()).hexdigest()
    assert (plain.info.name, plain.info.cases, plain.info.kinds) == ("d.jsonl", 2, {"qa": 2})


def test_only_a_line_feed_ends_a_line(tmp_path):
    text = "a\u2028b\u2029c\x85d\x0be"
    raw = json.dumps({"id": "a", "question": text}, ensure_ascii=False).replace("\\u000b", "\\u000b")
    assert load(tmp_path, raw).cases[0].question == text


def test_limit_keeps_the_first_cases(tmp_path):
    text = "\n".join(f'{{"id": "{n}", "question": "q"}}' for n in range(5))
    limited = load(tmp_path, text, 2)
    assert [case.id for case in limited.cases] == ["0", "1"]
    assert limited.info.cases == 2
    assert limited.info.sha256 != load(tmp_path, text).info.sha256


def test_cases_from_python():
    given_case = Case(id="a", question="q")
    dataset = dataset_from_cases([given_case, {"id": 2, "question": "q", "kind": "unanswerable"}])
    assert dataset.cases == (given_case, Case(id="2", question="q", kind="unanswerable"))
    assert dataset.info.kinds == {"qa": 1, "unanswerable": 1}
    assert dataset.info.sha256 == dataset_from_cases(dataset.cases).info.sha256


@pytest.mark.parametrize(
    ("cases", "message"),
    [
        ([], "cases: there are no cases to run"),
        ([{"id": "a"}], "cases:1: question: is required"),
        ([{"id": "a", "question": "q"}] * 2, "cases:2: id: 'a' is already used in line 1"),
        ([5], "cases:1: expected a JSON object with at least 'id' and 'question'"),
    ],
)
def test_bad_cases_from_python(cases, message):
    with pytest.raises(DatasetError) as caught:
        dataset_from_cases(cases)
    assert str(caught.value) == message


def test_metadata_that_is_no_json_is_a_dataset_problem():
    with pytest.raises(DatasetError, match=r"^cases:1: cannot be written as JSON: "):
        dataset_from_cases([{"id": "a", "question": "q", "metadata": {"x": object()}}])


@given(
    st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip), min_size=1, unique=True)
)
def test_any_text_survives_the_way_through_a_file(tmp_path_factory, questions):
    folder = tmp_path_factory.mktemp("d")
    lines = [json.dumps({"id": str(n), "question": text}, ensure_ascii=n % 2 == 0) for n, text in enumerate(questions)]
    (folder / "d").write_text("\n".join(lines), encoding="utf-8", newline="")
    assert [case.question for case in load_dataset(folder / "d").cases] == questions
