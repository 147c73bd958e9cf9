"""Replies in events, and the time to the first token."""

import json

import pytest
from ragproof_adapter_http.events import read_events
from ragproof_adapter_http.misfit import MisfitError

from ragproof_core import AdapterError, Chunk, Citation, Usage


def sse(*events, name=None):
    head = f"event: {name}\n" if name else ""
    return [f"{head}data: {json.dumps(event)}\n\n".encode() for event in events]


OPENAI = {
    "url": "/v1/chat/completions",
    "body": {"messages": "{{messages}}", "stream": True},
    "stream": {"format": "sse", "done": "[DONE]"},
    "text": "$[*].choices[0].delta.content",
    "usage": {"input_tokens": "$[*].usage.prompt_tokens", "output_tokens": "$[*].usage.completion_tokens"},
}


def delta(content):
    return {"choices": [{"delta": {"content": content}}], "usage": None}


def test_a_chat_completion_stream(service, adapter_for):
    events = sse(
        {"choices": [{"delta": {"role": "assistant"}}]},
        delta(""),
        delta(None),
        delta("Five "),
        delta("days."),
        {"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 2}},
    )
    service.reply([b": keep-alive\n\n", *events[:3], 0.25, *events[3:], b"data: [DONE]\n\n"])
    answer = adapter_for(answer=OPENAI).answer("q", [], {})
    assert answer.answer_text == "Five days."
    assert answer.usage == Usage(9, 2, None)
    # empty and null deltas come before the pause, the first text after it
    assert 250.0 <= answer.timings_ms["time_to_first_token"] < 1500.0


def test_a_first_token_before_a_pause_is_early(service, adapter_for):
    service.reply([*sse(delta("a")), 1.0, *sse(delta("b")), b"data: [DONE]\n\n"])
    answer = adapter_for(answer=OPENAI).answer("q", [], {})
    assert answer.answer_text == "ab"
    assert answer.timings_ms["time_to_first_token"] < 1000.0


def test_named_events_and_sources_in_events_of_their_own(service, adapter_for):
    sources = {"type": "sources", "items": [{"id": 1, "text": "one"}, {"id": 2, "text": "two"}]}
    service.reply(
        [
            *sse(sources),
            *sse({"t": "Five "}, {"t": "days."}, name="token"),
            *sse({"t": "thinking"}, name="thought"),
            *sse({"cited": [2]}, name="end"),
        ]
    )
    adapter = adapter_for(
        answer={
            "url": "/ask",
            "body": {},
            "stream": {"format": "sse"},
            "text": "$[?@.event == 'token'].t",
            "chunks": {"path": "$[?@.type == 'sources'].items"},
            "citations": "$[*].cited",
        }
    )
    answer = adapter.answer("q", [], {})
    assert answer.answer_text == "Five days."
    assert answer.retrieved_chunks == (Chunk("1", "one"), Chunk("2", "two"))
    assert answer.citations == (Citation("2"),)


def test_newline_delimited_json(service, adapter_for):
    lines = [{"delta": "a\u2028"}, {"delta": "é"}, {"done": True, "sources": []}]
    data = "\r\n".join(json.dumps(line, ensure_ascii=False) for line in lines).encode()
    service.reply([data[:15], data[15:16], data[16:]])  # cut inside a character
    answer = {"url": "/a", "body": {}, "stream": {"format": "ndjson"}, "text": "$[*].delta"}
    assert adapter_for(answer=answer).answer("q", [], {}).answer_text == "a\u2028é"


@pytest.mark.parametrize(
    ("pieces", "reason"),
    [
        (sse(delta("a")), "the stream ended early: no event [DONE]"),
        ([b"data: {oops\n\n"], "an event of the stream is not JSON"),
        ([*sse({"error": "overloaded"}), b"data: [DONE]\n\n"], "`text` $[*].choices[0].delta.content was not found"),
    ],
)
def test_streams_that_do_not_fit(service, adapter_for, pieces, reason):
    service.reply(pieces)
    with pytest.raises(AdapterError) as caught:
        adapter_for(answer=OPENAI).answer("q", [], {})
    assert reason in str(caught.value)


def test_a_stream_that_is_cut_is_an_error(service, adapter_for):
    service.reply(sse(delta("a")), cut=True)
    with pytest.raises(AdapterError, match=f"POST {service.url}"):
        adapter_for(answer={**OPENAI, "stream": {"format": "sse"}}).answer("q", [], {})


@pytest.mark.parametrize(
    ("stream", "stream_format", "expected"),
    [
        (b"data: 1\n\ndata: 2\n\n", "sse", [1, 2]),
        (b"data: 1\r\n\r\ndata: 2", "sse", [1, 2]),
        (b"data:[1,\ndata:2]\n\n", "sse", [[1, 2]]),
        (b": comment\nid: 5\nretry: 9\ndata: 1\n\n\n\n", "sse", [1]),
        (b"event: a\ndata: {}\n\ndata: {}\n\n", "sse", [{"event": "a"}, {}]),
        (b'event: a\ndata: {"event": "b"}\n\n', "sse", [{"event": "b"}]),
        (b"data: 1\n\ndata: [DONE]\n\ndata: 2\n\n", "sse", [1]),
        (b"1\n\n2\r\n3", "ndjson", [1, 2, 3]),
        (b"", "ndjson", []),
    ],
)
@pytest.mark.parametrize("size", [1, 3, 1000])
def test_events_do_not_depend_on_how_the_bytes_arrive(stream, stream_format, expected, size):
    pieces = [stream[start : start + size] for start in range(0, len(stream), size)]
    assert list(read_events(pieces, stream_format, None)) == expected


def test_a_done_marker_that_was_asked_for_must_come():
    assert list(read_events([b"data: 1\n\ndata: end\n\n"], "sse", "end")) == [1]
    with pytest.raises(MisfitError, match="ended early"):
        list(read_events([b"data: 1\n\n"], "sse", "end"))
