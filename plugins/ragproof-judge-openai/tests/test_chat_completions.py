"""What is special to chat completions: presets, steps down from the JSON schema, odd replies."""

from importlib.metadata import entry_points

import pytest
from pydantic import BaseModel
from ragproof_http.testing import Scripted, ScriptedServer
from ragproof_judge_openai import VLLM, LlamaServer, Ollama, OpenAI, OpenRouter

from ragproof_core.errors import ConfigError, JudgeError
from ragproof_core.models.judging import JudgeRequest


class Verdict(BaseModel):
    verdict: str


class Open(BaseModel):
    labels: dict[str, str]


VERDICT = '{"verdict": "relevant"}'
REQUEST = JudgeRequest("You judge.", "Well?", Verdict.model_json_schema(), "relevance", 64)


@pytest.fixture
def server():
    with ScriptedServer() as running:
        yield running


@pytest.fixture
def make(server):
    made = []

    def build(kind=OpenAI, **settings):
        section = {"model": "m", "base_url": f"{server.url}/v1", **settings}
        made.append(kind(kind.Settings.model_validate(section)))
        return made[-1]

    yield build
    for judge in made:
        judge.close()


def completion(finish_reason="stop", **message):
    return Scripted(json={"choices": [{"message": message, "finish_reason": finish_reason}]})


def error(status, message, **fields):
    return Scripted(status, json={"error": {"message": message, **fields}})


@pytest.mark.parametrize(
    ("name", "kind", "base_url"),
    [
        ("openai", OpenAI, "https://api.openai.com/v1"),
        ("openrouter", OpenRouter, "https://openrouter.ai/api/v1"),
        ("ollama", Ollama, "http://localhost:11434/v1"),
        ("llama-server", LlamaServer, "http://localhost:8080/v1"),
        ("vllm", VLLM, "http://localhost:8000/v1"),
    ],
)
def test_each_preset_is_an_entry_point_with_its_own_address(name, kind, base_url):
    assert entry_points(group="ragproof.judges", name=name)[name].load() is kind
    assert kind.Settings(model="m").base_url == base_url
    assert kind.api_version == 1


@pytest.mark.parametrize(
    ("given", "used"),
    [
        ("http://h:1/v1/", "http://h:1/v1"),
        ("http://h:1/v1/chat/completions", "http://h:1/v1"),
        (" https://h/openai/v1?api-version=1 ", "https://h/openai/v1?api-version=1"),
    ],
)
def test_an_address_is_taken_as_people_paste_it(given, used):
    assert OpenAI.Settings(model="m", base_url=given).base_url == used


def test_openrouter_without_a_key_names_its_variable(monkeypatch):
    monkeypatch.delenv("OPENROUTER_API_KEY", raising=False)
    with pytest.raises(ConfigError, match="judge openrouter: no API key; set OPENROUTER_API_KEY"):
        OpenRouter(OpenRouter.Settings(model="m"))


@pytest.mark.parametrize("kind", [Ollama, LlamaServer, VLLM])
def test_local_servers_need_no_key(kind, server, make):
    server.script(completion(content=VERDICT))
    make(kind).complete(REQUEST)
    assert "authorization" not in server.requests[0].headers


def test_the_reply_schema_is_sent_in_strict_form(server, make):
    server.script(completion(content=VERDICT))
    make().complete(REQUEST)
    assert server.requests[0].json["response_format"] == {
        "type": "json_schema",
        "json_schema": {
            "name": "relevance",
            "strict": True,
            "schema": {
                "type": "object",
                "properties": {"verdict": {"type": "string"}},
                "required": ["verdict"],
                "additionalProperties": False,
            },
        },
    }


@pytest.mark.parametrize(
    "refusals",
    [
        {"json_schema": error(400, "This response_format type is unavailable now"), "json_object": None},
        {"json_schema": error(422, "invalid value: `json_schema`", param="response_format.type"), "json_object": None},
        {"json_schema": error(400, "Failed to parse grammar"), "json_object": error(400, "no JSON mode here")},
    ],
)
def test_the_response_format_steps_down_once(server, make, refusals):
    def answer(request):
        kind = request.json.get("response_format", {}).get("type")
        return refusals.get(kind) or completion(content=VERDICT)

    server.answer = answer
    judge = make()
    for _ in range(2):
        assert judge.complete(REQUEST).text == VERDICT
    refused = [kind for kind, refusal in refusals.items() if refusal]
    assert len(server.requests) == 2 + len(refused)
    last = server.requests[-1].json
    assert last.get("response_format", {}).get("type") == (None if len(refused) == 2 else "json_object")
    assert "fit this JSON schema" in last["messages"][0]["content"]


def test_a_schema_that_strict_mode_cannot_say_goes_into_the_prompt(server, make):
    server.script(completion(content="{}"))
    request = JudgeRequest("", "Well?", Open.model_json_schema(), "open", 64)
    assert make().complete(request).notes == ()
    body = server.requests[0].json
    assert body["response_format"] == {"type": "json_object"}
    assert "labels" in body["messages"][0]["content"]


