"""What is read from a reply, and what is said when it does not fit."""

import pytest
from ragproof_adapter_http.paths import select_items

from ragproof_core import AdapterError, Answer, Chunk, Citation, Usage

FULL = {
    "answer": "Five days.",
    "sources": [
        {"ref": 7, "body": "one", "sim": 0.5, "doc": "d1", "extra": {"page": 3}},
        {"ref": "b", "body": "two", "sim": None, "doc": None},
    ],
    "cites": [{"ref": 7}, {"ref": "b"}],
    "usage": {"prompt": 10, "completion": 2, "usd": 0.001},
    "ms": {"search": 12.5},
    "agent": {"steps": 3},
}
ANSWER = {
    "url": "/ask",
    "body": {"q": "{{question}}"},
    "chunks": {
        "path": "$.sources[*]",
        "id": "$.ref",
        "text": "$.body",
        "score": "$.sim",
        "document_id": "$.doc",
        "metadata": "$.extra",
    },
    "citations": "$.cites[*].ref",
    "usage": {"input_tokens": "$.usage.prompt", "output_tokens": "$.usage.completion", "cost_usd": "$.usage.usd"},
    "timings_ms": {"search": "$.ms.search", "rerank": "$.ms.rerank"},
    "trace": {"steps": "$.agent.steps", "cache_hit": "$.agent.cached"},
}
CHUNKS = (
    Chunk("7", "one", 0.5, {"page": 3, "document_id": "d1"}),
    Chunk("b", "two", None, {}),
)


def test_all_parts_of_an_answer(service, adapter_for):
    service.reply(FULL)
    assert adapter_for(answer=ANSWER).answer("q", [], {}) == Answer(
        answer_text="Five days.",
        citations=(Citation("7"), Citation("b")),
        retrieved_chunks=CHUNKS,
        usage=Usage(10, 2, 0.001),
        timings_ms={"search": 12.5},
        trace={"steps": 3},
    )


def test_parts_that_a_reply_lacks_are_absent(service, adapter_for):
    service.reply({"answer": "x", "sources": []})
    assert adapter_for(answer=ANSWER).answer("q", [], {}) == Answer("x", retrieved_chunks=())


def test_one_endpoint_for_both_is_asked_once_a_case(service, adapter_for):
    service.reply({**FULL, "answer": "first"})
    service.reply({**FULL, "answer": "second"})
    adapter = adapter_for(answer=ANSWER)
    assert adapter.retrieve("q", 1, [], {}) == CHUNKS[:1]
    assert adapter.answer("q", [], {}).answer_text == "first"
    assert len(service.seen) == 1
    assert adapter.answer("q", [], {}).answer_text == "second"  # asked again: the reply was used up
    adapter.retrieve("q", 1, [], {"tenant": 1})
    adapter.answer("q", [], {"tenant": 2})
    assert len(service.seen) == 4  # another case's reply is not taken


def test_capabilities_follow_the_settings(adapter_for):
    section = {"url": "/s", "chunks": {"path": "$.r"}}
    only_retrieval = adapter_for(retrieve=section)
    assert (only_retrieval.answer, only_retrieval.retrieve_exact) == (None, None)
    only_answer = adapter_for(answer={"url": "/a", "body": {}})
    assert (only_answer.retrieve, only_answer.retrieve_exact) == (None, None)
    both = adapter_for(answer={"url": "/a", "body": {}, "chunks": {"path": "$.r"}}, retrieve_exact=section)
    assert None not in (both.retrieve, both.answer, both.retrieve_exact)


def test_retrieve_and_exact_endpoints_keep_order_and_cut_at_k(service, adapter_for):
    service.reply({"r": [{"id": "c", "score": 0.1}, {"id": "a", "score": 0.9}, {"id": "b"}]})
    section = {"url": "/s", "body": {"k": "{{k}}"}, "chunks": {"path": "$.r"}}
    adapter = adapter_for(retrieve=section, retrieve_exact=section)
    assert [chunk.id for chunk in adapter.retrieve("q", 2, [], {})] == ["c", "a"]
    assert [chunk.id for chunk in adapter.retrieve_exact("q", 3)] == ["c", "a", "b"]


@pytest.mark.parametrize(
    ("path", "reply", "expected"),
    [
        ("$.r", {"r": [1, 2]}, [1, 2]),
        ("$.r[*]", {"r": [1, 2]}, [1, 2]),
        ("$.r[*]", {"r": []}, []),
        ("$", [1, 2], [1, 2]),
        ("$[*]", [1, 2], [1, 2]),
        ("$.g[*].r", {"g": [{"r": [1]}, {"r": [2, 3]}]}, [1, 2, 3]),
        ("$.g[*].r[*]", {"g": [{"r": [1]}, {"r": [2, 3]}]}, [1, 2, 3]),
        ("$.g[*].r[*]", {"g": []}, []),
        ("$.r[?@.ok]", {"r": [{"ok": 1}, {}]}, [{"ok": 1}]),
        ("$.r[?@.ok]", {"r": []}, []),
        ("$.r[:2]", {"r": [1, 2, 3]}, [1, 2]),
        ("$..hits[*]", {"a": {"hits": [1]}, "b": {"hits": [2]}}, [1, 2]),
    ],
)
def test_the_list_of_chunks(path, reply, expected):
    assert select_items(path, reply, "chunks.path") == expected


