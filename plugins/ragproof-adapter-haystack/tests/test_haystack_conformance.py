"""The standard tests of an adapter, with the framework itself."""

import importlib.util
import sys
import textwrap

import pytest

if importlib.util.find_spec("haystack") is None:  # not importorskip: our package must be the first to import it
    pytest.skip("haystack-ai is not installed", allow_module_level=True)

from ragproof_adapter_haystack import Haystack

from ragproof_core.testing import AdapterConformance

MODULE = textwrap.dedent(
    """
    from haystack import Document, Pipeline, component
    from haystack.dataclasses import ChatMessage

    @component
    class Found:
        @component.output_types(documents=list[Document])
        def run(self, query: str):
            return {"documents": [Document(id=f"d{rank}-{len(query)}", score=1 / rank) for rank in (1, 2, 3)]}

    @component
    class Model:
        @component.output_types(replies=list[ChatMessage])
        def run(self, messages: list[ChatMessage], documents: list[Document]):
            usage = {"prompt_tokens": 9, "completion_tokens": 2}
            return {"replies": [ChatMessage.from_assistant(f"You asked: {messages[-1].text}", meta={"usage": usage})]}

    def pipeline():
        built = Pipeline()
        built.add_component("retriever", Found())
        built.add_component("llm", Model())
        built.connect("retriever.documents", "llm.documents")
        return built
    """
)


class TestPipeline(AdapterConformance):
    entry_point = "haystack"
    other_question = "Something else?"
    reports_usage = reports_context = True

    @pytest.fixture
    def adapter(self, tmp_path, monkeypatch):
        monkeypatch.setattr(sys, "path", sys.path.copy())
        name = f"haystack_conformance_{tmp_path.name}"
        (tmp_path / f"{name}.py").write_text(MODULE, encoding="utf-8")
        settings = Haystack.Settings(
            target=f"{name}:pipeline",
            inputs={"retriever.query": "question", "llm.messages": "messages"},
            documents="retriever.documents",
            answer="llm.replies",
        )
        return Haystack(settings, tmp_path)
