"""The judge of a run: every ask of every metric goes through one bench."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from ragproof_core.judging.admission import Admission
from ragproof_core.judging.background import Workers
from ragproof_core.judging.cache_key import PromptKey, canonical_json
from ragproof_core.judging.calls import Complete, JudgeCalls
from ragproof_core.judging.exchange import Exchange
from ragproof_core.judging.handle import JudgeHandle
from ragproof_core.judging.prices import Prices, budget_picodollars, check_budget
from ragproof_core.judging.rendering import Template, read_template, render
from ragproof_core.judging.replies import UnusableReplyError, parse_reply
from ragproof_core.judging.reply_cache import CacheStore, ReplyCache
from ragproof_core.judging.sharing import Sharing
from ragproof_core.judging.steps import Steps
from ragproof_core.judging.tally import JudgeStats, Tally
from ragproof_core.judging.verdict import RawReply, Verdict
from ragproof_core.models.judging import JudgeRequest, Prompt

_TEMPERATURE = 0.0
_NOT_IN_SCHEMA_NAME = re.compile(r"[^A-Za-z0-9_-]")


@dataclass(frozen=True, slots=True)
class _Ready:
    """A prompt with all that is the same for every ask of it."""

    prompt: Prompt
    template: Template
    key: PromptKey
    schema_name: str
    schema_bytes: int


class JudgeBench:
    """Asks one judge for a whole run, from many threads and event loops at once.

    ``complete`` is the judge's hook. Plain, it blocks and returns a ``JudgeReply``. With ``asynchronous`` it returns at
    once, either a ``concurrent.futures.Future`` of the call (the component's own loop runs it) or an awaitable (a loop
    of the bench runs it); ``None`` takes an ``async def`` for the latter. ``identity`` is everything that makes this
    judge this judge (type, base URL, model, parameters) and no secret; ``redact`` takes secrets out of a text.

    ``concurrency`` bounds calls in flight, ``budget`` US dollars spent (``None``: no bound), which needs ``prices``.
    ``cache`` is the store's reply cache or ``None``; ``bypass_cache`` neither reads nor writes it. ``repeat`` asks for
    verdicts of their own beside those of other repeats. ``api_timeout`` seconds bound one call; without it the judge's
    own timeout does.

    Raises ``ConfigError`` for a budget without prices. An error raised by ``complete`` is a ``JudgeError`` to whoever
    asked; its reservation stays spent, unless the error has ``billed = False``.
    """

    def __init__(
        self,
        complete: Complete,
        *,
        identity: Mapping[str, Any],
        max_tokens: int,
        prices: Prices | None = None,
        budget: float | None = None,
        cache: CacheStore | None = None,
        redact: Callable[[str], str] = str,
        concurrency: int = 8,
        bypass_cache: bool = False,
        repeat: int = 0,
        asynchronous: bool | None = None,
        api_timeout: float | None = None,
    ) -> None:
        check_budget(budget, prices)
        self._identity = identity
        self._max_tokens = max_tokens
        self._resend_lost = budget is None
        self._repeat = repeat
        self._redact = redact
        self._tally = Tally(priced=prices is not None)
        self._workers = Workers()
        self._calls = JudgeCalls(complete, asynchronous=asynchronous, timeout=api_timeout, workers=self._workers)
        admission = Admission(concurrency, None if budget is None else budget_picodollars(budget))
        judge = _label(identity)
        self._exchange = Exchange(self._calls, admission, prices, redact, self._tally, judge)
        self._cache = ReplyCache(None if bypass_cache else cache, judge, self._note)
        self._sharing = Sharing()
        self._ready: dict[int, _Ready] = {}
        self._ready_lock = threading.Lock()

    def handle(self, case_id: str, metric: str, *, repeat: int | None = None) -> JudgeHandle:
        """Return the judge for one metric of one case."""
        asking = partial(self._asking, self._repeat if repeat is None else repeat)
        return JudgeHandle(case_id, metric, asking, self._workers.submit)

    @property
    def stats(self) -> JudgeStats:
        """The totals so far; a snapshot."""
        return self._tally.stats([ready.prompt for ready in list(self._ready.values())])

    def flush(self) -> None:
        """Write cached replies that are still waiting to be written."""
        self._cache.flush()

    def close(self) -> None:
        """Flush, and let the bench's threads end. The judge component itself is closed by its owner."""
        self.flush()
        self._calls.close()
        self._workers.close()

    def _asking(self, repeat: int, prompt: Prompt, variables: Mapping[str, Any]) -> Steps[Verdict]:
        ready = self._ready.get(id(prompt)) or self._prepare(prompt)
        rendered = render(ready.template, variables)
        key = ready.key.key(rendered, repeat)
        request = JudgeRequest(
            system=rendered.system,
            user=rendered.user,
            schema=prompt.schema,
            schema_name=ready.schema_name,
            max_tokens=self._max_tokens,
            temperature=_TEMPERATURE,
            resend_lost=self._resend_lost,
        )
        find = partial(self._find, ready, key, request)
        return (yield from self._sharing.ask(key, find, partial(self._tally.add, "shared")))

    def _find(self, ready: _Ready, key: str, request: JudgeRequest) -> Steps[Verdict]:
        cached = yield from self._cache.read(key)
        if cached is not None:
            try:
                reply = parse_reply(cached, ready.prompt.reply)
            except UnusableReplyError:
                pass  # a damaged entry: ask again, the new reply replaces it
            else:
                self._tally.add("cache_hits")
                return Verdict(reply, (RawReply(cached, used=True),))
        verdict = yield from self._exchange.verdict(request, ready.prompt.reply, ready.schema_bytes)
        if verdict.reply is not None:
            yield from self._cache.write(key, verdict.raw[-1].text, ready.prompt.name)
        return verdict

    def _prepare(self, prompt: Prompt) -> _Ready:
        """Take the prompt apart once; the entry holds the prompt, so that its ``id`` stays its own."""
        with self._ready_lock:  # all threads of a run begin with the same few prompts
            ready = self._ready.get(id(prompt))
            if ready is None:
                parameters = {"max_tokens": self._max_tokens, "temperature": _TEMPERATURE}
                ready = self._ready[id(prompt)] = _Ready(
                    prompt=prompt,
                    template=read_template(prompt),
                    key=PromptKey.of(prompt, self._identity, parameters),
                    schema_name=_NOT_IN_SCHEMA_NAME.sub("_", prompt.name)[:64],
                    schema_bytes=len(canonical_json(prompt.schema)),
                )
            return ready

    def _note(self, text: str) -> None:
        self._tally.note(self._redact(text))


def _label(identity: Mapping[str, Any]) -> str:
    """``type:model``, for messages and cache entries."""
    return ":".join(str(identity[key]) for key in ("type", "model") if identity.get(key)) or "judge"
