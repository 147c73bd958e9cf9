"""Reading a message."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ragproof_http import HTTPReply, StatusError, one_line

from ragproof_core.errors import JudgeError
from ragproof_core.models.judging import JudgeReply, TokenUsage

_PAYMENT_REQUIRED = 402
_BAD_REQUEST = 400
_STATUS_OF_TYPE = {
    "invalid_request_error": 400, "authentication_error": 401, "billing_error": 402, "permission_error": 403,
    "not_found_error": 404, "request_too_large": 413, "rate_limit_error": 429, "api_error": 500,
    "timeout_error": 504, "overloaded_error": 529,
}  # fmt: skip
_FINISH_REASONS = {
    "end_turn": "stop", "stop_sequence": "stop", "max_tokens": "length", "model_context_window_exceeded": "length",
}  # fmt: skip
_INPUT_COUNTS = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


def effective_status(reply: HTTPReply) -> int:
    """The status that the reply stands for: an error may come in the body of a 200, and an empty purse as a 400."""
    data = reply.data if isinstance(reply.data, Mapping) else {}
    error = data.get("error")
    if not isinstance(error, Mapping) or data.get("content"):
        return reply.status
    if reply.status == _BAD_REQUEST and "credit balance" in str(error.get("message")):
        return _PAYMENT_REQUIRED
    return reply.status if reply.status >= 300 else _STATUS_OF_TYPE.get(str(error.get("type")), _BAD_REQUEST)  # noqa: PLR2004


def names_the_model(error: StatusError) -> bool:
    """True when the refusal is about the model's name: the API says ``model: NAME`` and nothing else."""
    return error.status in {400, 404} and error.detail.lower().lstrip("`'\"").startswith("model")


def read_reply(reply: HTTPReply, where: str, notes: tuple[str, ...]) -> JudgeReply:
    """The judge's text, tokens and finish reason; raises :class:`JudgeError` when there is no text."""
    content = reply.data.get("content") if isinstance(reply.data, Mapping) else None
    if not isinstance(content, list):
        raise JudgeError(f"{where}: the reply is no message: it has no content; check judge.base_url")
    stop = reply.data.get("stop_reason")
    finish_reason = _FINISH_REASONS.get(stop, stop) if isinstance(stop, str) else None
    blocks = (block.get("text") for block in content if isinstance(block, Mapping) and block.get("type") == "text")
    text = "".join(block for block in blocks if isinstance(block, str))
    if stop == "refusal":
        said = f": {one_line(text, 200)}" if text.strip() else ""
        raise JudgeError(f"{where}: the model declined to judge{said}")
    if not text.strip() and finish_reason != "length":
        raise JudgeError(f"{where}: the reply has no text (stop reason {stop!r})")
    return JudgeReply(text, usage=_usage(reply.data), finish_reason=finish_reason, notes=notes)


def _usage(data: Mapping[str, Any]) -> TokenUsage | None:
    usage = data.get("usage")
    if not isinstance(usage, Mapping):
        return None
    # tokens read from or written to the prompt cache are billed beside input_tokens, not within them
    sent = [_count(usage.get(name)) for name in _INPUT_COUNTS]
    received = _count(usage.get("output_tokens"))
    return None if sent[0] is None or received is None else TokenUsage(sum(filter(None, sent)), received)


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
