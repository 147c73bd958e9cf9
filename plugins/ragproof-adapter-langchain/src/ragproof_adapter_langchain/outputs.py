"""From a chain's output to an answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langchain_core.documents import Document
from langchain_core.messages import AIMessage, BaseMessage

from ragproof_adapter_langchain.documents import Keys, to_chunks
from ragproof_core import AdapterError, Answer, Usage


def to_answer(output: Any, answer_key: str, documents_key: str, keys: Keys) -> Answer:
    """Return the answer in a chain's output: a text, a message, or a mapping with either and documents.

    Of a list of messages, as graphs keep it, the last one is the answer.

    Raises:
        AdapterError: no answer is found; the message says what the output was.
    """
    chunks = None
    if isinstance(output, Mapping):
        if answer_key not in output:
            raise AdapterError(
                f"the chain's output has no {answer_key!r}, which the setting `answer_key` names; "
                f"it has: {', '.join(map(str, output)) or 'nothing'}"
            )
        documents = output.get(documents_key)
        if isinstance(documents, (list, tuple)) and all(isinstance(each, Document) for each in documents):
            chunks = tuple(to_chunks(documents, keys))
        output = output[answer_key]
    if isinstance(output, list) and output and isinstance(output[-1], BaseMessage):
        output = output[-1]
    if isinstance(output, BaseMessage):
        return Answer(answer_text=str(output.text), retrieved_chunks=chunks, usage=_usage(output))
    if not isinstance(output, str):
        raise AdapterError(f"the chain's answer is neither a text nor a message: {type(output).__name__}")
    return Answer(answer_text=output, retrieved_chunks=chunks)


def _usage(message: BaseMessage) -> Usage | None:
    told = message.usage_metadata if isinstance(message, AIMessage) else None
    return Usage(input_tokens=told["input_tokens"], output_tokens=told["output_tokens"]) if told else None
