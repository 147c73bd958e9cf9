"""From a pipeline's outputs to chunks and an answer."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from haystack import Document
from haystack.dataclasses import ChatMessage, GeneratedAnswer

from ragproof_core import AdapterError, Answer, Chunk, Usage


@dataclasses.dataclass(frozen=True, slots=True)
class Keys:
    """Keys of a document's ``meta``: of a chunk's id (``None``: the document's own) and of its document."""

    id: str | None
    document_id: str | None


def to_chunks(documents: Any, keys: Keys) -> tuple[Chunk, ...]:
    """Return the chunks in the documents' order; of an output that did not come (``None``), none.

    Raises:
        AdapterError: something is not a document, or has no id where the settings say.
    """
    if documents is None:
        return ()
    if not isinstance(documents, list):
        raise AdapterError(f"expected a list of documents, got {type(documents).__name__}")
    return tuple(_chunk(number, document, keys) for number, document in enumerate(documents))


def to_answer(replies: Any, context: tuple[Chunk, ...] | None, keys: Keys) -> Answer:
    """Return the first of the replies: texts, messages or generated answers.

    Raises:
        AdapterError: there is no reply, or it is nothing of these.
    """
    reply = replies[0] if isinstance(replies, list) and replies else replies
    if reply is None or reply == []:
        raise AdapterError("the pipeline gave no answer: the component did not run, or its output was empty")
    if isinstance(reply, GeneratedAnswer):
        chunks = to_chunks(reply.documents, keys) if reply.documents else context
        return Answer(answer_text=reply.data, retrieved_chunks=chunks, usage=_usage(reply.meta))
    if isinstance(reply, ChatMessage):
        return Answer(answer_text=reply.text or "", retrieved_chunks=context, usage=_usage(reply.meta))
    if not isinstance(reply, str):
        raise AdapterError(f"the answer is neither a text, a ChatMessage nor a GeneratedAnswer: {type(reply).__name__}")
    return Answer(answer_text=reply, retrieved_chunks=context)


def _chunk(number: int, document: Any, keys: Keys) -> Chunk:
    if not isinstance(document, Document):
        raise AdapterError(f"document {number}: expected a Document, got {type(document).__name__}")
    metadata = dict(document.meta)
    identifier = metadata.get(keys.id) if keys.id else document.id
    if identifier is None:
        present = ", ".join(metadata) or "nothing"
        raise AdapterError(f"document {number} has no {keys.id!r} in its meta, which has: {present}")
    if keys.document_id and metadata.get(keys.document_id) is not None:
        metadata["document_id"] = metadata[keys.document_id]
    score = None if document.score is None else float(document.score)  # numpy's numbers are not Python's
    return Chunk(id=str(identifier), text=document.content or "", score=score, metadata=metadata)


def _usage(meta: Mapping[str, Any]) -> Usage | None:
    told = meta.get("usage")
    if not isinstance(told, Mapping):
        return None
    return Usage(input_tokens=told.get("prompt_tokens"), output_tokens=told.get("completion_tokens"))
