"""Against llama-index-core itself: in-memory vector index, own retrievers, mock models; BM25 where it is installed."""

import importlib.util
import sys
import textwrap

import pytest

pytest.importorskip("llama_index.core", reason="llama-index-core is not installed")

from pydantic import ValidationError
from ragproof_adapter_llamaindex import LlamaIndex

from ragproof_core import AdapterError, ConfigError

MODULE = textwrap.dedent(
    '''
    import time

    from llama_index.core import VectorStoreIndex
    from llama_index.core.base.base_retriever import BaseRetriever
    from llama_index.core.base.embeddings.base import BaseEmbedding
    from llama_index.core.base.response.schema import Response
    from llama_index.core.chat_engine import ContextChatEngine
    from llama_index.core.llms import CompletionResponse, MockLLM
    from llama_index.core.memory import ChatMemoryBuffer
    from llama_index.core.query_engine import CustomQueryEngine, RetrieverQueryEngine
    from llama_index.core.schema import NodeRelationship, NodeWithScore, RelatedNodeInfo, TextNode


    def node(name, text, document=None, **metadata):
        relations = {NodeRelationship.SOURCE: RelatedNodeInfo(node_id=document)} if document else {}
        return TextNode(id_=name, text=text, metadata=metadata, relationships=relations)


    FOUND = [
        NodeWithScore(node=node("b", "second best", "doc-1", key=7), score=0.1),
        NodeWithScore(node=node("a", "best", key="x"), score=0.9),
        NodeWithScore(node=node("z", "nothing shared", key="y"), score=0.0),
        NodeWithScore(node=node("n", "no score", key="w")),
    ]


    class Fixed(BaseRetriever):
        def _retrieve(self, query_bundle):
            return list(FOUND)


    class OneLetter(BaseEmbedding):
        """How often a, b, c and d occur."""

        def _get_query_embedding(self, query):
            return [query.count(letter) + 0.001 for letter in "abcd"]

        async def _aget_query_embedding(self, query):
            return self._get_query_embedding(query)

        def _get_text_embedding(self, text):
            return self._get_query_embedding(text)


    class Slow(MockLLM):
        def stream_complete(self, prompt, formatted=False, **kwargs):
            def tokens():
                time.sleep(0.1)
                yield CompletionResponse(text="Five ", delta="Five ")
                time.sleep(0.3)
                yield CompletionResponse(text="Five days.", delta="days.")

            return tokens()


    class Nothing(CustomQueryEngine):
        def custom_query(self, query_str):
            return Response(response=None)


    retriever = Fixed()


    def vector_index():
        nodes = [node(letter, letter * 3, f"doc-{letter}") for letter in "abcd"]
        return VectorStoreIndex(nodes, embed_model=OneLetter())


    def vector_retriever():
        return vector_index().as_retriever(similarity_top_k=3)


    def query_engine():
        return RetrieverQueryEngine.from_args(Fixed(), llm=MockLLM())


    def streaming_engine():
        return RetrieverQueryEngine.from_args(Fixed(), llm=Slow(), streaming=True)


    def chat_engine():
        llm = MockLLM()
        memory = ChatMemoryBuffer.from_defaults(llm=llm)
        return ContextChatEngine.from_defaults(retriever=Fixed(), llm=llm, memory=memory)


    def empty_engine():
        return Nothing()


    def bm25():
        from llama_index.retrievers.bm25 import BM25Retriever

        nodes = [node("pay", "refund days card"), node("gb", "storage plan"), node("help", "support hours")]
        return BM25Retriever.from_defaults(nodes=nodes, similarity_top_k=3)


    number = 5
    '''
)
HISTORY = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi."}]


