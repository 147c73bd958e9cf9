"""The kernel's standard tests, with an in-memory vector store and a chain."""

import sys

import pytest

pytest.importorskip("langchain_core", reason="langchain-core is not installed")

from ragproof_adapter_langchain import LangChain

from ragproof_core.testing import AdapterConformance

MODULE = """
from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableLambda
from langchain_core.vectorstores import InMemoryVectorStore

DOCUMENTS = [Document(f"Text of {name}.", id=name, metadata={"source": "doc"}) for name in ("pay", "plan", "help")]


def retriever():
    store = InMemoryVectorStore(DeterministicFakeEmbedding(size=8))
    store.add_documents(DOCUMENTS)
    return store.as_retriever()


def answered(asked):
    usage = {"input_tokens": 9, "output_tokens": 2, "total_tokens": 11}
    message = AIMessage(f"Five days, I think: {asked['question'][:40]}", usage_metadata=usage)
    return {"answer": message, "context": DOCUMENTS[:2]}


chain = RunnableLambda(answered)
"""


class TestLangChain(AdapterConformance):
    entry_point = "langchain"
    question = "How long does a refund take?"
    other_question = "What has the free plan?"
    reports_usage = True
    reports_context = True

    @pytest.fixture
    def adapter(self, tmp_path, monkeypatch):
        monkeypatch.setattr(sys, "path", sys.path.copy())
        name = f"langchain_conformance_{tmp_path.name}"
        (tmp_path / f"{name}.py").write_text(MODULE, encoding="utf-8")
        targets = {"retriever": f"{name}:retriever", "target": f"{name}:chain"}
        return LangChain(LangChain.Settings(**targets, input_key="question", history_key="history"), tmp_path)
