"""Prompts shipped in a real package made for the test, and a judge that replies as told."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable
from typing import Any, Literal

import pytest

from ragproof_core.models.judging import JudgeReply, JudgeRequest, Prompt, Reply

_NUMBER = itertools.count()


class Relevance(Reply):
    verdict: Literal["relevant", "partial", "irrelevant"]


def no_score(reply: Any, variables: Any) -> None:
    return None


@pytest.fixture
def make_prompt(tmp_path, monkeypatch) -> Callable[..., Prompt]:
    """Write a template into a package on the path and return its prompt."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def make(
        template: str = "Rate.\n---\nAnswer:\n{{answer}}", name: str = "relevance", reply: Any = Relevance
    ) -> Prompt:
        package = f"prompts_of_test_{next(_NUMBER)}"
        folder = tmp_path / package / "templates"
        folder.mkdir(parents=True)
        (tmp_path / package / "__init__.py").touch()
        (folder / f"{name}.txt").write_text(template, encoding="utf-8")
        return Prompt(name, package, reply, no_score)

    return make


class ScriptedJudge:
    """Gives the replies one after another (the last for ever), and keeps the requests."""

    def __init__(self, *replies: JudgeReply | str | Exception) -> None:
        self.replies = list(replies)
        self.requests: list[JudgeRequest] = []
        self.lock = threading.Lock()

    def __call__(self, request: JudgeRequest) -> JudgeReply:
        with self.lock:
            reply = self.replies[min(len(self.requests), len(self.replies) - 1)]
            self.requests.append(request)
        if isinstance(reply, Exception):
            raise reply
        return JudgeReply(reply) if isinstance(reply, str) else reply


class MemoryCache:
    """The part of a store that keeps replies."""

    def __init__(self) -> None:
        self.entries: dict[str, Any] = {}
        self.puts = 0

    def cache_get(self, keys):
        return {key: self.entries[key].reply for key in keys if key in self.entries}

    def cache_put(self, entries):
        self.puts += 1
        self.entries.update((entry.key, entry) for entry in entries)


@pytest.fixture
def scripted():
    return ScriptedJudge


@pytest.fixture
def memory_cache():
    return MemoryCache()
