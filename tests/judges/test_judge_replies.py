"""What every HTTP judge package sends and reads, against a real server on loopback."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from pydantic import ValidationError
from ragproof_http.testing import Scripted

from ragproof_core.errors import ConfigError, JudgeError
from ragproof_core.models.judging import JudgeReply, TokenUsage

VERDICT = '{"verdict": "relevant"}'


def test_a_request_and_its_reply(server, dialect, make, request_for):
    server.script(dialect.reply(VERDICT))
    reply = make().complete(request_for("Größe?"))
    assert reply == JudgeReply(VERDICT, usage=TokenUsage(11, 7), finish_reason="stop", notes=())
    sent = server.requests[0]
    assert (sent.method, sent.path) == ("POST", dialect.path)
    assert sent.headers[dialect.key_header] == dialect.key_value
    body = sent.json
    assert (body["model"], body["max_tokens"], body["temperature"]) == ("m-1", 64, 0.0)
    assert dialect.user_text(body) == "Größe?"
    assert dialect.system_text(body) == "You judge."
    assert '"additionalProperties":false' in sent.body.decode()


def test_usage_may_be_missing(server, dialect, make, request_for):
    server.script(dialect.reply(VERDICT, usage=None))
    assert make().complete(request_for()).usage is None


@pytest.mark.parametrize("usage", [("a", 1), (-1, 2), (None, None), (True, 3)])
def test_usage_that_is_no_count_is_left_out(server, dialect, make, request_for, usage):
    server.script(dialect.reply(VERDICT, usage=usage))
    assert make().complete(request_for()).usage is None


@pytest.mark.parametrize("text", ["not JSON at all", f"```json\n{VERDICT}\n```", "<think>{}</think>" + VERDICT])
def test_the_text_is_handed_on_word_for_word(server, dialect, make, request_for, text):
    server.script(dialect.reply(text))
    assert make().complete(request_for()).text == text


@pytest.mark.parametrize("text", ['{"verdict": "rel', "", None])
def test_truncation_is_passed_on_as_length(server, dialect, make, request_for, text):
    server.script(dialect.reply(text, cut=True))
    reply = make().complete(request_for())
    assert (reply.text, reply.finish_reason) == (text or "", "length")


@pytest.mark.parametrize("text", ["", None, " \n"])
def test_an_empty_reply_is_an_error(server, dialect, make, request_for, text):
    server.script(dialect.reply(text))
    with pytest.raises(JudgeError, match=rf"judge {dialect.name} \(m-1\): the reply has no text"):
        make().complete(request_for())


@pytest.mark.parametrize("data", [{}, [], "text", None, {"choices": []}, {"choices": [7]}, {"content": "x"}])
def test_json_that_is_no_reply_is_an_error(server, dialect, make, request_for, data):
    server.script(Scripted(json=data))
    with pytest.raises(JudgeError, match=r"the reply is no .*check judge.base_url"):
        make().complete(request_for())


def test_64_calls_in_flight_get_their_own_replies(server, dialect, make, request_for):
    def answer(request):
        scripted = dialect.reply(dialect.user_text(request.json))
        return Scripted(json=scripted.json, delay=0.05)

    server.answer = answer
    judge = make()
    with ThreadPoolExecutor(64) as threads:
        texts = list(threads.map(lambda n: judge.complete(request_for(f"case {n}")).text, range(256)))
    assert texts == [f"case {n}" for n in range(256)]


def test_extra_fields_and_headers_are_sent_and_win(server, dialect, make, request_for):
    server.script(dialect.reply(VERDICT))
    make(extra_body={"seed": 7, "temperature": 1}, headers={"x-gateway": "abcdef"}).complete(request_for())
    sent = server.requests[0]
    assert (sent.json["seed"], sent.json["temperature"], sent.headers["x-gateway"]) == (7, 1, "abcdef")


def test_a_system_text_is_optional(server, dialect, make, request_for):
    server.script(dialect.reply(VERDICT))
    make().complete(request_for(system=""))
    body = server.requests[0].json
    assert "system" not in body
    assert [message["role"] for message in body["messages"]] == ["user"]


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({}, "model"),
        ({"model": " "}, "model"),
        ({"model": "m", "base_url": "localhost:8000"}, "base_url"),
        ({"model": "m", "api_key": "sk-secret\nkey"}, "api_key"),
        ({"model": "m", "timeout_seconds": 0}, "timeout_seconds"),
        ({"model": "m", "modle": "x"}, "modle"),
    ],
)
def test_a_wrong_setting_is_refused_by_name_and_without_its_value(dialect, settings, field):
    with pytest.raises(ValidationError) as caught:
        dialect.judge.Settings.model_validate(settings)
    assert [error["loc"] for error in caught.value.errors()] == [(field,)]
    assert "sk-secret" not in str(caught.value) + repr(caught.value)


def test_the_key_shows_in_no_representation(dialect, make, key):
    judge = make()
    settings = dialect.judge.Settings(model="m", api_key=key, headers={"x": key})
    assert key not in repr(judge) + repr(settings) + settings.model_dump_json() + str(vars(judge)["_endpoint"])


def test_no_key_is_a_configuration_error_that_names_the_variable(dialect, monkeypatch):
    variable = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}[dialect.name]
    monkeypatch.delenv(variable, raising=False)
    with pytest.raises(ConfigError, match=f"no API key; set {variable}"):
        dialect.judge(dialect.judge.Settings(model="m"))
    monkeypatch.setenv(variable, "sk-from-environment\n")
    dialect.judge(dialect.judge.Settings(model="m")).close()


def test_the_variables_key_is_not_sent_to_another_host(server, dialect, make, request_for, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-for-you")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-not-for-you")
    server.script(dialect.reply(VERDICT))
    make(api_key=None).complete(request_for())
    assert "sk-not-for-you" not in str(server.requests[0].headers)
