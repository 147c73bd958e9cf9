"""The kernel's standard tests, with an imported pipeline: plain, and written with async def."""

import sys

import pytest
from ragproof_adapter_python import PythonAdapter

from ragproof_core.testing import AdapterConformance

MODULE = '''
class Pipeline:
    """Finds passages by their words."""

    PASSAGES = {"refunds": "A refund takes five days.", 7: "The free plan has 5 GB."}

    def retrieve(self, question, k=5):
        hits = [name for name, text in self.PASSAGES.items() if set(text.split()) & set(question.split())]
        return [{"id": name, "text": self.PASSAGES[name]} for name in hits][:k]

    def retrieve_exact(self, question, k):
        return self.retrieve(question, k)

    def answer(self, question, history=(), metadata=None):
        found = self.retrieve(question, 1)
        return {"answer_text": found[0]["text"] if found else "I do not know.", "retrieved_chunks": found,
                "citations": [chunk["id"] for chunk in found], "usage": {"input_tokens": 9, "output_tokens": 2}}

    def close(self):
        pass


class AsyncPipeline(Pipeline):
    async def retrieve(self, question, k=5):
        return super().retrieve(question, k)

    async def answer(self, question):
        return "Five days." if "refund" in question else "5 GB."

    retrieve_exact = None

    async def close(self):
        pass
'''


class TestPython(AdapterConformance):
    entry_point = "python"
    question = "How long does a refund take?"
    other_question = "What has the free plan?"
    has_retrieve_exact = True
    reports_usage = True
    reports_citations = True
    reports_context = True
    target = "Pipeline"

    @pytest.fixture
    def adapter(self, tmp_path, monkeypatch):
        monkeypatch.setattr(sys, "path", sys.path.copy())
        name = f"python_{tmp_path.name}"
        (tmp_path / f"{name}.py").write_text(MODULE, encoding="utf-8")
        return PythonAdapter(PythonAdapter.Settings(target=f"{name}:{self.target}"), tmp_path)


class TestPythonAsync(TestPython):
    target = "AsyncPipeline"
    has_retrieve_exact = False
    reports_usage = False
    reports_citations = False
    reports_context = False
