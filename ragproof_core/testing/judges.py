"""The standard tests of a judge."""

from __future__ import annotations

import asyncio
import json
import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from ragproof_core.errors import JudgeError
from ragproof_core.models.judging import TokenUsage
from ragproof_core.plugins.component import Component
from ragproof_core.testing.checking import fail, require, shown, within
from ragproof_core.testing.hostile_texts import HOSTILE_TEXTS
from ragproof_core.testing.judge_endpoint import KEY, MAX_TOKENS, MODEL, VERDICT, texts_in
from ragproof_core.testing.judge_failures import JudgeFailures
from ragproof_core.testing.scripted_server import Received, Scripted, ScriptedServer

_NUMBER = re.compile(rb"case number (\d+)\.")
_WORDINGS = {
    "bare": VERDICT,
    "white space around": f"\n {VERDICT} \n",
    "in a fence": f"```json\n{VERDICT}\n```",
    "behind thinking": f'<think>{{"verdict": "partial"}} maybe {{not}}</think>\n{VERDICT}',
    "before prose": f"{VERDICT}\n\nThe answer says so.",
    "with a comment": '{"verdict": "relevant", // clear\n}',
}
_NO_VERDICT = {
    "no JSON": "It is relevant.",
    "two verdicts": f'{VERDICT} or {{"verdict": "partial"}}',
    "another shape": '{"score": 1}',
    "an unknown value": '{"verdict": "excellent"}',
}


