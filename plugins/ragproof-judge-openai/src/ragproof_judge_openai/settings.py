"""What a user can set about the judge."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, StringConstraints
from ragproof_http import EndpointSettings, checked_url

ResponseFormat = Literal["auto", "json_schema", "json_object", "none"]

_COMPLETIONS = "/chat/completions"


def _base_url(value: str) -> str:
    # many consoles show the whole address; what belongs here is the part before the path
    return checked_url(value).removesuffix(_COMPLETIONS)


BaseURL = Annotated[str, AfterValidator(_base_url)]


class ChatSettings(EndpointSettings):
    """Settings of every preset; only the default address differs."""

    model: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)] = Field(
        description="Model name as the endpoint knows it"
    )
    base_url: BaseURL = Field("https://api.openai.com/v1", description="Address that /chat/completions is appended to")
    extra_body: dict[str, Any] = Field(
        default_factory=dict, description="Extra request fields, sent as they are (reasoning_effort, seed, …)"
    )
    response_format: ResponseFormat = Field(
        "auto", description="How JSON is asked for; auto starts with json_schema and steps down when it is refused"
    )
