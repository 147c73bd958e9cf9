"""The worked examples of docs/metrics/echo.md, through the engine."""

import json
import re
from pathlib import Path

import pytest

from ragproof_core import evaluate

PAGE = Path(__file__).parents[3] / "docs" / "metrics" / "echo.md"
EXAMPLES = [
    json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
]


class Recorded:
    """An adapter with just the hooks that the example's response has a field for."""

    def __init__(self, response):
        if "answer" in response:
            self.answer = lambda question: response["answer"]
        if "retrieved" in response:
            self.retrieve = lambda question: [{"id": chunk} for chunk in response["retrieved"]]


@pytest.mark.parametrize("example", EXAMPLES, ids=range(len(EXAMPLES)))
def test_worked_example(example):
    [row] = evaluate(
        cases=[{"id": "1", "question": "?"} | example["case"]],
        adapter=Recorded(example["response"]),
        metrics=example["metric"],
    ).rows
    expected = (example.get("status", "scored"), example["value"], example.get("reason"))
    assert row.scores["echo.exact_match"] == expected


def test_the_page_has_both_values_and_both_skips():
    assert sorted(str(example.get("reason", example["value"])) for example in EXAMPLES) == [
        "0.0",
        "1.0",
        "adapter does not expose answers",
        "case has no expected_answer",
    ]