class JudgeConformance(JudgeFailures):
    """Subclass with a fixture ``make_judge``: a function that builds the judge against the suite's own server.

    It is called with the keywords ``url`` (no path), ``api_key``, ``model`` and ``timeout_seconds``; let the judge try
    again once or twice, so that the suite is quick. Endpoints other than chat completions override :meth:`reply` and
    :meth:`refusal`, which word an answer as the provider does.

    ``over_http``: false for a judge in this process; only what needs no endpoint is then tested, on its real replies.
    ``retries``: false when it leaves every second try to its user. ``reports_usage``, ``sends_key``: the endpoint tells
    tokens and takes a key. ``concurrent``: it may be called from several threads; else it declares
    ``max_concurrency = 1``. ``timeout_seconds`` is the judge's own limit for a call, ``patience_seconds`` bounds a call
    with all its tries.
    """

    reports_usage: bool = True
    sends_key: bool = True
    concurrent: bool = True

    def test_the_request_carries_all(self, judge: Component, server: ScriptedServer) -> None:
        """System text, user text, model, token limit and key arrive."""
        self.needs_http()
        self.complete(judge, "Größe: “ok”?\n2nd line")
        (request,) = server.requests
        sent = texts_in(request)
        for part, there in {
            "the user text": any(isinstance(text, str) and "Größe: “ok”?\n2nd line" in text for text in sent),
            "the system text": any(isinstance(text, str) and "You judge." in text for text in sent),
            "the model": MODEL in sent or MODEL in request.path,
            "max_tokens": MAX_TOKENS in sent,
            "the key": not self.sends_key or KEY in str(request.headers),
        }.items():
            require(there, f"the request to the endpoint has not {part}; it was {shown(request.body.decode())}")

    @pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in HOSTILE_TEXTS.items()])
    def test_any_text_arrives_and_comes_back(self, judge: Component, server: ScriptedServer, text: str) -> None:
        """Whatever stands in the user text is sent word for word, and a reply with it is handed on."""
        if not self.over_http:
            self.complete(judge, text)
            return
        server.script(self.reply(text))
        found = self.complete(judge, f"<data>\n{text}\n</data>").text
        sent = texts_in(server.requests[0])
        require(
            any(isinstance(part, str) and f"<data>\n{text}\n</data>" in part for part in sent),
            f"the user text did not arrive word for word: {shown(server.requests[0].body.decode())}",
        )
        require(found == text, f"the endpoint's reply was {shown(text)}, complete() gave {shown(found)}")

    @pytest.mark.parametrize("wording", _WORDINGS)
    def test_the_reply_is_handed_on_word_for_word(self, judge: Component, server: ScriptedServer, wording: str) -> None:
        """Fences, thinking and prose stay: the kernel finds the object, keeps the raw text, and asks again itself."""
        self.needs_http()
        server.script(self.reply(_WORDINGS[wording]))
        found = self.complete(judge).text
        require(
            found == _WORDINGS[wording],
            f"the endpoint's reply was {shown(_WORDINGS[wording])}, complete() gave {shown(found)}; expected it word "
            "for word, the kernel takes it apart",
        )
        require(self.verdict(judge).verdict == "relevant", f"the kernel found no verdict in {shown(found)}")

    @pytest.mark.parametrize("wording", _NO_VERDICT)
    def test_an_unusable_reply_is_repaired_once(self, judge: Component, server: ScriptedServer, wording: str) -> None:
        """A reply without the one verdict is asked for once more; a good one then counts, a bad one is an error."""
        self.needs_http()
        server.script(self.reply(_NO_VERDICT[wording]), self.reply(VERDICT))
        require(self.verdict(judge).verdict == "relevant", "the reply to the repair was not used")
        server.script(self.reply(_NO_VERDICT[wording]))
        try:
            found = self.verdict(judge)
        except JudgeError:
            require(len(server.requests) == 2 + 2, f"asked {len(server.requests) - 2} times, expected twice")
            return
        fail(f"the reply {shown(_NO_VERDICT[wording])} became the verdict {found!r}; expected judge_error")

    def test_a_cut_reply_says_so(self, judge: Component, server: ScriptedServer) -> None:
        """A reply that ran into the token limit has the finish reason ``length``, and is no verdict."""
        if not self.over_http:
            reason = self.complete(judge, "Explain at length.", max_tokens=1).finish_reason
            require(_is_cut(reason), f"finish_reason is {reason!r} with max_tokens = 1; expected 'length'")
            return
        server.script(self.reply('{"verdict": "rel', cut=True))
        try:
            reason = self.complete(judge).finish_reason
            require(_is_cut(reason), f"finish_reason is {reason!r} for a reply that was cut off; expected 'length'")
            found = self.verdict(judge)
        except JudgeError as problem:
            require("truncated" in str(problem) or "length" in str(problem), f"the reason is not named: {problem}")
            return
        fail(f"a reply that was cut off became the verdict {found!r}; expected judge_error: truncated")

    def test_usage_is_the_providers_or_none(self, judge: Component, server: ScriptedServer) -> None:
        """Tokens in and out as the provider counted them; ``None`` when it did not, never a guess."""
        self.needs_http()
        server.script(self.reply(VERDICT, usage=(11, 7)))
        found = self.complete(judge).usage
        expected = TokenUsage(11, 7) if self.reports_usage else None
        require(
            found == expected, f"the provider counted 11 tokens in and 7 out, usage is {found}; expected {expected}"
        )
        server.script(self.reply(VERDICT, usage=None))
        found = self.complete(judge).usage
        require(found is None, f"the provider counted nothing, usage is {found}; expected None, the kernel estimates")

    def test_calls_from_many_threads_keep_apart(self, judge: Component, server: ScriptedServer) -> None:
        """Sixteen calls at once, and each gets the reply to its own request."""
        require(
            self.concurrent == (judge.max_concurrency != 1),
            f"concurrent is {self.concurrent}, but max_concurrency is {judge.max_concurrency}; the kernel calls from "
            "several threads unless the component declares max_concurrency = 1",
        )
        self.needs_http()

        def echo(request: Received) -> Scripted:
            number = _NUMBER.search(request.body)
            whole = self.reply(json.dumps({"case": int(number[1]) if number else None}))
            return Scripted(json=whole.json, body=whole.body, headers=whole.headers, delay=0.05)

        server.answer = echo
        with ThreadPoolExecutor(16 if self.concurrent else 1) as threads:
            replies = list(threads.map(lambda n: self.complete(judge, f"This is case number {n}.").text, range(64)))
        mixed = [n for n, text in enumerate(replies) if json.loads(text) != {"case": n}]
        require(not mixed, f"{len(mixed)} of 64 calls got the reply to another one; keep no state between calls")

    def test_it_works_inside_a_running_event_loop(self, judge: Component) -> None:
        """A notebook's loop is left alone and does not get in the way."""

        async def inside() -> Any:
            return judge.call("complete", request=self.request())

        within(self.patience_seconds, lambda: asyncio.run(inside()), "complete() inside an event loop")

    def test_the_key_shows_in_no_representation(self, instance: object) -> None:
        """``repr`` and ``str`` of the judge have no key in them."""
        for text in (repr(instance), str(instance)):
            require(KEY not in text, f"the key shows in the judge's representation: {text.replace(KEY, '…')}")

    def test_it_can_be_closed_twice(self, component: Component) -> None:
        """``close`` after ``close`` does nothing, before and after a call."""
        if "close" not in component.hooks:
            pytest.skip("the judge has no close hook")
        self.complete(component)
        for _ in range(2):
            within(self.patience_seconds, lambda: component.call("close"), "close()")


def _is_cut(reason: str | None) -> bool:
    return (reason or "").lower() in {"length", "max_tokens"}
