"""A judge behind a text service: ``POST /write {"instructions", "text", "limit"}`` gives ``{"written", "complete"}``."""

from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.request
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from ragproof_core import JudgeError, JudgeReply, JudgeRequest, TokenUsage, hookimpl

_TRY_AGAIN = frozenset({429, 500, 502, 503, 504, 529})
_SHOWN = 200


class AcmeJudge:
    """Sends each request as one call. Safe for any number of threads: every call has a connection of its own."""

    api_version = 1

    class Settings(BaseModel):
        """What users write under ``judge:`` in ragproof.yaml."""

        model_config = ConfigDict(extra="forbid")

        model: str = Field(description="name of the writer")
        url: str = Field("http://localhost:9000", description="address of the text service")
        api_key: SecretStr = Field(description="the service's token; env:NAME reads it from the environment")
        timeout_seconds: float = Field(60.0, gt=0, description="longest time for one reply")
        max_wait_seconds: float = Field(30.0, ge=0, description="longest wait that the service may ask for")

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    @hookimpl
    def complete(self, request: JudgeRequest) -> JudgeReply:
        """Ask, and once more after a failure that may pass."""
        failure = ""
        for _ in range(2):
            try:
                return _reply(self._send(request))
            except urllib.error.HTTPError as problem:
                failure = f"status {problem.code}: {problem.read()[:_SHOWN].decode('utf-8', 'replace')}"
                wait = float(problem.headers.get("Retry-After") or 0)
                if problem.code not in _TRY_AGAIN or wait > self._settings.max_wait_seconds:
                    break
                time.sleep(wait)
            except TimeoutError:
                failure = f"no reply within {self._settings.timeout_seconds:g} s"
                break
            except (OSError, http.client.HTTPException) as problem:
                failure = f"{type(problem).__name__}: {problem}"
            except (ValueError, LookupError, TypeError) as problem:
                failure = f"the reply is not that of a text service: {type(problem).__name__}: {problem}"
                break
        key = self._settings.api_key.get_secret_value()
        raise JudgeError(f"judge acme ({self._settings.url}): {failure.replace(key, '[redacted]')}")

    def _send(self, request: JudgeRequest) -> Any:
        body = {
            "writer": self._settings.model,
            "instructions": request.system,
            "text": request.user,
            "limit": request.max_tokens,
            "shape": request.schema,
        }
        headers = {"X-Token": self._settings.api_key.get_secret_value(), "Content-Type": "application/json"}
        call = urllib.request.Request(f"{self._settings.url}/write", json.dumps(body).encode(), headers)
        with urllib.request.urlopen(call, timeout=self._settings.timeout_seconds) as reply:
            return json.loads(reply.read())


def _reply(data: Any) -> JudgeReply:
    usage = data.get("tokens") if isinstance(data, dict) else None
    counted = TokenUsage(usage["read"], usage["written"]) if usage else None
    return JudgeReply(data["written"] or "", counted, "stop" if data["complete"] else "length")
