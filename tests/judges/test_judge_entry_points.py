"""The kernel finds, builds and closes each HTTP judge by the name a user types."""

import pytest
from ragproof_http.testing import Scripted, ScriptedServer

from ragproof_core.errors import ConfigError
from ragproof_core.models.judging import JudgeRequest
from ragproof_core.plugins.catalog import find, scan
from ragproof_core.plugins.component import build

KEY = "sk-test-0123456789abcdef"
NAMES = ["openai", "openrouter", "ollama", "llama-server", "vllm", "anthropic"]


def built(name, section, folder):
    return build(find(scan(), "judge", name), section, "judge", folder)


@pytest.mark.parametrize("name", NAMES)
def test_a_judge_is_one_config_line_away_from_another(name, tmp_path, monkeypatch):
    monkeypatch.setenv("MY_KEY", KEY)
    chat = {"choices": [{"message": {"content": "{}"}, "finish_reason": "stop"}]}
    message = {"content": [{"type": "text", "text": "{}"}], "stop_reason": "end_turn"}
    with ScriptedServer(lambda _: Scripted(json={**chat, **message})) as server:
        section = {"model": "m", "base_url": f"{server.url}/v1", "api_key": "env:MY_KEY"}
        judge = built(name, section, tmp_path)
        assert judge.hooks == {"complete", "close"}
        assert judge.max_concurrency is None
        reply = judge.call("complete", request=JudgeRequest("s", "u", {"type": "object"}, "x", 8))
        judge.close()
        assert KEY in str(server.requests[0].headers)
    assert (reply.text, reply.finish_reason) == ("{}", "stop")
    assert KEY in judge.secrets
    assert KEY not in str(judge.identity)
    assert judge.identity["base_url"].startswith("http://127.0.0.1:")


@pytest.mark.parametrize("name", NAMES)
def test_judges_of_one_model_at_two_addresses_are_two_judges(name, tmp_path):
    here, there = (
        built(name, {"model": "m", "base_url": url, "api_key": KEY}, tmp_path) for url in ("http://a/v1", "http://b/v1")
    )
    assert here.identity != there.identity
    here.close()
    there.close()


@pytest.mark.parametrize("name", NAMES)
def test_a_wrong_section_names_the_setting_and_not_the_value(name, tmp_path):
    section = {"base_url": "nonsense", "api_key": "sk-schlüssel", "modle": "m"}
    with pytest.raises(ConfigError) as caught:
        built(name, section, tmp_path)
    lines = str(caught.value).splitlines()
    assert sorted(line.split(":")[0] for line in lines) == [
        "judge.api_key", "judge.base_url", "judge.model", "judge.modle",
    ]  # fmt: skip
    assert "sk-schlüssel" not in str(caught.value)
