"""Where there is one of a thing, no text for people speaks of several."""

import re

import pytest

from ragproof_core.reporting.numbers import counted

WRONG = re.compile(
    r"(?<![\d.,])1 (?:[a-z]+ )?(?:cases|questions|runs|chunks|citations|calls|errors|examples|lines|metrics|tags|"
    r"documents|refusals|rows|reasons)\b"
)
GATE = {"thresholds": {"ok.half": {"min": 0.1, "max_drop": 0.1}}, "baseline": "main"}
PIPELINE = "class P:\n    def retrieve(self, question):\n        raise RuntimeError('down')\n"
LINES = (
    ["run", "--label", "main"],
    ["run", "--label", "next"],
    ["check"],
    ["freeze", "cases.jsonl"],
    ["runs"],
    ["show"],
    ["show", "--failures"],
    ["compare", "main", "next", "--cases"],
    ["gate"],
    ["report", "--md", "-"],
    ["report", "--html", "-"],
)


@pytest.mark.parametrize(
    ("value", "words", "text"),
    [
        (0, ("case",), "0 cases"),
        (1, ("case",), "1 case"),
        (2, ("case",), "2 cases"),
        (11, ("case",), "11 cases"),
        (1, ("try", "tries"), "1 try"),
        (3, ("try", "tries"), "3 tries"),
    ],
)
def test_counted(value, words, text):
    assert counted(value, *words) == text


@pytest.mark.parametrize(
    "adapter", [{"type": "ok"}, {"type": "python", "target": "one_pipeline:P"}], ids=["one case", "one failed case"]
)
def test_commands_over_one_case(ragproof, project, cases, adapter):
    project({"gate": GATE, "adapter": adapter}, cases(1), one_pipeline=PIPELINE)
    seen = []
    for line in LINES:
        ended = ragproof(*line, with_=["ok"])
        assert ended.code != 3, ended.err
        seen += [ended.out, ended.err]
    text = re.sub("<[^>]*>", "", "\n".join(seen))
    assert WRONG.findall(text) == []
    assert text.count("1 question (1 answerable)") >= 4
