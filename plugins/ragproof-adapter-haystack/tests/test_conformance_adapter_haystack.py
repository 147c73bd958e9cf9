"""The kernel's standard tests, with a pipeline of BM25 retrieval and a component that answers."""

import importlib.util
import sys

import pytest

if importlib.util.find_spec("haystack") is None:  # not importorskip: our package must be the first to import it
    pytest.skip("haystack-ai is not installed", allow_module_level=True)

from ragproof_adapter_haystack import Haystack

from ragproof_core.testing import AdapterConformance

MODULE = """
from haystack import Document, Pipeline, component
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.document_stores.in_memory import InMemoryDocumentStore


@component
class Reader:
    @component.output_types(replies=list[str])
    def run(self, documents: list[Document], question: str):
        return {"replies": [f"{documents[0].content if documents else 'I do not know'} ({question[:40]})"]}


def pipeline():
    store = InMemoryDocumentStore()
    store.write_documents([
        Document(id="pay", content="a refund takes five days"),
        Document(id="plan", content="the free plan has storage"),
    ])
    built = Pipeline()
    built.add_component("retriever", InMemoryBM25Retriever(store))
    built.add_component("reader", Reader())
    built.connect("retriever.documents", "reader.documents")
    return built
"""


class TestHaystack(AdapterConformance):
    entry_point = "haystack"
    question = "How long does a refund take?"
    other_question = "What has the free plan?"
    reports_context = True

    @pytest.fixture
    def adapter(self, tmp_path, monkeypatch):
        monkeypatch.setattr(sys, "path", sys.path.copy())
        name = f"haystack_conformance_{tmp_path.name}"
        (tmp_path / f"{name}.py").write_text(MODULE, encoding="utf-8")
        settings = Haystack.Settings(
            target=f"{name}:pipeline",
            inputs={"retriever.query": "question", "retriever.top_k": "k", "reader.question": "question"},
            documents="retriever.documents",
            answer="reader.replies",
        )
        return Haystack(settings, tmp_path)
