"""From LlamaIndex nodes to chunks."""

from __future__ import annotations

from collections.abc import Iterable

from llama_index.core.schema import NodeWithScore

from ragproof_core import AdapterError, Chunk


def to_chunks(nodes: Iterable[NodeWithScore], id_key: str | None, document_id_key: str | None) -> list[Chunk]:
    """Return the chunks in the nodes' order.

    Without ``id_key`` a chunk's id is the node's; without ``document_id_key`` its document is the one that the node
    was split from, when the node tells.

    Raises:
        AdapterError: a node's metadata has no ``id_key``.
    """
    return [_chunk(number, node, id_key, document_id_key) for number, node in enumerate(nodes)]


def _chunk(number: int, found: NodeWithScore, id_key: str | None, document_id_key: str | None) -> Chunk:
    metadata = dict(found.node.metadata)
    identifier = metadata.get(id_key) if id_key else found.node.node_id
    if identifier is None:
        present = ", ".join(metadata) or "nothing"
        raise AdapterError(f"node {number} has no {id_key!r} in its metadata, which has: {present}")
    document = metadata.get(document_id_key) if document_id_key else found.node.ref_doc_id
    if document is not None:
        metadata["document_id"] = document
    return Chunk(
        id=str(identifier),
        text=found.node.get_content(),
        score=None if found.score is None else float(found.score),  # numpy's numbers are not Python's
        metadata=metadata,
    )
