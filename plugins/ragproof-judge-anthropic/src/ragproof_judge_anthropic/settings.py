"""What a user can set about the judge."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, StringConstraints
from ragproof_http import checked_header_value, checked_url

ResponseFormat = Literal["auto", "json_schema", "none"]

DEFAULT_URL = "https://api.anthropic.com"


def _base_url(value: str) -> str:
    # the address is given with and without the version, and sometimes whole
    return checked_url(value).removesuffix("/messages").removesuffix("/v1")


def _header_secret(value: SecretStr) -> SecretStr:
    return SecretStr(checked_header_value(value.get_secret_value()))


HeaderSecret = Annotated[SecretStr, AfterValidator(_header_secret)]


class MessagesSettings(BaseModel):
    """Settings of the ``anthropic`` judge."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    model: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)] = Field(
        description="Model name as the endpoint knows it"
    )
    base_url: Annotated[str, AfterValidator(_base_url)] = Field(
        DEFAULT_URL, description="Address that /v1/messages is appended to"
    )
    api_key: HeaderSecret | None = Field(None, description="API key; env:NAME reads it from the environment")
    headers: dict[str, HeaderSecret] = Field(
        default_factory=dict, description="Extra request headers, for gateways; values are treated as secrets"
    )
    extra_body: dict[str, Any] = Field(default_factory=dict, description="Extra request fields, sent as they are")
    anthropic_version: Annotated[str, AfterValidator(checked_header_value)] = Field(
        "2023-06-01", description="Version header of the API"
    )
    response_format: ResponseFormat = Field(
        "auto", description="How JSON is asked for; auto starts with a JSON schema and goes by the prompt when refused"
    )
    timeout_seconds: float = Field(120.0, gt=0, description="Longest time for one reply, in seconds")
    max_retries: int = Field(5, ge=0, le=100, description="Tries after the first, told waits not counted")
    max_wait_seconds: float = Field(
        120.0, ge=0, description="Longest time that one call waits in all before it gives up, in seconds"
    )
