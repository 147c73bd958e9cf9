"""The adapter: which engines to call, and what their answers tell."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.base.response.schema import StreamingResponse
from llama_index.core.chat_engine.types import BaseChatEngine
from llama_index.core.llms import ChatMessage
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.schema import QueryBundle
from pydantic import BaseModel, ConfigDict, Field, model_validator

from ragproof_adapter_llamaindex.nodes import to_chunks
from ragproof_core import Answer, Chunk, ConfigError, hookimpl
from ragproof_core.targets import load_target

_Engine = BaseRetriever | BaseQueryEngine | BaseChatEngine


class LlamaIndexSettings(BaseModel):
    """Targets are ``module:attribute``, looked up beside the config file: an engine, or a function that makes one."""

    model_config = ConfigDict(extra="forbid")

    target: str | None = Field(None, description="a query engine or chat engine; a retriever is taken as retriever")
    retriever: str | None = Field(None, description="a retriever; without, that of a RetrieverQueryEngine")
    id_key: str | None = Field(None, description="metadata key of a chunk's id; without, the node's id")
    document_id_key: str | None = Field(None, description="metadata key of a chunk's document; without, ref_doc_id")
    keep_zero_scores: bool = Field(default=False, description="keep retrieved nodes whose score is 0 (BM25: no match)")

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.retriever is None and self.target is None:
            raise ValueError("needs `target`, `retriever`, or both")
        return self


class LlamaIndex:
    """Calls ``retrieve`` of a retriever and ``query`` or ``chat`` of an engine.

    Raises:
        ConfigError: a target cannot be imported or is nothing that can be called.
    """

    api_version = 1
    Settings = LlamaIndexSettings
    max_concurrency: int | None = None

    def __init__(self, settings: LlamaIndexSettings, base_dir: Path) -> None:
        self._settings = settings
        target = _engine(settings.target, base_dir)
        retriever = _engine(settings.retriever, base_dir)
        if retriever is None and isinstance(target, (BaseRetriever, RetrieverQueryEngine)):
            retriever = target
        if retriever is not None and not isinstance(retriever, (BaseRetriever, RetrieverQueryEngine)):
            raise ConfigError(f"retriever {settings.retriever!r}: {type(retriever).__name__} does not retrieve")
        self._retriever: BaseRetriever | RetrieverQueryEngine | None = retriever
        self._engine = None if isinstance(target, BaseRetriever) else target
        if isinstance(self._engine, BaseChatEngine):
            self.max_concurrency = 1  # it keeps one conversation
        if self._engine is None:
            self.answer = None  # type: ignore[assignment,method-assign]
        if self._retriever is None:
            self.retrieve = None  # type: ignore[assignment,method-assign]

    @hookimpl
    def retrieve(self, question: str, k: int) -> list[Chunk]:
        """Return the first ``k`` nodes; those with score 0 are left out unless the settings keep them."""
        assert self._retriever is not None
        nodes = self._retriever.retrieve(QueryBundle(question))
        if not self._settings.keep_zero_scores:
            nodes = [node for node in nodes if node.score != 0]
        return self._chunks(nodes)[:k]

    @hookimpl
    def answer(self, question: str, history: Sequence[Mapping[str, str]]) -> Answer:
        """Return the engine's answer, with ``time_to_first_token`` when it streams. Query engines see no history."""
        assert self._engine is not None
        started = time.monotonic()
        if isinstance(self._engine, BaseChatEngine):
            turns = [ChatMessage(role=turn["role"], content=turn["content"]) for turn in history]
            response: Any = self._engine.chat(question, chat_history=turns)
        else:
            assert isinstance(self._engine, BaseQueryEngine)
            response = self._engine.query(question)
        text, timings = _text(response, started)
        return Answer(answer_text=text, retrieved_chunks=tuple(self._chunks(response.source_nodes)), timings_ms=timings)

    def _chunks(self, nodes: Iterable[Any]) -> list[Chunk]:
        return to_chunks(nodes, self._settings.id_key, self._settings.document_id_key)


def _text(response: Any, started: float) -> tuple[str, dict[str, float]]:
    """Return the answer's text and, for a streaming response, the milliseconds until its first text."""
    if not isinstance(response, StreamingResponse):
        # str() of a response without a text is "None"
        return "" if response.response is None else str(response), {}
    pieces: list[str] = []
    timings: dict[str, float] = {}
    for piece in response.response_gen:
        if piece and not timings:
            timings["time_to_first_token"] = (time.monotonic() - started) * 1000.0
        pieces.append(piece)
    return "".join(pieces), timings


def _engine(target: str | None, base_dir: Path) -> _Engine | None:
    if target is None:
        return None
    found = load_target(target, base_dir)
    if not isinstance(found, _Engine) and callable(found):
        found = found()
    if not isinstance(found, _Engine):
        raise ConfigError(
            f"target {target!r}: expected a LlamaIndex retriever, query engine or chat engine, or a function without "
            f"arguments that returns one; got {type(found).__name__}"
        )
    return found
