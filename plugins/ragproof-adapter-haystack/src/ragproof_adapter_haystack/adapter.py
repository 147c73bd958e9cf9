"""The adapter: one run of the pipeline a case, and what its outputs tell."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from haystack import Pipeline
from pydantic import BaseModel, ConfigDict, Field, model_validator

from ragproof_adapter_haystack.outputs import Keys, to_answer, to_chunks
from ragproof_adapter_haystack.sockets import Name, Socket, Source, chat_messages, check_socket
from ragproof_core import Answer, Chunk, ConfigError, hookimpl
from ragproof_core.targets import load_target

_KEPT = 256


class HaystackSettings(BaseModel):
    """The pipeline, and which of its inputs and outputs mean what; sockets are written ``component.socket``."""

    model_config = ConfigDict(extra="forbid")

    target: str = Field(description="module:attribute of a Pipeline, or of a function that makes one")
    inputs: dict[Name, Source] = Field(
        min_length=1, description="input: what it is given (question, k, history, messages, metadata)"
    )
    documents: Name | None = Field(None, description="output with the retrieved documents, such as retriever.documents")
    context: Name | None = Field(None, description="output with the documents that the generator saw, if others")
    answer: Name | None = Field(None, description="output with the answer, such as llm.replies")
    id_key: str | None = Field(None, description="meta key of a chunk's id; without, the document's own id")
    document_id_key: str | None = Field("source_id", description="meta key of the document that a chunk is from")

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.documents is None and self.answer is None:
            raise ValueError("needs `documents`, `answer`, or both")
        return self


class Haystack:
    """Runs a pipeline once a case: what ``retrieve`` ran is kept for the ``answer`` to the same question.

    Raises:
        ConfigError: the target is no pipeline, or does not have a socket that the settings name.
    """

    api_version = 1
    Settings = HaystackSettings

    def __init__(self, settings: HaystackSettings, base_dir: Path) -> None:
        self._pipeline = _pipeline(settings.target, base_dir)
        present = self._pipeline.inputs(include_components_with_connected_inputs=True)
        self._inputs = {check_socket(name, "inputs", present): source for name, source in settings.inputs.items()}
        self._documents = self._output("documents", settings.documents)
        self._context = self._output("context", settings.context) or self._documents
        self._answer = self._output("answer", settings.answer)
        self._asked = {each.component for each in (self._documents, self._context, self._answer) if each is not None}
        self._keys = Keys(settings.id_key, settings.document_id_key)
        self._kept: OrderedDict[str, Mapping[str, Any]] = OrderedDict()
        self._lock = threading.Lock()
        if self._documents is None:
            self.retrieve = None  # type: ignore[assignment,method-assign]
        if self._answer is None:
            self.answer = None  # type: ignore[assignment,method-assign]

    @hookimpl
    def retrieve(
        self, question: str, k: int, history: Sequence[Mapping[str, str]], metadata: Mapping[str, Any]
    ) -> tuple[Chunk, ...]:
        """Return the first ``k`` documents of a run."""
        outputs = self._run({**_values(question, history, metadata), "k": k})
        if self._answer is not None:
            with self._lock:
                self._kept[_key(question, history, metadata)] = outputs
                if len(self._kept) > _KEPT:
                    self._kept.popitem(last=False)
        return to_chunks(_at(self._documents, outputs), self._keys)[:k]

    @hookimpl
    def answer(self, question: str, history: Sequence[Mapping[str, str]], metadata: Mapping[str, Any]) -> Answer:
        """Return the answer of the run that ``retrieve`` began, or of a new one."""
        with self._lock:
            outputs = self._kept.pop(_key(question, history, metadata), None)
        if outputs is None:
            outputs = self._run(_values(question, history, metadata))
        context = None if self._context is None else to_chunks(_at(self._context, outputs), self._keys)
        return to_answer(_at(self._answer, outputs), context, self._keys)

    def _output(self, where: str, name: str | None) -> Socket | None:
        if name is None:
            return None
        return check_socket(name, where, self._pipeline.outputs(include_components_with_connected_outputs=True))

    def _run(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        data: dict[str, dict[str, Any]] = {}
        for (component, socket), source in self._inputs.items():
            if source in values:  # k is only known to retrieve
                data.setdefault(component, {})[socket] = values[source]
        # Haystack leaves out what another component took in, unless it is asked for.
        outputs: Mapping[str, Any] = self._pipeline.run(data, include_outputs_from=self._asked)
        return outputs


def _at(socket: Socket | None, outputs: Mapping[str, Any]) -> Any:
    return None if socket is None else outputs.get(socket.component, {}).get(socket.socket)


def _values(question: str, history: Sequence[Mapping[str, str]], metadata: Mapping[str, Any]) -> dict[str, Any]:
    turns = chat_messages(history)
    asked = chat_messages([{"role": "user", "content": question}])
    return {"question": question, "history": turns, "messages": [*turns, *asked], "metadata": dict(metadata)}


def _key(question: str, history: Sequence[Mapping[str, str]], metadata: Mapping[str, Any]) -> str:
    return json.dumps([question, [dict(turn) for turn in history], dict(metadata)], sort_keys=True, default=repr)


def _pipeline(target: str, base_dir: Path) -> Pipeline:
    found = load_target(target, base_dir)
    if not isinstance(found, Pipeline) and callable(found):
        found = found()
    if not isinstance(found, Pipeline):
        raise ConfigError(
            f"target {target!r}: expected a Haystack Pipeline, or a function without arguments that returns one; "
            f"got {type(found).__name__}"
        )
    return found