@pytest.fixture
def build(tmp_path, monkeypatch):
    name = f"llamaindex_{tmp_path.name}"
    (tmp_path / f"{name}.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.setattr(sys, "path", sys.path.copy())

    def make(**settings):
        for field in ("target", "retriever"):
            if field in settings:
                settings[field] = f"{name}:{settings[field]}"
        return LlamaIndex(LlamaIndex.Settings(**settings), tmp_path)

    return make


def ids(chunks):
    return [chunk.id for chunk in chunks]


def test_a_retrievers_order_and_scores_are_kept_and_zero_scores_left_out(build):
    adapter = build(retriever="retriever")
    chunks = adapter.retrieve("q", 9)
    assert [(chunk.id, chunk.text, chunk.score) for chunk in chunks] == [
        ("b", "second best", 0.1),
        ("a", "best", 0.9),
        ("n", "no score", None),
    ]
    assert [chunk.document_id for chunk in chunks] == ["doc-1", "a", "n"]
    assert ids(adapter.retrieve("q", 1)) == ["b"]
    assert adapter.answer is None


def test_zero_scores_are_kept_when_asked(build):
    assert ids(build(target="retriever", keep_zero_scores=True).retrieve("q", 9)) == ["b", "a", "z", "n"]


def test_ids_and_documents_from_metadata(build):
    chunks = build(retriever="retriever", id_key="key", document_id_key="key").retrieve("q", 2)
    assert [(chunk.id, chunk.document_id) for chunk in chunks] == [("7", "7"), ("x", "x")]


def test_a_vector_index(build):
    chunks = build(retriever="vector_retriever").retrieve("bbba", 2)
    assert ids(chunks) == ["b", "a"]
    assert [chunk.document_id for chunk in chunks] == ["doc-b", "doc-a"]
    # cosine of (1, 3) with (0, 3) is 3/sqrt(10) = 0.9487, with (3, 0) 1/sqrt(10) = 0.3162
    assert [chunk.score for chunk in chunks] == pytest.approx([0.9487, 0.3162], abs=0.002)


@pytest.mark.skipif(
    importlib.util.find_spec("llama_index.retrievers") is None, reason="llama-index-retrievers-bm25 is not installed"
)
def test_bm25_nodes_that_match_nothing_are_left_out(build):
    assert ids(build(retriever="bm25").retrieve("refund card", 9)) == ["pay"]
    assert len(build(retriever="bm25", keep_zero_scores=True).retrieve("refund card", 9)) == 3


def test_a_query_engine_answers_and_retrieves(build):
    adapter = build(target="query_engine")
    answer = adapter.answer("Limit?", HISTORY)
    assert "second best" in answer.answer_text  # the mock model repeats its prompt
    assert "Query: Limit?" in answer.answer_text
    assert ids(answer.retrieved_chunks) == ["b", "a", "z", "n"]
    assert ids(adapter.retrieve("Limit?", 2)) == ["b", "a"]
    assert adapter.max_concurrency is None


def test_a_streaming_engine_has_a_time_to_first_token(build):
    answer = build(target="streaming_engine").answer("q", [])
    assert answer.answer_text == "Five days."
    assert answer.timings_ms["time_to_first_token"] >= 100.0


def test_a_chat_engine_sees_the_cases_history_and_only_that(build):
    adapter = build(target="chat_engine")
    first = adapter.answer("Limit?", HISTORY).answer_text
    assert "user: Hello\nassistant: Hi.\nuser: Limit?" in first
    second = adapter.answer("Other?", [])
    assert "Hello" not in second.answer_text
    assert "Limit?" not in second.answer_text
    assert ids(second.retrieved_chunks) == ["b", "a", "z", "n"]
    assert adapter.max_concurrency == 1
    assert adapter.retrieve is None


def test_an_engine_without_a_text_gives_an_empty_answer(build):
    assert build(target="empty_engine").answer("q", []).answer_text == ""


def test_a_missing_id_is_named(build):
    with pytest.raises(AdapterError, match="node 0 has no 'uid' in its metadata, which has: key"):
        build(retriever="retriever", id_key="uid").retrieve("q", 5)


def test_targets_that_are_no_engines(build):
    with pytest.raises(ConfigError, match=r"expected a LlamaIndex retriever, query engine or chat engine, .*; got int"):
        build(target="number")
    with pytest.raises(ConfigError, match="ContextChatEngine does not retrieve"):
        build(retriever="chat_engine")


def test_settings_need_a_target():
    with pytest.raises(ValidationError, match="needs `target`, `retriever`, or both"):
        LlamaIndex.Settings()
