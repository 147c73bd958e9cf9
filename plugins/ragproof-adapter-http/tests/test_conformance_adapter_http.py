"""The kernel's standard tests, with a service on loopback: one endpoint for each hook, and one for all."""

import pytest
from ragproof_adapter_http import HTTP

from ragproof_core.testing import AdapterConformance, Scripted, ScriptedServer

CHUNKS = {"path": "$.found", "document_id": "$.doc"}
ASKED = {"question": "{{question}}", "messages": "{{messages}}", "metadata": "{{metadata}}"}
ANSWER = {
    "url": "/answer",
    "body": ASKED,
    "chunks": CHUNKS,
    "citations": "$.cited",
    "usage": {"input_tokens": "$.usage.in", "output_tokens": "$.usage.out"},
}


def service(request):
    asked = request.json
    found = [{"id": f"c{rank}", "text": f"Text {rank}.", "doc": rank} for rank in range(asked.get("k", 4))][:4]
    usage = {"in": len(asked["question"]), "out": 2}
    return Scripted(
        json={"found": found, "answer": f"Asked: {asked['question'][:50]}", "cited": ["c0"], "usage": usage}
    )


class TestHTTP(AdapterConformance):
    entry_point = "http"
    question = "How long does a refund take?"
    other_question = "What has the free plan?"
    has_retrieve_exact = True
    reports_usage = True
    reports_citations = True
    reports_context = True

    def sections(self):
        search = {"url": "/search", "body": {"question": "{{question}}", "k": "{{k}}"}, "chunks": CHUNKS}
        return {"retrieve": search, "retrieve_exact": search, "answer": ANSWER}

    @pytest.fixture
    def adapter(self):
        with ScriptedServer(service) as server:
            section = {"base_url": server.url, "retries": 0, **self.sections()}
            built = HTTP(HTTP.Settings.model_validate(section))
            yield built
            built.close()


class TestHTTPWithOneEndpoint(TestHTTP):
    has_retrieve_exact = False

    def sections(self):
        return {"answer": ANSWER}
