"""Asking a judge one small question, to see whether it is reachable."""

from __future__ import annotations

from ragproof_core.errors import JudgeError
from ragproof_core.models.judging import JudgeReply, JudgeRequest
from ragproof_core.plugins.component import Component

_SCHEMA = {
    "type": "object",
    "properties": {"ready": {"type": "boolean"}},
    "required": ["ready"],
    "additionalProperties": False,
}


def probe_judge(judge: Component, max_tokens: int) -> str:
    """Send one tiny request; returns a phrase for the report. Raises :class:`JudgeError` with the reason."""
    request = JudgeRequest(
        system="Reply with one JSON object and nothing else.",
        user='Reply with {"ready": true}.',
        schema=_SCHEMA,
        schema_name="ready",
        max_tokens=max_tokens,
    )
    try:
        reply = judge.call("complete", request=request)
    except JudgeError:
        raise
    except Exception as problem:
        raise JudgeError(f"{judge.who} failed: {type(problem).__name__}: {problem}") from problem
    if not isinstance(reply, JudgeReply):
        raise JudgeError(f"{judge.who} returned {type(reply).__name__}; expected a JudgeReply")
    notes = f" ({'; '.join(reply.notes)})" if reply.notes else ""
    return f"replied{notes}"
