"""The adapter: which runnables to call, and with what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from langchain_core.messages import BaseMessage, HumanMessage, convert_to_messages
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import Runnable
from langchain_core.vectorstores import VectorStoreRetriever
from pydantic import BaseModel, ConfigDict, Field, model_validator

from ragproof_adapter_langchain.documents import Keys, to_chunks
from ragproof_adapter_langchain.outputs import to_answer
from ragproof_core import Answer, Chunk, ConfigError, hookimpl
from ragproof_core.targets import load_target


class LangChainSettings(BaseModel):
    """Targets are ``module:attribute``, looked up beside the config file: a runnable, or a function that makes one."""

    model_config = ConfigDict(extra="forbid")

    retriever: str | None = Field(None, description="a BaseRetriever")
    target: str | None = Field(None, description="a chain or graph that answers; a BaseRetriever is taken as retriever")
    input_key: str | None = Field(None, description="key of the question; without, the question is the input")
    history_key: str | None = Field(None, description="key of the earlier messages in the input")
    messages_key: str | None = Field(None, description="key of history and question as one list of messages")
    answer_key: str = Field("answer", description="key of the answer when the output is a mapping")
    documents_key: str = Field("context", description="key of the documents when the output is a mapping")
    id_key: str | None = Field(None, description="metadata key of a chunk's id; without, the document's own id")
    document_id_key: str | None = Field(None, description="metadata key of the document that a chunk is from")
    score_key: str = Field("score", description="metadata key of a chunk's score")

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.retriever is None and self.target is None:
            raise ValueError("needs `target`, `retriever`, or both")
        if self.messages_key and (self.input_key or self.history_key):
            raise ValueError("`messages_key` holds question and history; leave out `input_key` and `history_key`")
        if self.history_key and not self.input_key:
            raise ValueError("`history_key` needs `input_key`, because a bare question has no place for it")
        return self


class LangChain:
    """Calls a retriever's and a chain's ``invoke``.

    Raises:
        ConfigError: a target cannot be imported or is not a runnable.
    """

    api_version = 1
    Settings = LangChainSettings

    def __init__(self, settings: LangChainSettings, base_dir: Path) -> None:
        self._settings = settings
        self._keys = Keys(settings.id_key, settings.document_id_key, settings.score_key)
        target = _runnable(settings.target, base_dir)
        retriever = _runnable(settings.retriever, base_dir)
        if retriever is None and isinstance(target, BaseRetriever):
            target, retriever = None, target
        self._chain = target
        self._retriever = retriever
        if target is None:
            self.answer = None  # type: ignore[assignment,method-assign]
        if retriever is None:
            self.retrieve = None  # type: ignore[assignment,method-assign]

    @hookimpl
    def retrieve(self, question: str, k: int) -> list[Chunk]:
        """Return the retriever's first ``k`` documents; a vector store's retriever is asked for ``k``."""
        assert self._retriever is not None
        asked: dict[str, Any] = {"k": k} if isinstance(self._retriever, VectorStoreRetriever) else {}
        return to_chunks(self._retriever.invoke(question, **asked), self._keys)[:k]

    @hookimpl
    def answer(self, question: str, history: Sequence[Mapping[str, str]]) -> Answer:
        """Return the chain's answer, with the documents and the usage that its output tells."""
        assert self._chain is not None
        output = self._chain.invoke(self._input(question, history))
        return to_answer(output, self._settings.answer_key, self._settings.documents_key, self._keys)

    def _input(self, question: str, history: Sequence[Mapping[str, str]]) -> Any:
        settings = self._settings
        if settings.messages_key:
            return {settings.messages_key: [*_messages(history), HumanMessage(question)]}
        if settings.input_key is None:
            return question
        asked: dict[str, Any] = {settings.input_key: question}
        if settings.history_key:
            asked[settings.history_key] = _messages(history)
        return asked


def _messages(history: Sequence[Mapping[str, str]]) -> list[BaseMessage]:
    return convert_to_messages([dict(turn) for turn in history])


def _runnable(target: str | None, base_dir: Path) -> Runnable[Any, Any] | None:
    if target is None:
        return None
    found = load_target(target, base_dir)
    if not isinstance(found, Runnable) and callable(found):
        found = found()
    if not isinstance(found, Runnable):
        raise ConfigError(
            f"target {target!r}: expected a LangChain runnable, or a function without arguments that "
            f"returns one; got {type(found).__name__}"
        )
    return found
