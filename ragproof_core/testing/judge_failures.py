"""The standard tests of what a judge does when its endpoint does not answer as it should."""

from __future__ import annotations

import socket
import time

import pytest

from ragproof_core.errors import JudgeError
from ragproof_core.plugins.component import Component
from ragproof_core.testing.checking import require
from ragproof_core.testing.judge_endpoint import KEY, MODEL, VERDICT, JudgeEndpoint, MakeJudge
from ragproof_core.testing.scripted_server import Scripted, ScriptedServer

_UNUSABLE = {
    "a web page": Scripted(body=b"<html><body>hello</body></html>", headers={"content-type": "text/html"}),
    "nothing": Scripted(body=b""),
    "half of its JSON": Scripted(body=b'{"choices": [{"mess'),
    "bytes that are no text": Scripted(body=b"\xff\xfe\x00\x81"),
    "an empty object": Scripted(json={}),
    "an empty list": Scripted(json=[]),
    "a text": Scripted(json="hello"),
    "null": Scripted(json=None),
    "no choices": Scripted(json={"choices": [], "content": []}),
    "numbers for choices": Scripted(json={"choices": [7], "content": 7}),
}
_AT_ONCE_SECONDS = 10.0


class JudgeFailures(JudgeEndpoint):
    """Every failure is a ``JudgeError`` with a reason, in time, and leaves the judge usable."""

    retries: bool = True

    def test_a_told_wait_is_kept(self, judge: Component, server: ScriptedServer) -> None:
        """After 429 with ``Retry-After: 1`` the request is sent again, a second later."""
        self.needs_http()
        server.script(self.refusal(429, "slow down", {"Retry-After": "1"}), self.reply(VERDICT))
        if not self.retries:
            self.failure(judge, "429 with Retry-After: 1")
            return
        began = time.monotonic()
        require(self.complete(judge).text == VERDICT, "429 with Retry-After: 1: the reply after the wait was not used")
        waited = time.monotonic() - began
        require(waited >= 0.99, f"429 with Retry-After: 1: asked again after {waited:.2f} s; expected a wait of 1 s")  # noqa: PLR2004

    def test_a_wait_of_a_day_is_an_error(self, judge: Component, server: ScriptedServer) -> None:
        """429 with ``Retry-After: 86400`` is given up at once, with the reason."""
        self.needs_http()
        server.script(self.refusal(429, "daily limit", {"Retry-After": "86400"}))
        began = time.monotonic()
        reason = self.failure(judge, "429 with Retry-After: 86400")
        took = time.monotonic() - began
        require(took < _AT_ONCE_SECONDS, f"429 with Retry-After: 86400: given up after {took:.0f} s, expected at once")
        require("429" in reason or "limit" in reason, f"the reason does not name the limit: {reason}")

    @pytest.mark.parametrize("status", [500, 503, 529])
    def test_an_overloaded_endpoint_is_asked_again(self, judge: Component, server: ScriptedServer, status: int) -> None:
        """One failure of the endpoint costs no verdict."""
        self.needs_http()
        server.script(self.refusal(status, "overloaded"), self.reply(VERDICT))
        if not self.retries:
            self.failure(judge, f"status {status}")
            return
        require(self.complete(judge).text == VERDICT, f"status {status}: the reply to the second try was not used")

    def test_an_endpoint_that_stays_overloaded_is_given_up(self, judge: Component, server: ScriptedServer) -> None:
        """503 for ever is an error within ``patience_seconds``."""
        self.needs_http()
        server.script(self.refusal(503, "overloaded"))
        reason = self.failure(judge, "503 for ever")
        require("503" in reason or "overloaded" in reason, f"the reason does not say what the endpoint said: {reason}")

    def test_a_cut_connection_is_no_crash(self, judge: Component, server: ScriptedServer) -> None:
        """A reply that breaks off half-way is asked for again, or an error with the reason."""
        self.needs_http()
        whole = self.reply(VERDICT)
        server.script(Scripted(json=whole.json, body=whole.body, cut_after=20), whole)
        if not self.retries:
            self.failure(judge, "a cut connection")
            return
        require(self.complete(judge).text == VERDICT, "a cut connection: the reply to the second try was not used")

    def test_an_address_where_nothing_listens_is_an_error(self, make_judge: MakeJudge) -> None:
        """A wrong port is named in the reason."""
        self.needs_http()
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        built = make_judge(url=url, api_key=KEY, model=MODEL, timeout_seconds=self.timeout_seconds)
        self.failure(self.component_of(built), "nothing listens")

    @pytest.mark.parametrize("body", _UNUSABLE)
    def test_an_answer_that_is_no_reply_is_an_error(self, judge: Component, server: ScriptedServer, body: str) -> None:
        """A web page, half a JSON or another shape is an error with the reason, not a ``KeyError``."""
        self.needs_http()
        server.script(_UNUSABLE[body])
        self.failure(judge, f"the endpoint answers with {body}")

    @pytest.mark.parametrize("text", ["", None, " \n"])
    def test_an_empty_reply_is_no_verdict(self, judge: Component, server: ScriptedServer, text: str | None) -> None:
        """A reply without a text is an error, or an empty text, which the kernel cannot use."""
        self.needs_http()
        server.script(self.reply(text))
        try:
            found = self.complete(judge).text
        except JudgeError:
            return
        require(not found.strip(), f"the endpoint's reply was {text!r}, complete() made {found!r} of it")

    @pytest.mark.parametrize(
        ("status", "message"),
        [(401, f"invalid key {KEY}"), (403, "no access"), (404, f"model {MODEL} not found"), (400, "prompt too long")],
    )
    def test_a_refused_request_is_an_error_at_once(
        self, judge: Component, server: ScriptedServer, status: int, message: str
    ) -> None:
        """A wrong key, a wrong model, a bad request: trying again cannot help, and the key is never shown."""
        self.needs_http()
        server.script(self.refusal(status, message))
        reason = self.failure(judge, f"status {status}")
        said = message.replace(KEY, "").strip()
        require(str(status) in reason or said in reason, f"status {status}: the reason does not say so: {reason}")
        require(len(server.requests) == 1, f"status {status}: asked {len(server.requests)} times, expected once")

    def test_a_slow_reply_is_given_up(self, judge: Component, server: ScriptedServer) -> None:
        """No whole reply within the judge's own time limit is an error."""
        self.needs_http()
        server.script(Scripted(json={}, delay=self.timeout_seconds * 4))
        began = time.monotonic()
        self.failure(judge, "a slow reply")
        took = time.monotonic() - began
        require(
            took < self.timeout_seconds * 3.5,
            f"the time limit is {self.timeout_seconds:g} s and the call ended after {took:.1f} s; a judge bounds its "
            "own calls, the kernel waits for it",
        )

    def test_a_failed_call_leaves_the_judge_usable(self, judge: Component, server: ScriptedServer) -> None:
        """The next request is sent and answered as if nothing had been."""
        self.needs_http()
        for bad in (self.refusal(400, "prompt too long"), _UNUSABLE["a web page"]):
            server.script(bad)
            self.failure(judge, "a bad answer")
            server.script(self.reply(VERDICT))
            require(self.complete(judge).text == VERDICT, "the call after a failed one did not get its reply")
