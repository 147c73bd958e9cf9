import json
import time
from typing import Literal

import pytest
from hypothesis import given, strategies as st

from ragproof_core.judging.json_objects import SearchLimitError, find_objects
from ragproof_core.judging.replies import UnusableReplyError, parse_reply
from ragproof_core.models.judging import Reply


class Verdict(Reply):
    verdict: Literal["relevant", "partial", "irrelevant"]


class Claim(Reply):
    claim: str
    supported: bool


class Claims(Reply):
    claims: list[Claim]


class Pair(Reply):
    pair: tuple[float, float]


RELEVANT = '{"verdict": "relevant"}'

USABLE = [
    RELEVANT,
    f"  \n{RELEVANT}\n",
    f"\ufeff{RELEVANT}",
    f"```json\n{RELEVANT}\n```",
    f"```\n{RELEVANT}\n```\nLet me know if you need more {{details}}.",
    f"Here is my verdict: {RELEVANT}. I chose it because of {{the context}}.",
    f'<think>maybe {{"verdict": "partial"}}? or {{ "verdict": </think>{RELEVANT}',
    f'<think>\n{{"verdict": "irrelevant"}}\n</think>\n\n```json\n{RELEVANT}\n```',
    f'{{"verdict": "irrelevant"}} is what I thought first.</think>{RELEVANT}',
    f'<THINKING>{{"verdict": "partial"}}</THINKING>{RELEVANT}',
    f'[THINK]{{"verdict": "partial"}}[/THINK]{RELEVANT}',
    f'<think>one {{"verdict": "partial"}}</think><think>two {{"verdict": "partial"}}</think>{RELEVANT}',
    '{"verdict": "relevant", "reasoning": "nested {braces} and \\"quotes\\" }{"}',
    '{"verdict": "relevant", "extra": {"a": {"b": [1, {"c": null}]}}}',
    '{"verdict": "relevant" // it fits\n}',
    '{"verdict": /* { */ "relevant", # done\n}',
    '{"verdict": "relevant",}',
    f"{RELEVANT}\n{RELEVANT}",
    f'{RELEVANT} or, with a reason, {{"verdict": "relevant", "reason": "x"}}',
    f'The shape {{"score": 1}} is not asked for: {RELEVANT}',
    f"[{RELEVANT}]",
    f'{{"answer_relevance": {RELEVANT}}}',
    f'{{"result": {{"reply": {RELEVANT}}}}}',
    f'The format {{"verdict is {RELEVANT}',
    '{"verdict": "relevant", "why": "raw\nline break\tand tab"}',
    '{"verdict": "relevant", "why": "the text says </think> and <think>"}',
    '{"verdict": "relevant", "verdict": "relevant"}',
    f"{{{{{{{RELEVANT}}}}}}}",
]


@pytest.mark.parametrize("text", USABLE)
def test_the_object_that_fits_is_found(text):
    assert parse_reply(text, Verdict).verdict == "relevant"


UNUSABLE = [
    ("", "the reply is empty"),
    (" \n", "the reply is empty"),
    ("relevant", "no JSON object found"),
    ("{'verdict': 'relevant'}", "no JSON object found"),
    ('{"verdict": "relevant"', "no JSON object found"),
    ('{"verdict": "relevant" // fits}', "no JSON object found"),
    (f"<think>{RELEVANT}", "no JSON object found"),
    ('{"verdict": "good"}', "verdict: Input should be 'relevant', 'partial' or 'irrelevant'"),
    ('{"verdict": true}', "verdict: Input should be 'relevant', 'partial' or 'irrelevant'"),
    ('{"score": 1}', "verdict: Field required"),
    ('{"verdict": "relevant", "p": NaN}', "NaN is not a JSON value"),
    ('{"verdict": "relevant", "p": -Infinity}', "-Infinity is not a JSON value"),
    ('{"verdict": "relevant", "p": 1e999}', "the number 1e999 is out of range"),
    (f'{RELEVANT} {{"verdict": "partial"}}', "ambiguous: several different JSON objects fit; exactly one is expected"),
    (
        '{"verdict": "relevant", "verdict": "partial"}',
        "ambiguous: the key 'verdict' is given twice with different values",
    ),
    (f'{{"strict": {{"verdict": "partial"}}, "lenient": {RELEVANT}}}', "verdict: Field required"),
]


