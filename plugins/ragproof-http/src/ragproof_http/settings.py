"""Settings that every plugin with an HTTP endpoint has."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr

from ragproof_http.retrying import RetryPolicy
from ragproof_http.urls import checked_header_value


def _header_secret(value: SecretStr) -> SecretStr:
    return SecretStr(checked_header_value(value.get_secret_value()))


HeaderSecret = Annotated[SecretStr, AfterValidator(_header_secret)]


class EndpointSettings(BaseModel):
    """Base of a plugin's ``Settings``: credentials, patience and time limit of its endpoint."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    api_key: HeaderSecret | None = Field(None, description="API key; env:NAME reads it from the environment")
    headers: dict[str, HeaderSecret] = Field(
        default_factory=dict, description="Extra request headers; their values are treated as secrets"
    )
    timeout_seconds: float = Field(120.0, gt=0, le=86_400, description="Longest time for one reply, in seconds")
    max_retries: int = Field(5, ge=0, le=100, description="Tries after the first, told waits not counted")
    max_wait_seconds: float = Field(
        120.0, ge=0, le=86_400, description="Longest time that one call waits in all before it gives up, in seconds"
    )

    @property
    def retry_policy(self) -> RetryPolicy:
        """The patience that these settings describe."""
        return RetryPolicy(self.max_retries, self.max_wait_seconds)

    @property
    def plain_headers(self) -> dict[str, str]:
        """The extra headers with their values readable."""
        return {name: value.get_secret_value() for name, value in self.headers.items()}
