"""The standard tests of an adapter, with the framework itself."""

import sys
import textwrap

import pytest

pytest.importorskip("llama_index.core", reason="llama-index-core is not installed")

from ragproof_adapter_llamaindex import LlamaIndex

from ragproof_core.testing import AdapterConformance

MODULE = textwrap.dedent(
    """
    from llama_index.core.base.base_retriever import BaseRetriever
    from llama_index.core.chat_engine import ContextChatEngine
    from llama_index.core.llms import LLMMetadata, MockLLM
    from llama_index.core.memory import ChatMemoryBuffer
    from llama_index.core.query_engine import RetrieverQueryEngine
    from llama_index.core.schema import NodeWithScore, TextNode

    class Found(BaseRetriever):
        def _retrieve(self, query_bundle):
            size = len(query_bundle.query_str)
            return [NodeWithScore(node=TextNode(id_=f"d{rank}-{size}", text="t"), score=1 / rank) for rank in (1, 2, 3)]

    class Wide(MockLLM):
        @property
        def metadata(self):
            return LLMMetadata(context_window=10_000_000)

    def query_engine():
        return RetrieverQueryEngine.from_args(Found(), llm=Wide())

    def chat_engine():
        llm = Wide()
        memory = ChatMemoryBuffer.from_defaults(llm=llm, token_limit=10_000_000)
        return ContextChatEngine.from_defaults(retriever=Found(), llm=llm, memory=memory)
    """
)


class Engine(AdapterConformance):
    other_question = "Something else?"
    reports_context = True
    target = ""

    @pytest.fixture
    def adapter(self, tmp_path, monkeypatch):
        monkeypatch.setattr(sys, "path", sys.path.copy())
        name = f"llamaindex_conformance_{tmp_path.name}"
        (tmp_path / f"{name}.py").write_text(MODULE, encoding="utf-8")
        return LlamaIndex(LlamaIndex.Settings(target=f"{name}:{self.target}"), tmp_path)


class TestQueryEngine(Engine):
    entry_point = "llamaindex"
    target = "query_engine"


class TestChatEngine(Engine):
    target = "chat_engine"
    has_retrieve = False
    concurrent = False
