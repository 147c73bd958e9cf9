"""Against langchain-core itself: its in-memory vector store, own retrievers, fake models."""

import sys
import textwrap

import pytest

pytest.importorskip("langchain_core", reason="langchain-core is not installed")

from pydantic import ValidationError
from ragproof_adapter_langchain import LangChain

from ragproof_core import AdapterError, Answer, ConfigError, Usage

MODULE = textwrap.dedent(
    '''
    from langchain_core.callbacks import CallbackManagerForRetrieverRun
    from langchain_core.documents import Document
    from langchain_core.embeddings import DeterministicFakeEmbedding, Embeddings
    from langchain_core.language_models import GenericFakeChatModel
    from langchain_core.messages import AIMessage
    from langchain_core.output_parsers import StrOutputParser
    from langchain_core.prompts import ChatPromptTemplate
    from langchain_core.retrievers import BaseRetriever
    from langchain_core.runnables import RunnableLambda, RunnablePassthrough
    from langchain_core.vectorstores import InMemoryVectorStore

    DOCUMENTS = [
        Document("second best", metadata={"key": "b", "source": "doc-1", "score": 0.1}, id="uuid-b"),
        Document("best", metadata={"key": 7, "source": "doc-2", "score": 0.9}, id="uuid-7"),
        Document("third", metadata={"key": "c"}, id="uuid-c"),
    ]

    class Fixed(BaseRetriever):
        def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun):
            return DOCUMENTS if query else []

    class OneLetter(Embeddings):
        """How often a, b, c and d occur."""

        def embed_query(self, text):
            return [text.count(letter) + 0.001 for letter in "abcd"]

        def embed_documents(self, texts):
            return [self.embed_query(text) for text in texts]

    retriever = Fixed()

    def vector_retriever():
        store = InMemoryVectorStore(OneLetter())
        store.add_documents([Document(text * 3, id=text) for text in "abcd"])
        return store.as_retriever(search_kwargs={"k": 2})

    def model(content="Five days."):
        usage = {"input_tokens": 9, "output_tokens": 2, "total_tokens": 11}
        return GenericFakeChatModel(messages=iter([AIMessage(content, usage_metadata=usage)] * 9))

    text_chain = ChatPromptTemplate.from_template("{question}") | model() | StrOutputParser()
    echo = RunnableLambda(lambda asked: repr(asked))
    blocks = RunnableLambda(lambda asked: AIMessage([{"type": "text", "text": "Five "}, {"type": "text", "text": "days."}]))
    rag = RunnablePassthrough.assign(context=lambda asked: DOCUMENTS[:2]) | RunnablePassthrough.assign(
        answer=ChatPromptTemplate.from_template("{input} {context}") | model()
    )
    graph = RunnableLambda(lambda state: {"messages": [*state["messages"], AIMessage(f"{len(state['messages'])} messages")]})
    odd = RunnableLambda(lambda asked: {"result": "x"})
    number = RunnableLambda(lambda asked: 5)
    broken_retriever = RunnableLambda(lambda asked: ["text"])
    no_ids = RunnableLambda(lambda asked: [Document("x", metadata={"source": "s"})])
    not_a_runnable = 5
    '''
)
HISTORY = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi."}]


