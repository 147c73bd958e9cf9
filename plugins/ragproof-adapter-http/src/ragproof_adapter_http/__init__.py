"""Adapter ``http``: a RAG service behind HTTP, described in the config."""

from ragproof_adapter_http.adapter import HTTP

__all__ = ["HTTP"]
