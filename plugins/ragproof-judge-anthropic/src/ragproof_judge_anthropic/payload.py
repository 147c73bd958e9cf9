"""The request body, with what the model takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ragproof_http import RefusedParameters, schema_instruction, strict_schema

from ragproof_core.models.judging import JudgeRequest
from ragproof_judge_anthropic.settings import MessagesSettings

_NAMES = {
    "temperature": "temperature",
    "output_config": r"output_config|output_format|json[_ ]schema|structured outputs?|schema",
}
_NOTES = {
    "temperature": "temperature left out: the model refuses it",
    "output_config": "no JSON schema sent: the model refuses it",
}


@dataclass(frozen=True, slots=True)
class Payload:
    """A request body; ``optional`` maps the optional parameters in it to patterns of their names in an error."""

    body: dict[str, Any]
    optional: Mapping[str, str]
    notes: tuple[str, ...]


def build_payload(request: JudgeRequest, settings: MessagesSettings, refused: RefusedParameters) -> Payload:
    """The body for this request without the parameters that the model is known to refuse."""
    body: dict[str, Any] = {"model": settings.model, "max_tokens": request.max_tokens}
    if "temperature" not in refused:
        body["temperature"] = request.temperature
    system = request.system
    schema = strict_schema(request.schema) if settings.response_format != "none" else None
    if schema is not None and "output_config" not in refused:
        body["output_config"] = {"format": {"type": "json_schema", "schema": schema}}
    else:
        system = "\n\n".join(filter(None, [system, schema_instruction(request.schema)]))
    if system:
        body["system"] = system
    body["messages"] = [{"role": "user", "content": request.user}]
    optional = {label: name for label, name in _NAMES.items() if label in body and label not in settings.extra_body}
    body.update(settings.extra_body)
    return Payload(body, optional, tuple(_NOTES[label] for label in refused.names() if label in _NOTES))
