"""A correct toy judge, and its conformance class for the mutants."""

import http.client
import json
import time
import urllib.error
import urllib.request

import pytest
from pydantic import BaseModel, ConfigDict, SecretStr

from ragproof_core import JudgeError, JudgeReply, TokenUsage, hookimpl
from ragproof_core.testing import JudgeConformance

FAILURES = (OSError, http.client.HTTPException, ValueError, LookupError, TypeError, AttributeError)


class Toy:
    api_version = 1

    class Settings(BaseModel):
        model_config = ConfigDict(extra="forbid")
        url: str
        api_key: SecretStr
        model: str
        timeout_seconds: float

    def __init__(self, settings):
        self.settings = settings

    @hookimpl
    def complete(self, request):
        try:
            return self.read(self.send(request))
        except FAILURES as problem:
            self.wait(problem)
        try:
            return self.read(self.send(request))
        except urllib.error.HTTPError as problem:
            raise JudgeError(self.reason(f"status {problem.code}: {problem.read()[:200]}")) from None
        except FAILURES as problem:
            raise JudgeError(f"{type(problem).__name__}: {problem}") from None

    def wait(self, problem):
        """Return when it is worth another try."""
        if isinstance(problem, urllib.error.HTTPError):
            wait = float(problem.headers.get("retry-after") or 0)
            if problem.code not in (429, 500, 503, 529) or wait > 60:
                raise JudgeError(self.reason(f"status {problem.code}: {problem.read()[:200]}"))
            time.sleep(wait)
        elif isinstance(problem, TimeoutError) or not isinstance(problem, (OSError, http.client.HTTPException)):
            raise JudgeError(f"{type(problem).__name__}: {problem}")

    @hookimpl
    def close(self):
        pass

    def send(self, request):
        body = {"model": self.settings.model, "max_tokens": request.max_tokens, "temperature": request.temperature}
        body["messages"] = [
            {"role": "system", "content": request.system}, {"role": "user", "content": request.user},
        ]  # fmt: skip
        headers = {"authorization": f"Bearer {self.settings.api_key.get_secret_value()}"}
        call = urllib.request.Request(f"{self.settings.url}/chat", json.dumps(body).encode(), headers)
        with urllib.request.urlopen(call, timeout=self.settings.timeout_seconds) as reply:
            data = reply.read()
            if len(data) < int(reply.headers.get("content-length", 0)):
                raise ConnectionError("cut off")
            return json.loads(data)

    def read(self, data):
        choice, usage = data["choices"][0], data.get("usage")
        counted = TokenUsage(usage["prompt_tokens"], usage["completion_tokens"]) if usage else None
        return JudgeReply(choice["message"]["content"] or "", counted, choice["finish_reason"])

    def reason(self, text):
        return text.replace(self.settings.api_key.get_secret_value(), "[redacted]")


class Base(JudgeConformance):
    made = Toy
    fails = frozenset()
    timeout_seconds = 1.0
    patience_seconds = 10.0

    @pytest.fixture
    def make_judge(self):
        def make(**settings):
            return self.made(self.made.Settings(**settings))

        return make