@pytest.fixture
def build(tmp_path, monkeypatch):
    name = f"langchain_{tmp_path.name}"
    (tmp_path / f"{name}.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.setattr(sys, "path", sys.path.copy())

    def make(**settings):
        for field in ("target", "retriever"):
            if field in settings:
                settings[field] = f"{name}:{settings[field]}"
        return LangChain(LangChain.Settings(**settings), tmp_path)

    return make


def test_a_retrievers_order_and_scores_are_kept(build):
    adapter = build(retriever="retriever", id_key="key", document_id_key="source")
    chunks = adapter.retrieve("q", 2)
    assert [(chunk.id, chunk.text, chunk.score) for chunk in chunks] == [("b", "second best", 0.1), ("7", "best", 0.9)]
    assert [chunk.document_id for chunk in chunks] == ["doc-1", "doc-2"]
    assert adapter.retrieve("", 5) == []
    assert adapter.answer is None


def test_without_id_key_the_documents_own_id_is_taken(build):
    assert [chunk.id for chunk in build(target="retriever").retrieve("q", 9)] == ["uuid-b", "uuid-7", "uuid-c"]


@pytest.mark.parametrize("k", [1, 2, 4])
def test_a_vector_stores_retriever_is_asked_for_k(build, k):
    # its own search_kwargs say 2
    chunks = build(retriever="vector_retriever").retrieve("bbba", k)
    assert len(chunks) == k
    assert [chunk.id for chunk in chunks][:2] == ["b", "a"][:k]


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, "'Limit?'"),
        ({"input_key": "q"}, "{'q': 'Limit?'}"),
    ],
)
def test_what_a_chain_is_given(build, settings, expected):
    assert build(target="echo", **settings).answer("Limit?", HISTORY).answer_text == expected


def test_history_is_given_as_messages(build):
    text = build(target="echo", input_key="input", history_key="chat").answer("Limit?", HISTORY).answer_text
    assert text.startswith("{'input': 'Limit?', 'chat': [HumanMessage(content='Hello'")
    assert "AIMessage(content='Hi.'" in text


def test_a_graph_of_messages(build):
    adapter = build(target="graph", messages_key="messages", answer_key="messages")
    assert adapter.answer("Limit?", HISTORY) == Answer("3 messages")


def test_a_chain_that_gives_text(build):
    assert build(target="text_chain", input_key="question").answer("q", []) == Answer("Five days.")


def test_a_model_that_gives_a_message_with_usage(build):
    assert build(target="model").answer("q", []) == Answer("Five days.", usage=Usage(9, 2))


def test_a_message_of_blocks(build):
    assert build(target="blocks").answer("q", []) == Answer("Five days.")


def test_a_chain_that_gives_its_documents(build):
    answer = build(target="rag", input_key="input", id_key="key").answer("q", [])
    assert answer.answer_text == "Five days."
    assert answer.usage == Usage(9, 2)
    assert [chunk.id for chunk in answer.retrieved_chunks] == ["b", "7"]


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"target": "odd"}, "output has no 'answer', which the setting `answer_key` names; it has: result"),
        ({"target": "number"}, "neither a text nor a message: int"),
    ],
)
def test_answers_that_do_not_fit(build, settings, reason):
    with pytest.raises(AdapterError, match=reason):
        build(**settings).answer("q", [])


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"retriever": "broken_retriever"}, "document 0: expected a Document, got str"),
        ({"retriever": "number"}, "expected a list of documents, got int"),
        (
            {"retriever": "no_ids"},
            "document 0 has no id; name its metadata key in the setting `id_key`; its metadata has: source",
        ),
        ({"retriever": "no_ids", "id_key": "key"}, "document 0 has no 'key' in its metadata; its metadata has: source"),
    ],
)
def test_documents_that_do_not_fit(build, settings, reason):
    with pytest.raises(AdapterError) as caught:
        build(**settings).retrieve("q", 5)
    assert str(caught.value) == reason


def test_targets_that_are_not_runnables(build):
    with pytest.raises(ConfigError, match=r"expected a LangChain runnable, .*; got int"):
        build(target="not_a_runnable")
    with pytest.raises(ConfigError, match="has no attribute 'nothing'"):
        build(target="nothing")


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({}, "needs `target`, `retriever`, or both"),
        ({"target": "m:a", "history_key": "h"}, "`history_key` needs `input_key`"),
        ({"target": "m:a", "messages_key": "m", "input_key": "i"}, "leave out `input_key` and `history_key`"),
        ({"target": "m:a", "retreiver": "m:b"}, "retreiver"),
    ],
)
def test_settings_that_cannot_work(settings, reason):
    with pytest.raises(ValidationError, match=reason):
        LangChain.Settings(**settings)
