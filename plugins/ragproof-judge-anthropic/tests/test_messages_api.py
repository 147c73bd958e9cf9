"""What is special to the Messages API."""

from importlib.metadata import entry_points

import pytest
from pydantic import BaseModel
from ragproof_http.testing import Scripted, ScriptedServer
from ragproof_judge_anthropic import Anthropic

from ragproof_core.errors import JudgeError
from ragproof_core.models.judging import JudgeRequest, TokenUsage


class Verdict(BaseModel):
    verdict: str


VERDICT = '{"verdict": "relevant"}'
REQUEST = JudgeRequest("You judge.", "Well?", Verdict.model_json_schema(), "relevance", 64)


@pytest.fixture
def server():
    with ScriptedServer() as running:
        yield running


@pytest.fixture
def make(server):
    made = []

    def build(**settings):
        section = {"model": "m", "base_url": server.url, "api_key": "sk-ant-0123456789", **settings}
        made.append(Anthropic(Anthropic.Settings.model_validate(section)))
        return made[-1]

    yield build
    for judge in made:
        judge.close()


def message(*blocks, stop_reason="end_turn", usage=None):
    return Scripted(json={"type": "message", "content": list(blocks), "stop_reason": stop_reason, "usage": usage})


def text(value):
    return {"type": "text", "text": value}


def error(status, kind, words):
    return Scripted(status, json={"type": "error", "error": {"type": kind, "message": words}})


def test_it_is_an_entry_point():
    assert entry_points(group="ragproof.judges", name="anthropic")["anthropic"].load() is Anthropic


def test_a_request_as_the_api_wants_it(server, make):
    server.script(message(text(VERDICT)))
    make().complete(REQUEST)
    sent = server.requests[0]
    assert sent.path == "/v1/messages"
    assert (sent.headers["x-api-key"], sent.headers["anthropic-version"]) == ("sk-ant-0123456789", "2023-06-01")
    assert sent.json == {
        "model": "m",
        "max_tokens": 64,
        "temperature": 0.0,
        "system": "You judge.",
        "messages": [{"role": "user", "content": "Well?"}],
        "output_config": {
            "format": {
                "type": "json_schema",
                "schema": {
                    "type": "object",
                    "properties": {"verdict": {"type": "string"}},
                    "required": ["verdict"],
                    "additionalProperties": False,
                },
            }
        },
    }


@pytest.mark.parametrize("tail", ["", "/", "/v1", "/v1/messages"])
def test_an_address_is_taken_as_people_paste_it(tail):
    assert Anthropic.Settings(model="m", base_url=f"https://h{tail}").base_url == "https://h"


def test_json_by_prompt_alone(server, make):
    server.script(message(text(VERDICT)))
    make(response_format="none").complete(REQUEST)
    assert "output_config" not in server.requests[0].json
    assert "fit this JSON schema" in server.requests[0].json["system"]


def test_thinking_blocks_are_left_out_and_text_blocks_joined(server, make):
    thinking = {"type": "thinking", "thinking": '{"verdict": "no"}', "signature": "x"}
    server.script(message(thinking, text('{"verdict": '), text('"yes"}')))
    assert make().complete(REQUEST).text == '{"verdict": "yes"}'


@pytest.mark.parametrize(
    ("stop_reason", "finish_reason"),
    [
        ("end_turn", "stop"),
        ("stop_sequence", "stop"),
        ("max_tokens", "length"),
        ("model_context_window_exceeded", "length"),
        ("pause_turn", "pause_turn"),
        (None, None),
    ],
)
def test_stop_reasons(server, make, stop_reason, finish_reason):
    server.script(message(text(VERDICT), stop_reason=stop_reason))
    assert make().complete(REQUEST).finish_reason == finish_reason


def test_tokens_of_the_prompt_cache_count_as_input(server, make):
    usage = {"input_tokens": 5, "cache_creation_input_tokens": 20, "cache_read_input_tokens": 100, "output_tokens": 7}
    server.script(message(text(VERDICT), usage=usage))
    assert make().complete(REQUEST).usage == TokenUsage(125, 7)  # 5 + 20 + 100


def test_a_refusal_to_judge_is_an_error(server, make):
    server.script(message(text("No."), stop_reason="refusal"))
    with pytest.raises(JudgeError, match=r"judge anthropic \(m\): the model declined to judge: No\."):
        make().complete(REQUEST)


def test_an_error_in_the_body_of_a_200_is_retried_by_its_type(server, make):
    server.script(error(200, "overloaded_error", "Overloaded"), message(text(VERDICT)))
    assert make().complete(REQUEST).text == VERDICT


def test_an_empty_purse_is_said_as_such(server, make):
    server.script(error(400, "invalid_request_error", "Your credit balance is too low to access the API."))
    with pytest.raises(JudgeError, match="no credit or quota left: Your credit balance is too low"):
        make().complete(REQUEST)


def test_a_missing_model_is_named_by_nothing_but_its_name(server, make):
    server.script(error(404, "not_found_error", "model: m"))
    with pytest.raises(JudgeError, match=r"does not know the model 'm' \(404: model: m\); check judge\.model"):
        make().complete(REQUEST)


@pytest.mark.parametrize(
    "words",
    [
        "output_config: Extra inputs are not permitted",
        "output_config.format.schema: For 'object' type, 'additionalProperties' must be false",
        "This model does not support structured outputs.",
    ],
)
def test_a_refused_schema_in_several_words(server, make, words):
    server.answer = lambda request: (
        error(400, "invalid_request_error", words) if "output_config" in request.json else message(text(VERDICT))
    )
    assert make().complete(REQUEST).notes == ("no JSON schema sent: the model refuses it",)