@pytest.mark.parametrize("wanted", ["json_object", "none"])
def test_the_response_format_can_be_set(server, make, wanted):
    server.script(completion(content=VERDICT))
    make(response_format=wanted).complete(REQUEST)
    assert server.requests[0].json.get("response_format") == (None if wanted == "none" else {"type": wanted})


def test_max_completion_tokens_takes_the_place_of_max_tokens(server, make):
    refusal = error(
        400,
        "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead.",
        param="max_tokens",
    )
    server.answer = lambda request: refusal if "max_tokens" in request.json else completion(content=VERDICT)
    judge = make()
    notes = [judge.complete(REQUEST).notes for _ in range(2)]
    assert notes == [("max_completion_tokens sent for max_tokens, which the model refuses",)] * 2
    assert [request.json.get("max_completion_tokens") for request in server.requests] == [None, 64, 64]


def test_a_limit_that_is_too_large_is_an_error_and_stays(server, make):
    server.script(error(400, "max_tokens is too large: 64. This model supports at most 32.", param="max_tokens"))
    with pytest.raises(JudgeError, match=r"\(400\): max_tokens is too large"):
        make().complete(REQUEST)
    assert len(server.requests) == 1


def test_a_refusal_to_judge_is_an_error(server, make):
    server.script(completion(content=None, refusal="I cannot\nhelp with that."))
    with pytest.raises(JudgeError, match=r"judge openai \(m\): the model declined to judge: I cannot help with that\."):
        make().complete(REQUEST)


def test_a_content_filter_is_an_error(server, make):
    server.script(completion(content=None, finish_reason="content_filter"))
    with pytest.raises(JudgeError, match="content filter withheld the reply"):
        make().complete(REQUEST)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ([{"type": "text", "text": '{"verdict": '}, {"type": "text", "text": '"x"}'}], '{"verdict": "x"}'),
        ([{"type": "reasoning", "text": "hm"}, {"type": "text", "text": VERDICT}], VERDICT),
        ([{"text": VERDICT}], VERDICT),
    ],
)
def test_content_may_come_in_parts(server, make, content, text):
    server.script(completion(content=content))
    assert make().complete(REQUEST).text == text


def test_reasoning_beside_an_answer_is_left_out(server, make):
    server.script(completion(content=VERDICT, reasoning_content='{"verdict": "irrelevant"}'))
    assert make().complete(REQUEST).text == VERDICT


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_an_answer_filed_under_reasoning_is_taken_when_it_is_nothing_but_the_object(server, make, field):
    server.script(completion(content=None, **{field: VERDICT}))
    reply = make().complete(REQUEST)
    assert (reply.text, reply.notes) == (VERDICT, ("the reply came as reasoning content",))


@pytest.mark.parametrize("content", [None, ""])
def test_reasoning_alone_is_not_an_answer(server, make, content):
    server.script(completion(content=content, reasoning_content=f"Maybe {VERDICT}? Or not."))
    with pytest.raises(JudgeError, match="only reasoning and no answer"):
        make().complete(REQUEST)


def test_reasoning_that_used_up_the_tokens_is_a_truncated_reply(server, make):
    server.script(completion(content=None, reasoning_content="Let me", finish_reason="length"))
    assert make().complete(REQUEST).finish_reason == "length"


@pytest.mark.parametrize("code", [429, 502])
def test_a_failure_in_the_body_of_a_200_is_retried(server, make, code):
    server.script(
        Scripted(json={"error": {"message": "Provider returned error", "code": code}}), completion(content=VERDICT)
    )
    assert make().complete(REQUEST).text == VERDICT
    assert len(server.requests) == 2


@pytest.mark.parametrize("failure", ["Unexpected endpoint or method", {"message": "Unexpected endpoint or method"}])
def test_an_error_in_the_body_of_a_200_is_an_error(server, make, failure):
    server.script(Scripted(json={"error": failure}))
    with pytest.raises(JudgeError, match=r"\(400\): Unexpected endpoint or method"):
        make().complete(REQUEST)
    assert len(server.requests) == 1


def test_a_used_up_quota_is_not_waited_for(server, make):
    server.script(error(429, "You exceeded your current quota", type="insufficient_quota", code="insufficient_quota"))
    with pytest.raises(JudgeError, match="no credit or quota left: You exceeded your current quota; check its plan"):
        make().complete(REQUEST)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "refusal",
    [
        error(404, 'model "m" not found, try pulling it first', type="api_error"),
        error(400, "m is not a valid model ID", code=400),
        error(404, "The model `m` does not exist or you do not have access to it.", code="model_not_found"),
        Scripted(404, json={"object": "error", "message": "The model `m` does not exist.", "code": 404}),
    ],
)
def test_a_missing_model_in_several_servers_words(server, make, refusal):
    server.script(refusal)
    with pytest.raises(JudgeError, match=r"does not know the model 'm' .*check judge\.model"):
        make().complete(REQUEST)
