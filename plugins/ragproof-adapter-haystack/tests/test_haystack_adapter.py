"""Against Haystack itself: its in-memory store with BM25, its mock chat model, components of our own."""

import importlib.util
import os
import sys
import textwrap
import threading

import pytest

if importlib.util.find_spec("haystack") is None:  # not importorskip: our package must be the first to import it
    pytest.skip("haystack-ai is not installed", allow_module_level=True)

from pydantic import ValidationError
from ragproof_adapter_haystack import Haystack

from ragproof_core import AdapterError, Answer, Chunk, ConfigError, Usage

MODULE = textwrap.dedent(
    '''
    from haystack import Document, Pipeline, component
    from haystack.components.builders import AnswerBuilder, ChatPromptBuilder
    from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
    from haystack.dataclasses import ChatMessage
    from haystack.document_stores.in_memory import InMemoryDocumentStore

    RUNS = []


    @component
    class Fixed:
        """Gives documents in an order that is not that of their scores."""

        @component.output_types(documents=list[Document])
        def run(self, query: str, top_k: int = 3):
            RUNS.append(top_k)
            found = [
                Document(id="b", content="second best", meta={"source_id": "doc-1", "key": 7}, score=0.1),
                Document(id="a", content="best", meta={"key": "x"}, score=0.9),
                Document(id="c", content=None, meta={"key": "y"}),
            ]
            return {"documents": found[:top_k]}


    @component
    class Model:
        """Answers with what it was asked; of an empty prompt, nothing."""

        @component.output_types(replies=list[ChatMessage])
        def run(self, messages: list[ChatMessage]):
            usage = {"prompt_tokens": 9, "completion_tokens": 2}
            text = " | ".join(f"{message.role.value}: {message.text}" for message in messages)
            return {"replies": [ChatMessage.from_assistant(text, meta={"usage": usage})] if text != "user: " else []}


    @component
    class Cut:
        @component.output_types(documents=list[Document])
        def run(self, documents: list[Document]):
            return {"documents": documents[1:2]}


    @component
    class Texts:
        @component.output_types(replies=list[str], number=int)
        def run(self, text: str, history: list[ChatMessage] | None = None, meta: dict | None = None):
            said = [message.text for message in history or []]
            return {"replies": [f"{text} {said} {meta}"], "number": 5}


    def prompt():
        return ChatPromptBuilder(
            [ChatMessage.from_user("{% for each in documents %}[{{ each.id }}]{% endfor %}{{ question }}")],
            required_variables=["question", "documents"],
        )


    def pipeline():
        built = Pipeline()
        built.add_component("retriever", Fixed())
        built.add_component("prompt", prompt())
        built.add_component("llm", Model())
        built.connect("retriever.documents", "prompt.documents")
        built.connect("prompt.prompt", "llm.messages")
        return built


    def with_answers():
        built = pipeline()
        built.add_component("cut", Cut())
        built.add_component("answers", AnswerBuilder())
        built.connect("retriever.documents", "cut.documents")
        built.connect("cut.documents", "answers.documents")
        built.connect("llm.replies", "answers.replies")
        return built


    def bm25():
        store = InMemoryDocumentStore()
        store.write_documents([
            Document(id="pay", content="a refund takes five days"),
            Document(id="gb", content="the free plan has storage"),
            Document(id="both", content="refund of the storage plan"),
        ])
        built = Pipeline()
        built.add_component("retriever", InMemoryBM25Retriever(store))
        return built


    def texts():
        built = Pipeline()
        built.add_component("texts", Texts())
        return built


    def chat():
        built = Pipeline()
        built.add_component("llm", Model())
        return built


    number = 5
    '''
)
HISTORY = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi."}]
INPUTS = {"retriever.query": "question", "prompt.question": "question"}
BOTH = {"target": "pipeline", "inputs": INPUTS, "documents": "retriever.documents", "answer": "llm.replies"}


