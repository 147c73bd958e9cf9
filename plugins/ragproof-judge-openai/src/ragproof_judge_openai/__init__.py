"""Judges over OpenAI-compatible chat-completions endpoints."""

from ragproof_judge_openai.presets import VLLM, LlamaServer, Ollama, OpenAI, OpenRouter

__all__ = ["VLLM", "LlamaServer", "Ollama", "OpenAI", "OpenRouter"]
