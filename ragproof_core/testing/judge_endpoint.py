"""The judge suite's endpoint: fixtures, and how the provider words a reply and a refusal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Literal, Protocol

import pytest

from ragproof_core.errors import JudgeError
from ragproof_core.judging.bench import JudgeBench
from ragproof_core.models.judging import JudgeReply, JudgeRequest, Prompt, Reply
from ragproof_core.plugins.component import Component
from ragproof_core.testing.checking import fail, require, shown, within
from ragproof_core.testing.conformance import Conformance
from ragproof_core.testing.scripted_server import Received, Scripted, ScriptedServer

KEY = "sk-conformance-0123456789abcdef"
MODEL = "conformance-model"
VERDICT = '{"verdict": "relevant"}'
MAX_TOKENS = 64

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"verdict": {"type": "string", "enum": ["relevant", "partial", "irrelevant"]}},
    "required": ["verdict"],
}


class Relevance(Reply):
    """The verdict that the suite asks for."""

    verdict: Literal["relevant", "partial", "irrelevant"]


PROMPT = Prompt("verdict", "ragproof_core.testing", Relevance, lambda reply, _: float(reply.verdict == "relevant"))


class MakeJudge(Protocol):
    """Builds the judge against an endpoint."""

    def __call__(self, *, url: str, api_key: str, model: str, timeout_seconds: float) -> Any:
        """Return the built component; it should try again once at most, so that the suite is quick."""
        ...


class JudgeEndpoint(Conformance):
    """The fixtures of the judge suite, and the provider's wording, which a subclass may override."""

    role: ClassVar[str] = "judge"
    over_http: bool = True
    timeout_seconds: float = 1.0
    patience_seconds: float = 30.0

    @pytest.fixture
    def make_judge(self) -> MakeJudge:
        """Return how to build the judge; every subclass has its own."""
        fail(f"{type(self).__qualname__} needs a fixture 'make_judge' that returns a function which builds the judge")

    @pytest.fixture
    def server(self) -> Iterator[ScriptedServer]:
        """Yield a loopback server that gives the verdict ``relevant`` until a test scripts it otherwise."""
        with ScriptedServer(lambda _: self.reply(VERDICT)) as running:
            yield running

    @pytest.fixture
    def instance(self, make_judge: MakeJudge, server: ScriptedServer) -> object:
        """Return the component under test, pointed to the server."""
        return make_judge(url=server.url, api_key=KEY, model=MODEL, timeout_seconds=self.timeout_seconds)

    @pytest.fixture
    def judge(self, component: Component) -> Iterator[Component]:
        """Yield the judge behind its hooks; closed at the end."""
        yield component
        if "close" in component.hooks:
            component.call("close")

    def reply(self, text: str | None, *, cut: bool = False, usage: tuple[int, int] | None = (11, 7)) -> Scripted:
        """Return how the provider words a reply: chat completions unless overridden.

        ``cut`` says that the reply ran into the token limit, ``usage`` is tokens in and out.
        """
        body: dict[str, Any] = {
            "id": "1",
            "object": "chat.completion",
            "model": MODEL,
            "choices": [
                {
                    "index": 0,
                    "message": {"role": "assistant", "content": text},
                    "finish_reason": "length" if cut else "stop",
                }
            ],
        }
        if usage is not None:
            body["usage"] = {"prompt_tokens": usage[0], "completion_tokens": usage[1], "total_tokens": sum(usage)}
        return Scripted(json=body)

    def refusal(self, status: int, message: str, headers: Mapping[str, str] | None = None) -> Scripted:
        """Return how the provider words a refusal."""
        return Scripted(status, json={"error": {"type": "error", "message": message}}, headers=headers or {})

    @staticmethod
    def request(user: str = "Is it relevant?", max_tokens: int = MAX_TOKENS) -> JudgeRequest:
        """Return a request as the kernel makes it."""
        return JudgeRequest("You judge.", user, SCHEMA, "verdict", max_tokens)

    def complete(self, judge: Component, user: str = "Is it relevant?", *, max_tokens: int = MAX_TOKENS) -> JudgeReply:
        """Send one request through the ``complete`` hook, and check the reply's types."""
        request = self.request(user, max_tokens)
        reply = within(self.patience_seconds, lambda: judge.call("complete", request=request), "complete()")
        require(
            isinstance(reply, JudgeReply) and isinstance(reply.text, str),
            f"complete() returned {shown(reply)}; expected JudgeReply(text, usage or None, finish_reason)",
        )
        return reply  # type: ignore[no-any-return]

    def failure(self, judge: Component, what: str) -> str:
        """Return the reason of the ``JudgeError`` that ``complete`` raises; anything else fails the test."""
        try:
            reply = self.complete(judge)
        except JudgeError as problem:
            reason = str(problem)
        except Exception as problem:
            problem.add_note(f"{what}: expected JudgeError with the reason, which the kernel records as judge_error")
            raise
        else:
            fail(f"{what}: complete() returned {shown(reply.text)}; expected JudgeError with the reason")
        require(reason.strip(), f"{what}: JudgeError without a reason; say what failed and what to do")
        require(KEY not in reason, f"{what}: the reason shows the API key; it is stored and printed")
        return reason

    def verdict(self, judge: Component) -> Any:
        """Ask the suite's prompt through the kernel's bench; returns the reply model or raises ``JudgeError``."""
        bench = JudgeBench(
            lambda request: judge.call("complete", request=request),
            identity={"type": "conformance"},
            max_tokens=MAX_TOKENS,
            asynchronous=False,
        )
        handle = bench.handle("conformance", "conformance")
        try:
            return within(
                self.patience_seconds, lambda: handle.ask(PROMPT, {"question": "Why?", "answer": "So."}), "the judge"
            )
        finally:
            bench.close()

    def needs_http(self) -> None:
        """Skip the running test for a judge without an endpoint."""
        if not self.over_http:
            pytest.skip("over_http is False")


def texts_in(request: Received) -> list[Any]:
    """Return every text and number in a request's JSON body."""
    found: list[Any] = []
    left = [request.json]
    while left:
        value = left.pop()
        if isinstance(value, dict):
            left += value.values()
        elif isinstance(value, list):
            left += value
        else:
            found.append(value)
    return found
