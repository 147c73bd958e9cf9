"""A judge's raw replies as claims and verdicts."""

import json

import pytest
from hypothesis import given, strategies as st
from ragproof_report.judge_words import Finding, findings

REPAIRED = """--- groundedness, reply 1 of 2 (not usable) ---
{"verdict": "wrong"}
--- groundedness, reply 2 of 2 ---
{"verdict": "correct"}"""


@pytest.mark.parametrize(
    ("raw", "found"),
    [
        ('{"claims": [{"claim": "27 days", "supported": true}, {"claim": "paid", "supported": false}]}',
         [Finding("27 days", "supported", True), Finding("paid", "supported", False)]),
        ('{"claims": []}', []),
        ('{"citations": [{"chunk_id": "a#1", "supports": false}]}', [Finding("a#1", "supports", False)]),
        ('{"verdict": "partial"}', [Finding("partial", "verdict", None)]),
        ('{"refused": true, "note": "x"}', [Finding("", "refused", True)]),
        ('<think>{"maybe": 1}</think>```json\n{"verdict": "correct"}\n```', [Finding("correct", "verdict", None)]),
        ('{"verdict": "correct"} or {"verdict": "wrong"}', None),
        ('{"verdict": "correct"} again {"verdict": "correct"}', [Finding("correct", "verdict", None)]),
        ('{"claims": ["a", "b"]}', None),
        ('{"claims": [{"claim": "a"}]}', None),
        ("I think it is fine.", None),
        ("", None),
        (REPAIRED, [Finding("correct", "verdict", None)]),
        ('--- a, reply 1 of 1 ---\n{"refused": false}\n--- b, reply 1 of 1 ---\n{"verdict": "complete"}',
         [Finding("", "refused", False), Finding("complete", "verdict", None)]),
    ],
)  # fmt: skip
def test_replies_are_read_as_findings_or_not_at_all(raw, found):
    assert findings(raw) == found


@given(st.text(max_size=200))
def test_no_text_breaks_it(raw):
    found = findings(raw)
    assert found is None or isinstance(found, list)


@given(st.lists(st.tuples(st.text(), st.booleans()), max_size=8))
def test_every_claim_comes_back_as_it_was_said(claims):
    raw = json.dumps({"claims": [{"claim": text, "supported": good} for text, good in claims]})
    assert findings(raw) == [Finding(text, "supported", good) for text, good in claims]


def test_deep_nesting_and_long_replies_are_shown_raw():
    assert findings('{"a":' * 50_000) is None
    assert findings('{"claims": [' + '{"claim": "x", "supported": true},' * 10_000 + "]}") is None
