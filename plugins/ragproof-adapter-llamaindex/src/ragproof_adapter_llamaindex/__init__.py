"""Adapter ``llamaindex``: LlamaIndex retrievers, query engines and chat engines."""

from ragproof_adapter_llamaindex.adapter import LlamaIndex

__all__ = ["LlamaIndex"]
