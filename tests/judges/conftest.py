"""Each HTTP judge package in its own wording: one suite runs against all of them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from ragproof_http import forget_refused_parameters
from ragproof_http.testing import Scripted, ScriptedServer
from ragproof_judge_anthropic import Anthropic
from ragproof_judge_openai import OpenAI

from ragproof_core.models.judging import JudgeRequest

KEY = "sk-test-0123456789abcdef"


@dataclass(frozen=True)
class Dialect:
    """How one provider writes requests and replies."""

    name: str
    judge: type[Any]
    path: str
    base_path: str
    key_header: str
    key_value: str
    schema_field: str
    reply: Callable[..., Scripted]
    user_text: Callable[[Mapping[str, Any]], str]
    system_text: Callable[[Mapping[str, Any]], str]

    def refusal(self, status: int, message: str, **headers: str) -> Scripted:
        kind = {401: "authentication_error", 404: "not_found_error"}.get(status, "invalid_request_error")
        return Scripted(status, json={"type": "error", "error": {"type": kind, "message": message}}, headers=headers)


def _chat(text: Any, *, cut: bool = False, usage: tuple[int, int] | None = (11, 7), **more: Any) -> Scripted:
    data: dict[str, Any] = {
        "choices": [{"message": {"content": text, **more}, "finish_reason": "length" if cut else "stop"}]
    }
    if usage:
        data["usage"] = {"prompt_tokens": usage[0], "completion_tokens": usage[1]}
    return Scripted(json=data)


def _message(text: Any, *, cut: bool = False, usage: tuple[int, int] | None = (11, 7), **more: Any) -> Scripted:
    data: dict[str, Any] = {
        "type": "message",
        "content": [{"type": "text", "text": text}] if text is not None else [],
        "stop_reason": "max_tokens" if cut else "end_turn",
        **more,
    }
    if usage:
        data["usage"] = {"input_tokens": usage[0], "output_tokens": usage[1]}
    return Scripted(json=data)


DIALECTS = [
    Dialect(
        "openai", OpenAI, "/v1/chat/completions", "/v1", "authorization", f"Bearer {KEY}", "response_format", _chat,
        user_text=lambda body: body["messages"][-1]["content"],
        system_text=lambda body: body["messages"][0]["content"],
    ),
    Dialect(
        "anthropic", Anthropic, "/v1/messages", "", "x-api-key", KEY, "output_config", _message,
        user_text=lambda body: body["messages"][0]["content"],
        system_text=lambda body: body["system"],
    ),
]  # fmt: skip


@pytest.fixture(params=DIALECTS, ids=lambda dialect: dialect.name)
def dialect(request: pytest.FixtureRequest) -> Dialect:
    return request.param


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as running:
        yield running


@pytest.fixture
def make(dialect: Dialect, server: ScriptedServer) -> Iterator[Callable[..., Any]]:
    """Make a judge of the dialect that asks the server; closed at the end."""
    made = []

    def build(**settings: Any) -> Any:
        section = {"model": "m-1", "base_url": server.url + dialect.base_path, "api_key": KEY, **settings}
        judge = dialect.judge(dialect.judge.Settings.model_validate(section))
        made.append(judge)
        return judge

    yield build
    for judge in made:
        judge.close()


@pytest.fixture
def request_for() -> Callable[..., JudgeRequest]:
    schema = {
        "type": "object",
        "properties": {"verdict": {"type": "string", "enum": ["relevant", "partial", "irrelevant"]}},
        "required": ["verdict"],
    }

    def build(user: str = "Is it relevant?", **changes: Any) -> JudgeRequest:
        values = {"system": "You judge.", "user": user, "schema": schema, "schema_name": "relevance", "max_tokens": 64}
        return JudgeRequest(**{**values, **changes})

    return build


@pytest.fixture
def key() -> str:
    return KEY


@pytest.fixture(autouse=True)
def no_memory_of_other_servers():
    forget_refused_parameters()
