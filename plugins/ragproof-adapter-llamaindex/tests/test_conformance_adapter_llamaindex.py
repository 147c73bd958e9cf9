"""The kernel's standard tests, with a query engine over an own retriever and a mock model."""

import sys

import pytest

pytest.importorskip("llama_index.core", reason="llama-index-core is not installed")

from ragproof_adapter_llamaindex import LlamaIndex

from ragproof_core.testing import AdapterConformance

MODULE = """
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.llms import MockLLM
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.schema import NodeWithScore, TextNode

NODES = [NodeWithScore(node=TextNode(id_=name, text=f"Text of {name}."), score=0.9) for name in ("pay", "plan")]


class Found(BaseRetriever):
    def _retrieve(self, query_bundle):
        return NODES if "refund" in query_bundle.query_str else NODES[1:]


def engine():
    return RetrieverQueryEngine.from_args(Found(), llm=MockLLM())
"""


class TestLlamaIndex(AdapterConformance):
    entry_point = "llamaindex"
    question = "How long does a refund take?"
    other_question = "What has the free plan?"
    reports_context = True

    @pytest.fixture
    def adapter(self, tmp_path, monkeypatch):
        monkeypatch.setattr(sys, "path", sys.path.copy())
        name = f"llamaindex_conformance_{tmp_path.name}"
        (tmp_path / f"{name}.py").write_text(MODULE, encoding="utf-8")
        return LlamaIndex(LlamaIndex.Settings(target=f"{name}:engine"), tmp_path)