def test_several_texts_are_joined(service, adapter_for):
    service.reply({"output": [{"content": [{"text": "Five "}]}, {"content": [{"text": "days."}]}]})
    adapter = adapter_for(answer={"url": "/a", "body": {}, "text": "$.output[*].content[*].text"})
    assert adapter.answer("q", [], {}).answer_text == "Five days."


@pytest.mark.parametrize("text", ["", "  ", "答え \U0001f600\u2028", "nul \x00", "lone \ud800", "x" * 2_000_000])
def test_odd_answers_come_back_as_they_were(service, adapter_for, text):
    service.reply({"answer": text})
    assert adapter_for(answer={"url": "/a", "body": {}}).answer("q", [], {}).answer_text == text


CHUNK_ANSWER = {"url": "/ask", "body": {}, "chunks": {"path": "$.r", "id": "$.id"}}
MISFITS = [
    ({"error": "no index"}, {}, '`text` $.answer was not found: {"error": "no index"}'),
    ({"answer": None}, {}, "`text` $.answer is not a text: null"),
    ({"answer": {"text": "x"}}, {}, '`text` $.answer is not a text: {"text": "x"}'),
    ({"answer": "x", "hits": []}, {}, '`chunks.path` $.r was not found: {"answer": "x", "hits": []}'),
    ({"answer": "x", "r": {"id": 1}}, {}, '`chunks.path` $.r is not a list: {"id": 1}'),
    ({"answer": "x", "r": [{"id": 1}, {"ID": 2}]}, {}, 'chunks[1] has no id at `chunks.id` $.id: {"ID": 2}'),
    ({"answer": "x", "r": [{"id": None}]}, {}, 'chunks[0] has no id at `chunks.id` $.id: {"id": null}'),
    ({"answer": "x", "r": [{"id": ""}]}, {}, "chunks[0].id: String should have at least 1 character"),
    ({"answer": "x", "r": ["id"]}, {}, "chunks[0] has no id at `chunks.id` $.id: id"),
    (
        {"answer": "x", "r": [{"id": 1, "txt": "t"}]},
        {"text": "$.body"},
        '`chunks.text` $.body was found in no chunk; the first is: {"id": 1, "txt": "t"}',
    ),
    ({"answer": "x", "r": [{"id": 1, "score": "high"}]}, {}, "chunks[0].score: Input should be a valid number"),
    (b"<html>oops</html>", {}, "the reply is not JSON: <html>oops</html>"),
    (b"", {}, "the reply is empty"),
    (b'data: {"answer": "x"}\n\n', {}, "the reply is a stream of events (set `answer.stream`)"),
]


@pytest.mark.parametrize(("reply", "paths", "reason"), MISFITS)
def test_a_reply_that_does_not_fit_is_shown(service, adapter_for, reply, paths, reason):
    service.reply(reply)
    adapter = adapter_for(answer={**CHUNK_ANSWER, "chunks": {**CHUNK_ANSWER["chunks"], **paths}})
    with pytest.raises(AdapterError) as caught:
        adapter.answer("q", [], {})
    assert str(caught.value).startswith(f"POST {service.url}/ask: ")
    assert reason in str(caught.value)


def test_a_bad_usage_is_named(service, adapter_for):
    service.reply({"answer": "x", "usage": {"tokens": "many"}})
    adapter = adapter_for(answer={"url": "/a", "body": {}, "usage": {"input_tokens": "$.usage.tokens"}})
    with pytest.raises(AdapterError, match=r"answer\.usage\.input_tokens: Input should be a valid number"):
        adapter.answer("q", [], {})


def test_a_long_reply_is_shortened_and_secrets_go_before_it_is_cut(service, adapter_for):
    # the token would begin at character 290 of the 300 that are shown
    service.reply({"error": "x" * 278 + " s3cret-token-of-mine " + "y" * 5000})
    adapter = adapter_for(headers={"Authorization": "Bearer s3cret-token-of-mine"}, answer={"url": "/a", "body": {}})
    with pytest.raises(AdapterError) as caught:
        adapter.answer("q", [], {})
    message = str(caught.value)
    assert "s3cret" not in message
    assert "[redacte" in message
    assert len(message) < 500


def test_control_characters_of_a_reply_do_not_reach_the_message(service, adapter_for):
    service.reply(b"\x1b[31mred\r\nalert\x07")
    with pytest.raises(AdapterError) as caught:
        adapter_for(answer={"url": "/a", "body": {}}).answer("q", [], {})
    assert str(caught.value).endswith("the reply is not JSON: [31mred alert")
