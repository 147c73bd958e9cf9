"""The standard tests of an adapter, with the framework itself."""

import sys
import textwrap

import pytest

pytest.importorskip("langchain_core", reason="langchain-core is not installed")

from ragproof_adapter_langchain import LangChain

from ragproof_core.testing import AdapterConformance

MODULE = textwrap.dedent(
    """
    from langchain_core.documents import Document
    from langchain_core.messages import AIMessage
    from langchain_core.runnables import RunnableLambda

    def find(question):
        return [Document(question, id=f"d{rank}-{len(question)}", metadata={"score": 1 / rank}) for rank in (1, 2, 3)]

    def reply(asked):
        usage = {"input_tokens": 9, "output_tokens": 2, "total_tokens": 11}
        message = AIMessage(f"You asked: {asked['input']}", usage_metadata=usage)
        return {"answer": message, "context": find(asked["input"])}

    retriever = RunnableLambda(find)
    chain = RunnableLambda(reply)
    """
)


class TestChain(AdapterConformance):
    entry_point = "langchain"
    other_question = "Something else?"
    reports_usage = reports_context = True

    @pytest.fixture
    def adapter(self, tmp_path, monkeypatch):
        monkeypatch.setattr(sys, "path", sys.path.copy())
        name = f"langchain_conformance_{tmp_path.name}"
        (tmp_path / f"{name}.py").write_text(MODULE, encoding="utf-8")
        targets = {"retriever": f"{name}:retriever", "target": f"{name}:chain"}
        return LangChain(LangChain.Settings(**targets, input_key="input", history_key="history"), tmp_path)