@pytest.fixture
def build(tmp_path, monkeypatch):
    name = f"haystack_{tmp_path.name}"
    (tmp_path / f"{name}.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.setattr(sys, "path", sys.path.copy())

    def make(**settings):
        settings["target"] = f"{name}:{settings['target']}"
        return Haystack(Haystack.Settings(**settings), tmp_path)

    make.runs = lambda: sys.modules[name].RUNS
    return make


def ids(chunks):
    return [chunk.id for chunk in chunks]


def test_one_run_gives_documents_that_haystack_hides_and_the_answer(build):
    adapter = build(**BOTH)
    chunks = adapter.retrieve("Limit?", 2, [], {})
    assert chunks == (
        Chunk("b", "second best", 0.1, {"source_id": "doc-1", "key": 7, "document_id": "doc-1"}),
        Chunk("a", "best", 0.9, {"key": "x"}),
    )
    answer = adapter.answer("Limit?", [], {})
    assert answer.answer_text == "user: [b][a][c]Limit?"
    assert answer.usage == Usage(9, 2)
    assert ids(answer.retrieved_chunks) == ["b", "a", "c"]
    assert len(build.runs()) == 1
    adapter.answer("Limit?", [], {})
    assert len(build.runs()) == 2  # the kept run was used up


def test_k_is_given_to_an_input_that_asks_for_it(build):
    adapter = build(**{**BOTH, "inputs": {**INPUTS, "retriever.top_k": "k"}})
    assert ids(adapter.retrieve("q", 2, [], {})) == ["b", "a"]
    assert adapter.answer("q", [], {}).answer_text == "user: [b][a]q"
    adapter.answer("other", [], {})
    assert build.runs() == [2, 3]  # an answer alone has no k: the component's own top_k


def test_generated_answers_bring_their_documents(build):
    adapter = build(
        target="with_answers",
        inputs={**INPUTS, "answers.query": "question"},
        documents="retriever.documents",
        answer="answers.answers",
    )
    assert ids(adapter.retrieve("q", 9, [], {})) == ["b", "a", "c"]
    answer = adapter.answer("q", [], {})
    assert answer.answer_text == "user: [b][a][c]q"
    assert ids(answer.retrieved_chunks) == ["a"]


def test_a_context_of_its_own(build):
    adapter = build(
        target="with_answers",
        inputs={**INPUTS, "answers.query": "question"},
        documents="retriever.documents",
        context="cut.documents",
        answer="llm.replies",
    )
    assert ids(adapter.answer("q", [], {}).retrieved_chunks) == ["a"]


def test_bm25_alone(build):
    adapter = build(target="bm25", inputs={"retriever.query": "question"}, documents="retriever.documents")
    chunks = adapter.retrieve("refund days", 2, [], {})
    assert ids(chunks) == ["pay", "both"]
    assert chunks[0].score > chunks[1].score > 0
    assert adapter.answer is None


def test_history_metadata_and_texts(build):
    inputs = {"texts.text": "question", "texts.history": "history", "texts.meta": "metadata"}
    adapter = build(target="texts", inputs=inputs, answer="texts.replies")
    assert adapter.answer("q", HISTORY, {"a": 1}) == Answer("q ['Hello', 'Hi.'] {'a': 1}")
    assert adapter.retrieve is None


def test_messages_are_the_history_and_the_question(build):
    adapter = build(target="chat", inputs={"llm.messages": "messages"}, answer="llm.replies")
    assert adapter.answer("Limit?", HISTORY, {}).answer_text == "user: Hello | assistant: Hi. | user: Limit?"


def test_many_cases_at_once_get_their_own_answers(build):
    adapter = build(**BOTH)
    answers = {}

    def case(number):
        question = f"Q{number}"
        adapter.retrieve(question, 3, [], {})
        answers[question] = adapter.answer(question, [], {}).answer_text

    threads = [threading.Thread(target=case, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {f"Q{number}": f"user: [b][a][c]Q{number}" for number in range(20)}
    assert len(build.runs()) == 20


def test_ids_from_meta(build):
    assert ids(build(**BOTH, id_key="key").retrieve("q", 2, [], {})) == ["7", "x"]
    with pytest.raises(AdapterError, match="document 0 has no 'uid' in its meta, which has: source_id, key"):
        build(**BOTH, id_key="uid").retrieve("q", 2, [], {})


def test_answers_that_do_not_fit(build):
    empty = build(target="chat", inputs={"llm.messages": "messages"}, answer="llm.replies")
    with pytest.raises(AdapterError, match="the pipeline gave no answer"):
        empty.answer("", [], {})
    number = build(target="texts", inputs={"texts.text": "question"}, answer="texts.number")
    with pytest.raises(AdapterError, match="neither a text, a ChatMessage nor a GeneratedAnswer: int"):
        number.answer("q", [], {})
    with pytest.raises(AdapterError, match="role 'tool'; known: user, assistant, system"):
        number.answer("q", [{"role": "tool", "content": "x"}], {})
    documents = build(target="texts", inputs={"texts.text": "question"}, documents="texts.replies")
    with pytest.raises(AdapterError, match="document 0: expected a Document, got str"):
        documents.retrieve("q", 1, [], {})


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        (
            {"documents": "retreiver.documents"},
            "documents: the pipeline has no retreiver.documents; did you mean retriever",
        ),
        ({"answer": "x.y"}, "answer: the pipeline has no x.y; it has: retriever.documents, prompt.prompt, llm.replies"),
        ({"inputs": {"retriever.question": "question"}}, "inputs: the pipeline has no retriever.question"),
        ({"target": "number"}, "expected a Haystack Pipeline, .*; got int"),
    ],
)
def test_targets_and_sockets_are_checked_at_the_start(build, settings, reason):
    with pytest.raises(ConfigError, match=reason):
        build(**{**BOTH, **settings})


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"documents": None, "answer": None}, "needs `documents`, `answer`, or both"),
        ({"inputs": {}}, "at least 1 item"),
        ({"inputs": {"query": "question"}}, "match pattern"),
        ({"inputs": {"a.b": "quesion"}}, "'question', 'k', 'history'"),
    ],
)
def test_settings_that_cannot_work(settings, reason):
    with pytest.raises(ValidationError, match=reason):
        Haystack.Settings(**{**BOTH, **settings})


@pytest.mark.skipif(
    os.environ["HAYSTACK_TELEMETRY_ENABLED"] != "false", reason="the environment has Haystack's telemetry on"
)
def test_telemetry_is_off():
    from haystack.telemetry import _telemetry

    assert _telemetry.telemetry is None
