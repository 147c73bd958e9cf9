"""Adapter ``langchain``: LangChain retrievers, chains and graphs."""

from ragproof_adapter_langchain.adapter import LangChain

__all__ = ["LangChain"]
