"""What is sent: placeholders, addresses, headers."""

import json
import math

import pytest
from hypothesis import given, strategies as st
from pydantic import ValidationError
from ragproof_adapter_http import HTTP
from ragproof_adapter_http.templates import fill, fill_url

from ragproof_core import AdapterError

CHUNKS = {"path": "$.results"}
HISTORY = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi."}]


def sent(service):
    return json.loads(service.seen[-1][3])


def test_whole_placeholders_keep_their_type_and_others_become_text(service, adapter_for):
    body = {
        "q": "{{question}}",
        "n": "{{ k }}",
        "turns": "{{history}}",
        "meta": {"tenant": "{{metadata.tenant.id}}", "all": ["{{metadata}}"]},
        "text": "top {{k}} for <{{question}}>",
        "fixed": [1, True, None, "{single}"],
    }
    service.reply({"results": []})
    adapter = adapter_for(retrieve={"url": "/search", "body": body, "chunks": CHUNKS})
    adapter.retrieve('say "hi"\n', 3, HISTORY, {"tenant": {"id": 7}})
    assert service.seen[-1][:2] == ("POST", "/search")
    assert service.seen[-1][2]["Content-Type"] == "application/json"
    assert sent(service) == {
        "q": 'say "hi"\n',
        "n": 3,
        "turns": HISTORY,
        "meta": {"tenant": 7, "all": [{"tenant": {"id": 7}}]},
        "text": 'top 3 for <say "hi"\n>',
        "fixed": [1, True, None, "{single}"],
    }


def test_messages_are_the_history_and_the_question(service, adapter_for):
    service.reply({"answer": "ok"})
    adapter = adapter_for(answer={"url": "/chat", "body": {"messages": "{{messages}}"}})
    adapter.answer("Limit?", HISTORY, {})
    assert sent(service) == {"messages": [*HISTORY, {"role": "user", "content": "Limit?"}]}


@given(st.text())
def test_a_value_is_filled_in_once_and_comes_back_as_it_was(question):
    filled = fill({"q": "{{question}}", "in": "<{{question}}>"}, {"question": question, "k": 5})
    assert json.loads(json.dumps(filled)) == {"q": question, "in": f"<{question}>"}


@pytest.mark.parametrize("question", ["{{k}}", "{{metadata.secret}}", "x {{question}} y", "\ud800", "\u2028 \x00"])
def test_placeholders_and_odd_text_in_a_question_stay_as_they_are(service, adapter_for, question):
    service.reply({"answer": "ok"})
    adapter_for(answer={"url": "/ask", "body": {"q": "{{question}}"}}).answer(question, [], {})
    assert sent(service) == {"q": question}


def test_a_body_may_be_written_as_json_text(service, adapter_for):
    service.reply({"results": []})
    adapter = adapter_for(retrieve={"url": "/s", "body": '{"q": "{{question}}", "k": "{{k}}"}', "chunks": CHUNKS})
    adapter.retrieve('a"b', 2, [], {})
    assert sent(service) == {"q": 'a"b', "k": 2}


def test_get_with_parameters_and_placeholders_in_the_path(service, adapter_for):
    service.reply({"results": []})
    adapter = adapter_for(
        retrieve={
            "url": "/s/{{metadata.tenant}}?v=1",
            "params": {"q": "{{question}}", "k": "{{k}}"},
            "chunks": CHUNKS,
        }
    )
    adapter.retrieve("a&b=c d/é", 4, [], {"tenant": "../x?y#z"})
    method, path, _, body = service.seen[-1]
    assert (method, body) == ("GET", b"")
    # every reserved character of the tenant is percent-encoded: it stays one path segment
    assert path == "/s/..%2Fx%3Fy%23z?v=1&q=a%26b%3Dc+d%2F%C3%A9&k=4"


@pytest.mark.parametrize(("text", "expected"), [("a/b", "a%2Fb"), ("é", "%C3%A9"), ("?#&%", "%3F%23%26%25"), (5, "5")])
def test_url_values_are_percent_encoded(text, expected):
    assert fill_url("/x/{{question}}", {"question": text}) == f"/x/{expected}"


def test_headers_of_the_adapter_and_of_the_endpoint(service, adapter_for):
    service.reply({"answer": "ok"})
    adapter = adapter_for(
        headers={"Authorization": "Bearer s3cret-token", "X-A": "1"},
        answer={"url": "/ask", "headers": {"X-A": "2"}, "body": {}},
    )
    adapter.answer("q", [], {})
    headers = service.seen[-1][2]
    assert (headers["Authorization"], headers["X-A"]) == ("Bearer s3cret-token", "2")


def test_absent_metadata_is_an_error_of_the_case(service, adapter_for):
    service.reply({"answer": "ok"})
    adapter = adapter_for(answer={"url": "/ask", "body": {"t": "{{metadata.tenant}}"}})
    with pytest.raises(AdapterError, match=r"the case has no metadata\.tenant"):
        adapter.answer("q", [], {})
    assert service.seen == []


def test_metadata_that_json_does_not_have_is_an_error_of_the_case(adapter_for):
    adapter = adapter_for(answer={"url": "/ask", "body": {"m": "{{metadata}}"}})
    with pytest.raises(AdapterError, match="cannot be written as JSON"):
        adapter.answer("q", [], {"x": float("nan")})


ANSWER = {"url": "/ask", "body": {}}
REFUSED = [
    ({}, "needs `retrieve`, `answer`, or both"),
    (
        {"answer": {**ANSWER, "body": {"q": "{{quesion}}"}}},
        "answer: {{quesion}} is not known here; known: {{question}}",
    ),
    ({"answer": {**ANSWER, "body": {"q": "{{k}}"}}}, "answer: {{k}} is not known here"),
    ({"answer": {**ANSWER, "url": "/x/{{history.0}}"}}, "answer: {{history.0}} is not known here"),
    ({"answer": {**ANSWER, "body": '{"k": {{k}}}'}}, "placeholders go inside quotes, numbers too"),
    ({"answer": {**ANSWER, "text": "answer"}}, "'answer' is not a JSONPath such as $.answer"),
    ({"answer": {**ANSWER, "text": "$.a["}}, "is not a JSONPath"),
    ({"answer": ANSWER, "base_url": None}, "answer.url: expected an address such as https://host/ask"),
    ({"answer": ANSWER, "base_url": "ftp://host"}, "answer.url: expected an address"),
    ({"answer": {**ANSWER, "url": "http://{{metadata.host}}/"}}, "answer.url: expected an address"),
    ({"answer": ANSWER, "headers": {"X": "a\nb"}}, "characters that an HTTP header cannot carry"),
    ({"answer": ANSWER, "header": {}}, "Extra inputs are not permitted"),
    ({"answer": ANSWER, "timeout_seconds": 0}, "greater than 0"),
    ({"answer": ANSWER, "timeout_seconds": math.inf}, "less than or equal to 86400"),
    ({"answer": ANSWER, "max_wait_seconds": 1e20}, "less than or equal to 86400"),
]


@pytest.mark.parametrize(("sections", "reason"), REFUSED)
def test_settings_that_cannot_work_are_refused(sections, reason):
    with pytest.raises(ValidationError) as caught:
        HTTP.Settings.model_validate({"base_url": "http://127.0.0.1:1", **sections})
    assert reason in str(caught.value)


def test_a_refused_header_is_not_quoted():
    with pytest.raises(ValidationError) as caught:
        HTTP.Settings.model_validate({"answer": ANSWER, "headers": {"X": "tok\u2013en"}})
    assert "tok" not in str(caught.value)