@pytest.mark.parametrize(("text", "problem"), UNUSABLE)
def test_anything_else_is_unusable_and_says_why(text, problem):
    with pytest.raises(UnusableReplyError) as caught:
        parse_reply(text, Verdict)
    assert str(caught.value) == problem


def test_values_are_not_coerced_and_problems_name_their_place():
    with pytest.raises(UnusableReplyError, match=r"claims\.1\.supported: Input should be a valid boolean"):
        parse_reply('{"claims": [{"claim": "a", "supported": true}, {"claim": "b", "supported": "yes"}]}', Claims)


def test_many_problems_are_cut_short():
    text = json.dumps({"claims": [{"claim": "a", "supported": 1}] * 9})
    with pytest.raises(UnusableReplyError) as caught:
        parse_reply(text, Claims)
    assert str(caught.value).count("Input should be a valid boolean") == 5
    assert str(caught.value).endswith("; and 4 more")


def test_json_arrays_fit_tuples():
    assert parse_reply('{"pair": [1, 0.5]}', Pair).pair == (1.0, 0.5)


def test_an_empty_list_of_claims_is_a_reply():
    assert parse_reply('{"claims": []}', Claims).claims == []


def test_objects_are_normalised():
    text = 'x {"a": [1, 2,], /* c */ "b": {"//": "/* kept */",},} y {} z'
    assert [one.json for one in find_objects(text)] == ['{"a":[1,2],"b":{"//":"/* kept */"}}', "{}"]


@pytest.mark.parametrize(
    "text",
    ["{,}", '{"a"}', '{"a":}', '{"a":1 "b":2}', '{"a":[,]}', '{"a":[1}', '{"a":01}', "{1:2}", '{"a":1,,}', '{"a":tru}'],
)
def test_what_is_not_an_object(text):
    assert list(find_objects(text)) == []


N = 250_000  # characters; a megabyte takes 0.01 to 2.5 s of CPU
GARBAGE = {
    "braces": "{" * N,
    "open objects": '{"a":' * (N // 5),
    "open lists": '{"a":[' * (N // 6),
    "strings": '{"' * (N // 2),
    "two lexings": '{":' * (N // 3),
    "escapes": '{"\\' * (N // 3),
    "line comments": "{//" * (N // 3),
    "block comments": "{/*" * (N // 3),
    "hash comments then text": "{#" * (N // 4) + "\n" + '"a":1,' * (N // 24),
    "small objects": '{"a":1}' * (N // 7),
    "empty objects": "{}" * (N // 2),
    "deep object": '{"a":' * (N // 6) + "1" + "}" * (N // 6),
    "strings then comments": '{""//' * (N // 5),
    "spaces": '{ "a" :' + " " * N,
    "unfinished list": '{"a":[' + '{"b":1},' * (N // 8),
    "tags": "<think>" * (N // 7),
    "prose": 'The "answer" {is} not: clear. ' * (N // 30),
}


@pytest.mark.parametrize("name", GARBAGE)
def test_garbage_takes_a_bounded_time(name):
    began = time.process_time()
    with pytest.raises(UnusableReplyError):
        parse_reply(GARBAGE[name], Verdict)
    assert time.process_time() - began < 5  # quadratic time would be many minutes


def test_the_search_is_given_up_on_text_made_to_be_slow():
    with pytest.raises(SearchLimitError):
        list(find_objects(GARBAGE["line comments"]))


def test_a_verdict_behind_long_reasoning_is_found():
    assert parse_reply("<think>" + GARBAGE["prose"] + "</think>" + RELEVANT, Verdict).verdict == "relevant"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)


@given(st.dictionaries(st.text(), JSON, max_size=4), st.sampled_from([None, 1]), st.booleans())
def test_every_json_object_is_read_whole(value, indent, ascii_only):
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    (found,) = find_objects(f"before {text} after")
    assert json.loads(found.json) == value
    assert (found.start, found.end) == (7, 7 + len(text))


@given(st.text(alphabet='{}[]",:\\/*# \nab1', max_size=40))
def test_whatever_is_found_is_json(text):
    for found in find_objects(text):
        assert isinstance(json.loads(found.json), dict)
        assert text[found.start] == "{"
        assert text[found.end - 1] == "}"


@given(st.text(max_size=60))
def test_text_without_a_verdict_is_never_one(text):
    with pytest.raises(UnusableReplyError):
        parse_reply(text, Verdict)
