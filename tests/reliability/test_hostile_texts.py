"""Text of every kind through run, store, show and the printed report: faithful as data, harmless when printed."""

from __future__ import annotations

import json
import unicodedata

import pytest

TEXTS = {
    "chinese": "退货期限是多少天？三十天。",
    "arabic": "ما هي مهلة الإرجاع؟ ثلاثون يومًا",
    "thai": "ระยะเวลาคืนสินค้ากี่วัน",
    "emoji": "👩🏽‍🚀 🏳️‍🌈 ⏱️",
    "quotes": "“don’t” — it’s ‘fine’… «oui»",
    "line ends": "a\u2028b\u2029c\x85d\r\ne\rf\x0bg",
    "nul": "before\0after",
    "escape": "\x1b[31mred\x1b[0m \x1b]8;;http://x\x07link \x9b31m",
    "direction": "right\u202eleft\u202c \u2066isolate\u2069",
    "markup": "<script>alert(1)</script> ]]> &amp; {{x}} %s {0} [bold]rich[/bold]",
    "sql": "'); DROP TABLE runs; --",
    "json": '{"status": "completed"}\n{"a": NaN}',
    "combining": "Z\u0351\u036b\u0343a\u0329",
    "noncharacter": "\ufffe\uffff\U0010ffff",
    "blanks": " \t\u00a0\u3000 ",
    "long": "长" * 700_000,
}
SURROGATES = "half \ud83d and \udc00"
PIPELINE = """
import json

class P:
    def retrieve(self, question):
        return [{"id": f"id {question}", "text": question, "metadata": {question[:9]: question}, "score": float("nan")}]

    def answer(self, question):
        if question == "surrogates":
            question = "half \\ud83d and \\udc00"
        return {"answer_text": question, "citations": [f"id {question}"] if "\\ud83d" not in question else []}
"""


@pytest.fixture
def stored(ragproof, project):
    cases = [
        {
            "id": f"{name} {text}"[:60], "question": text if text.strip() else f"[{text}]", "expected_answer": text,
            "expected_source_ids": [f"id {text}"], "tags": [text if text.strip() else f"[{text}]"],
        }
        for name, text in TEXTS.items()
    ]  # fmt: skip
    cases.append({"id": "surrogates", "question": "surrogates"})
    project(
        {
            "adapter": {"type": "python", "target": "hostile_pipeline:P"}, "metrics": ["retrieval.mrr", "echo.exact_match"],
            "project": "pro\x1b[31mject", "describe": {"note": TEXTS["escape"]},
        },
        cases,
        hostile_pipeline=PIPELINE,
    )  # fmt: skip
    ran = ragproof("run", "--json", "--label", "la\x1b[31mbel\u202e")
    assert ran.code == 0
    assert ran.json["cases"] == {"total": len(cases), "ok": len(cases), "error": 0, "timeout": 0}
    return cases, ran


def test_data_comes_back_as_it_went_in(ragproof, stored):
    cases, ran = stored
    assert ran.out.isascii()
    shown = ragproof("show", "--json")
    assert shown.out.isascii()
    rows = {row["case_id"]: row for row in shown.json["results"]}
    for case in cases[:-1]:
        row = rows[case["id"]]
        assert row["question"] == row["answer_text"] == case["question"]
        assert row["expected_answer"] == case["expected_answer"]
        assert row["retrieved_ids"] == row["citations"] == [f"id {case['question']}"]
        assert row["tags"] == case["tags"]
        if case["expected_answer"].strip():
            assert row["scores"]["echo.exact_match"]["value"] == 1.0
        else:
            assert row["scores"]["echo.exact_match"]["reason"] == "case has no expected_answer"
    assert rows["surrogates"]["answer_text"] == SURROGATES
    assert (shown.json["label"], shown.json["project"]) == ("la\x1b[31mbel\u202e", "pro\x1b[31mject")
    assert shown.json["describe"] == {"note": TEXTS["escape"]}
    assert "NaN" not in shown.out.replace(json.dumps(TEXTS["json"])[1:-1], "")


def test_nothing_that_is_printed_controls_the_terminal(ragproof_here, stored):
    cases, _ = stored
    printed = [["run"], ["show"], ["show", "--failures"], ["runs"], ["runs", "--metric", "retrieval.mrr"], ["check"]]
    printed += [["show", "latest", "--case", case["id"]] for case in cases if "\0" not in case["id"]][:9]
    for command in printed:
        ended = ragproof_here(*command)
        assert ended.code == 0
        characters = set(ended.out + ended.err) - {"\n", "\t"}
        assert {each for each in characters if unicodedata.category(each) in ("Cc", "Cs", "Zl", "Zp")} == set()
        assert characters.isdisjoint("\u202e\u2066")


def test_a_case_is_shown_by_an_id_of_any_text(ragproof_here, stored):
    cases, _ = stored
    for case in cases:
        if "\0" not in case["id"]:  # which no command line can carry
            shown = ragproof_here("show", "latest", "--case", case["id"], "--json").json
            assert [row["case_id"] for row in shown["results"]] == [case["id"]]
