"""The kernel's standard tests; the presets differ in their default address alone, so one of them is enough daily."""

import pytest
from ragproof_judge_openai import VLLM, LlamaServer, Ollama, OpenAI, OpenRouter

from ragproof_core.testing import JudgeConformance


class ChatCompletions(JudgeConformance):
    preset = OpenAI

    @pytest.fixture
    def make_judge(self):
        def make(*, url, **settings):
            return self.preset(self.preset.Settings(base_url=f"{url}/v1", max_retries=1, **settings))

        return make


class TestOpenAI(ChatCompletions):
    entry_point = "openai"


@pytest.mark.slow
class TestOpenRouter(ChatCompletions):
    entry_point = "openrouter"
    preset = OpenRouter


@pytest.mark.slow
class TestOllama(ChatCompletions):
    entry_point = "ollama"
    preset = Ollama


@pytest.mark.slow
class TestLlamaServer(ChatCompletions):
    entry_point = "llama-server"
    preset = LlamaServer


@pytest.mark.slow
class TestVLLM(ChatCompletions):
    entry_point = "vllm"
    preset = VLLM
