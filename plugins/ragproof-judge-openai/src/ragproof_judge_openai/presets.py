"""The entry points: one class for each kind of endpoint, alike but for the default address and the key."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from ragproof_judge_openai.judge import ChatCompletionsJudge
from ragproof_judge_openai.settings import BaseURL, ChatSettings


class OpenAI(ChatCompletionsJudge):
    """OpenAI, or any other endpoint given by ``base_url``."""

    name: ClassVar[str] = "openai"
    key_variable: ClassVar[str | None] = "OPENAI_API_KEY"
    Settings: ClassVar[type[ChatSettings]] = ChatSettings


class OpenRouter(ChatCompletionsJudge):
    """OpenRouter."""

    name: ClassVar[str] = "openrouter"
    key_variable: ClassVar[str | None] = "OPENROUTER_API_KEY"

    class Settings(ChatSettings):
        """The same settings with OpenRouter's address."""

        base_url: BaseURL = Field("https://openrouter.ai/api/v1", description="Address of OpenRouter's API")


class Ollama(ChatCompletionsJudge):
    """A local Ollama server."""

    name: ClassVar[str] = "ollama"

    class Settings(ChatSettings):
        """The same settings with Ollama's usual address."""

        base_url: BaseURL = Field("http://localhost:11434/v1", description="Address of the Ollama server")


class LlamaServer(ChatCompletionsJudge):
    """A local llama.cpp server (``llama-server``)."""

    name: ClassVar[str] = "llama-server"

    class Settings(ChatSettings):
        """The same settings with the server's usual address."""

        base_url: BaseURL = Field("http://localhost:8080/v1", description="Address of the llama.cpp server")


class VLLM(ChatCompletionsJudge):
    """A vLLM server."""

    name: ClassVar[str] = "vllm"

    class Settings(ChatSettings):
        """The same settings with the server's usual address."""

        base_url: BaseURL = Field("http://localhost:8000/v1", description="Address of the vLLM server")
