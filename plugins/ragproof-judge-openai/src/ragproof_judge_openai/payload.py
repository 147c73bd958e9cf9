"""The request body, with what the model takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ragproof_http import RefusedParameters, schema_instruction, strict_schema

from ragproof_core.models.judging import JudgeRequest
from ragproof_judge_openai.settings import ChatSettings

_FORMAT_NAMES = (
    r"response[_ ]format|json[_ ]schema|json[_ ]object|json mode|structured outputs?|guided[_ ]\w+|grammar|schema"
)
_NAMES = {
    "temperature": "temperature",
    "max_tokens": "max_tokens",
    "max_completion_tokens": "max_completion_tokens",
    "json_schema": _FORMAT_NAMES,
    "json_object": _FORMAT_NAMES,
}
_NOTES = {
    "temperature": "temperature left out: the model refuses it",
    "max_tokens": "max_completion_tokens sent for max_tokens, which the model refuses",
    "max_completion_tokens": "output length not limited: the model refuses max_tokens and max_completion_tokens",
    "json_schema": "no JSON schema sent: the model refuses it",
    "json_object": "no JSON mode: the model refuses it",
}


@dataclass(frozen=True, slots=True)
class Payload:
    """A request body; ``optional`` maps the optional parameters in it to patterns of their names in an error."""

    body: dict[str, Any]
    optional: Mapping[str, str]
    notes: tuple[str, ...]


def build_payload(request: JudgeRequest, settings: ChatSettings, refused: RefusedParameters) -> Payload:
    """The body for this request without the parameters that the model is known to refuse."""
    body: dict[str, Any] = {"model": settings.model}
    optional: list[str] = []
    if "temperature" not in refused:
        body["temperature"] = request.temperature
        optional.append("temperature")
    for limit in ("max_tokens", "max_completion_tokens"):
        if limit not in refused:
            body[limit] = request.max_tokens
            optional.append(limit)
            break
    kind, response_format = _response_format(request, settings, refused)
    system = request.system
    if response_format is not None:
        body["response_format"] = response_format
        optional.append(kind)
    if kind != "json_schema":
        system = "\n\n".join(filter(None, [system, schema_instruction(request.schema)]))
    messages = [{"role": "system", "content": system}] if system else []
    body["messages"] = [*messages, {"role": "user", "content": request.user}]
    body.update(settings.extra_body)
    sent = {label: _NAMES[label] for label in optional if label not in settings.extra_body}
    return Payload(body, sent, tuple(_NOTES[label] for label in refused.names() if label in _NOTES))


def _response_format(
    request: JudgeRequest, settings: ChatSettings, refused: RefusedParameters
) -> tuple[str, dict[str, Any] | None]:
    wanted = settings.response_format
    if wanted in {"auto", "json_schema"} and "json_schema" not in refused:
        schema = strict_schema(request.schema)
        if schema is not None:
            named = {"name": request.schema_name, "strict": True, "schema": schema}
            return "json_schema", {"type": "json_schema", "json_schema": named}
    if wanted != "none" and "json_object" not in refused:
        return "json_object", {"type": "json_object"}
    return "none", None
