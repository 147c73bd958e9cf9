"""From LangChain documents to chunks."""

from __future__ import annotations

import dataclasses
from typing import Any

from langchain_core.documents import Document

from ragproof_core import AdapterError, Chunk


@dataclasses.dataclass(frozen=True, slots=True)
class Keys:
    """Metadata keys of a chunk's id (``None``: the document's own), of its document's id, and of its score."""

    id: str | None
    document_id: str | None
    score: str


def to_chunks(documents: Any, keys: Keys) -> list[Chunk]:
    """Return the chunks in the documents' order.

    Raises:
        AdapterError: something is not a document, or has no id where the settings say.
    """
    if not isinstance(documents, (list, tuple)):
        raise AdapterError(f"expected a list of documents, got {type(documents).__name__}")
    return [_chunk(number, document, keys) for number, document in enumerate(documents)]


def _chunk(number: int, document: Any, keys: Keys) -> Chunk:
    if not isinstance(document, Document):
        raise AdapterError(f"document {number}: expected a Document, got {type(document).__name__}")
    metadata = dict(document.metadata)
    identifier = metadata.get(keys.id) if keys.id else document.id
    if identifier is None:
        lacks = f"no {keys.id!r} in its metadata" if keys.id else "no id; name its metadata key in the setting `id_key`"
        present = ", ".join(map(str, metadata)) or "nothing"
        raise AdapterError(f"document {number} has {lacks}; its metadata has: {present}")
    if keys.document_id and metadata.get(keys.document_id) is not None:
        metadata["document_id"] = metadata[keys.document_id]
    score = metadata.get(keys.score)
    return Chunk(
        id=str(identifier),
        text=document.page_content,
        score=None if score is None else float(score),  # numpy's numbers are not Python's
        metadata=metadata,
    )
