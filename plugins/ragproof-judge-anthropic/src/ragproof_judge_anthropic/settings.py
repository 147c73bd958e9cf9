"""What a user can set about the judge."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, StringConstraints
from ragproof_http import EndpointSettings, checked_header_value, checked_url

ResponseFormat = Literal["auto", "json_schema", "none"]

DEFAULT_URL = "https://api.anthropic.com"


def _base_url(value: str) -> str:
    # the address is given with and without the version, and sometimes whole
    return checked_url(value).removesuffix("/messages").removesuffix("/v1")


class MessagesSettings(EndpointSettings):
    """Settings of the ``anthropic`` judge."""

    model: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)] = Field(
        description="Model name as the endpoint knows it"
    )
    base_url: Annotated[str, AfterValidator(_base_url)] = Field(
        DEFAULT_URL, description="Address that /v1/messages is appended to"
    )
    extra_body: dict[str, Any] = Field(default_factory=dict, description="Extra request fields, sent as they are")
    anthropic_version: Annotated[str, AfterValidator(checked_header_value)] = Field(
        "2023-06-01", description="Version header of the API"
    )
    response_format: ResponseFormat = Field(
        "auto", description="How JSON is asked for; auto starts with a JSON schema and goes by the prompt when refused"
    )
