"""Reading a chat completion, in all the ways in which endpoints fill one in."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from ragproof_http import HTTPReply, StatusError, one_line

from ragproof_core.errors import JudgeError
from ragproof_core.models.judging import JudgeReply, TokenUsage

_PAYMENT_REQUIRED = 402
_BAD_REQUEST = 400
_FIRST_REDIRECT = 300
_TOO_MANY = 429
_FAILURES = range(400, 600)
_UNKNOWN_MODEL = re.compile(
    r"(unknown|invalid|no such) model|not a valid model"
    r"|model\b.{0,120}?(does not exist|doesn't exist|not found|not a valid|not available|is not supported|not loaded)",
    re.IGNORECASE,
)


def effective_status(reply: HTTPReply) -> int:
    """The status that the reply stands for.

    Gateways report an upstream failure in the body of a 200; an empty quota comes as 429, where waiting is in vain.
    """
    data = reply.data if isinstance(reply.data, Mapping) else {}
    error = data.get("error")
    code, kind = (error.get("code"), error.get("type")) if isinstance(error, Mapping) else (None, None)
    if reply.status == _TOO_MANY and "insufficient_quota" in (code, kind):
        return _PAYMENT_REQUIRED
    if reply.status >= _FIRST_REDIRECT or not error or data.get("choices"):
        return reply.status
    return code if isinstance(code, int) and code in _FAILURES else _BAD_REQUEST


def names_the_model(error: StatusError) -> bool:
    """True when the refusal is about the model's name."""
    body = error.data.get("error") if isinstance(error.data, Mapping) else None
    if isinstance(body, Mapping) and (body.get("code") == "model_not_found" or body.get("param") == "model"):
        return True
    return error.status in {400, 404, 422} and _UNKNOWN_MODEL.search(error.detail) is not None


def read_reply(reply: HTTPReply, where: str, notes: tuple[str, ...]) -> JudgeReply:
    """The judge's text, tokens and finish reason; raises :class:`JudgeError` when there is no text."""
    choice = _first_choice(reply.data)
    message = choice.get("message") if choice else None
    if choice is None or not isinstance(message, Mapping):
        raise JudgeError(f"{where}: the reply is no chat completion: it has no choices; check judge.base_url")
    reason = choice.get("finish_reason")
    finish_reason = reason if isinstance(reason, str) else None
    refusal = message.get("refusal")
    if isinstance(refusal, str) and refusal.strip():
        raise JudgeError(f"{where}: the model declined to judge: {one_line(refusal)}")
    text = _text(message.get("content"))
    if not text.strip():
        text, notes = _without_content(message, finish_reason, where, notes)
    return JudgeReply(text, usage=_usage(reply.data), finish_reason=finish_reason, notes=notes)


def _first_choice(data: Any) -> Mapping[str, Any] | None:
    choices = data.get("choices") if isinstance(data, Mapping) else None
    first = choices[0] if isinstance(choices, list) and choices else None
    return first if isinstance(first, Mapping) else None


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts = (part.get("text") for part in content if isinstance(part, Mapping) and part.get("type") in {"text", None})
    return "".join(part for part in parts if isinstance(part, str))


def _without_content(
    message: Mapping[str, Any], finish_reason: str | None, where: str, notes: tuple[str, ...]
) -> tuple[str, tuple[str, ...]]:
    if finish_reason == "length":
        return "", notes
    if finish_reason == "content_filter":
        raise JudgeError(f"{where}: the provider's content filter withheld the reply")
    reasoning = next(
        (text for key in ("reasoning_content", "reasoning") if (text := _text(message.get(key))).strip()), ""
    )
    # some servers file the whole answer of a model that did not reason under reasoning; anything else there is a draft
    if _is_object(reasoning):
        return reasoning, (*notes, "the reply came as reasoning content")
    kind = "only reasoning and no answer" if reasoning else "no text"
    raise JudgeError(f"{where}: the reply has {kind} (finish reason {finish_reason!r})")


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _usage(data: Mapping[str, Any]) -> TokenUsage | None:
    usage = data.get("usage")
    if not isinstance(usage, Mapping):
        return None
    sent, received = _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))
    return None if sent is None or received is None else TokenUsage(sent, received)


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
