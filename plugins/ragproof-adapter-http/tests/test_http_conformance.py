"""The standard tests of an adapter, against a real server on loopback."""

import json

import pytest

from ragproof_core.testing import AdapterConformance

CHUNKS = {"path": "$.results"}
USAGE = {"input_tokens": "$.usage.in", "output_tokens": "$.usage.out"}


def reply(request):
    question = request["q"]
    return {
        "answer": f"You asked: {question}",
        "results": [{"id": f"d{rank}-{len(question)}", "text": question, "score": 1 / rank} for rank in (1, 2, 3)],
        "cites": [f"d1-{len(question)}"],
        "usage": {"in": 9, "out": 2},
    }


class TestSeparateEndpoints(AdapterConformance):
    entry_point = "http"
    other_question = "Something else?"
    has_retrieve_exact = True
    reports_usage = reports_citations = reports_context = True

    @pytest.fixture
    def adapter(self, service, adapter_for):
        service.reply(reply)
        body = {"q": "{{question}}", "history": "{{history}}", "metadata": "{{metadata}}"}
        search = {"url": "/search", "body": {"q": "{{question}}", "k": "{{k}}"}, "chunks": CHUNKS}
        answer = {"url": "/ask", "body": body, "chunks": CHUNKS, "citations": "$.cites", "usage": USAGE}
        return adapter_for(retrieve=search, retrieve_exact=search, answer=answer)


class TestOneEndpointForBoth(AdapterConformance):
    other_question = "Something else?"
    reports_context = True

    @pytest.fixture
    def adapter(self, service, adapter_for):
        service.reply(reply)
        return adapter_for(answer={"url": "/ask", "body": {"q": "{{question}}"}, "chunks": CHUNKS})


class TestStream(AdapterConformance):
    other_question = "Something else?"
    has_retrieve = False

    @pytest.fixture
    def adapter(self, service, adapter_for):
        def events(request):
            words = reply(request)["answer"].split(" ")
            return [f"data: {json.dumps({'t': word + ' '})}\n\n".encode() for word in words[:50]]

        service.reply(events)
        stream = {"stream": {"format": "sse"}, "text": "$[*].t"}
        return adapter_for(answer={"url": "/ask", "body": {"q": "{{question}}"}, **stream})
