"""A judge for metric tests: canned replies, through the kernel's own rendering, validation and repair."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from ragproof_core.judging.bench import JudgeBench
from ragproof_core.models.judging import JudgeReply, JudgeRequest, Prompt
from ragproof_core.models.run import CacheEntry
from ragproof_core.testing.example_replies import example_reply


class ScriptedJudge:
    """Replies by prompt name; without a reply of its own, a prompt gets an example that fits its schema.

    A reply is a JSON value, or a text that is sent as it is. ``handle()`` gives what a metric gets as ``judge``;
    ``asked`` are the requests, ``cached`` what would have been kept for another run.
    """

    def __init__(self, replies: Mapping[str, Any] | None = None, *, every_reply: str | None = None) -> None:
        self.asked: list[JudgeRequest] = []
        self.cached: list[CacheEntry] = []
        self._replies = {_schema_name(name): reply for name, reply in (replies or {}).items()}
        self._every_reply = every_reply
        self.bench = JudgeBench(
            self._complete, identity={"type": "scripted"}, max_tokens=1024, cache=self, asynchronous=False
        )

    def handle(self) -> Any:
        """Return a judge for one metric of one case."""
        return self.bench.handle("conformance", "conformance")

    def close(self) -> None:
        """Write what is to be cached, and end the judge's threads."""
        self.bench.close()

    def cache_get(self, keys: Sequence[str]) -> Mapping[str, str]:
        """Return nothing: every run starts with an empty cache."""
        del keys
        return {}

    def cache_put(self, entries: Sequence[CacheEntry]) -> None:
        """Remember the entries."""
        self.cached.extend(entries)

    def _complete(self, request: JudgeRequest) -> JudgeReply:
        self.asked.append(request)
        if self._every_reply is not None:
            return JudgeReply(self._every_reply)
        reply = self._replies.get(request.schema_name)
        if reply is None:
            reply = example_reply(request.schema)
        return JudgeReply(reply if isinstance(reply, str) else json.dumps(reply))


class RaisingJudge:
    """A judge whose every ask raises the given error."""

    def __init__(self, error: Exception) -> None:
        self._error = error
        self.asks = 0

    def ask(self, prompt: Prompt, variables: Mapping[str, Any]) -> Any:
        """Raise the error."""
        del prompt, variables
        self.asks += 1
        raise self._error

    async def ask_async(self, prompt: Prompt, variables: Mapping[str, Any]) -> Any:
        """Raise the error."""
        return self.ask(prompt, variables)


def _schema_name(prompt: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]", "_", prompt)[:64]
