"""A judge over the Messages API."""

from __future__ import annotations

import os
from typing import ClassVar

from ragproof_http import Endpoint, EndpointError, RefusedParameters, RetryPolicy, StatusError, Wording

from ragproof_core.errors import ConfigError, JudgeError
from ragproof_core.hookspecs import hookimpl
from ragproof_core.models.judging import JudgeReply, JudgeRequest
from ragproof_judge_anthropic.payload import Payload, build_payload
from ragproof_judge_anthropic.replies import effective_status, names_the_model, read_reply
from ragproof_judge_anthropic.settings import DEFAULT_URL, MessagesSettings

_KEY_VARIABLE = "ANTHROPIC_API_KEY"
_WORDING = Wording(
    name="judge anthropic",
    url="judge.base_url (or RAGPROOF_LLM_BASE_URL)",
    key=f"judge.api_key or {_KEY_VARIABLE} or RAGPROOF_LLM_API_KEY",
    timeout="judge.timeout_seconds",
    wait="judge.max_wait_seconds",
)


class Anthropic:
    """Sends each request as one message. Safe for any number of threads.

    ``ANTHROPIC_API_KEY`` is read only for Anthropic's own address, so that the key never goes to another host.
    """

    api_version: ClassVar[int] = 1
    Settings: ClassVar[type[MessagesSettings]] = MessagesSettings

    def __init__(self, settings: MessagesSettings) -> None:
        self._settings = settings
        key = _key(settings)
        given = {name: value.get_secret_value() for name, value in settings.headers.items()}
        secrets = [*given.values(), *([key] if key else [])]
        headers = {"anthropic-version": settings.anthropic_version, **({"x-api-key": key} if key else {}), **given}
        self._refused = RefusedParameters(settings.base_url, settings.model)
        self._endpoint = Endpoint(
            settings.base_url,
            wording=_WORDING,
            headers=headers,
            secrets=secrets,
            timeout_seconds=settings.timeout_seconds,
            retry=RetryPolicy(settings.max_retries, settings.max_wait_seconds),
            status_of=effective_status,
        )

    @hookimpl
    def complete(self, request: JudgeRequest) -> JudgeReply:
        """Ask once; parameters that the model refuses are left out and the request is sent again."""
        while True:
            payload = build_payload(request, self._settings, self._refused)
            try:
                reply = self._endpoint.post_json("/v1/messages", payload.body)
            except StatusError as error:
                if self._refused.learn(error, payload.optional) is None:
                    failure = self._explained(error)
                    break
            except EndpointError as error:
                failure = str(error)
                break
            else:
                return read_reply(reply, self._where, _notes(payload, reply.asked_again))
        raise JudgeError(failure)

    @hookimpl
    def close(self) -> None:
        """Close the connections."""
        self._endpoint.close()

    @property
    def _where(self) -> str:
        return f"judge anthropic ({self._settings.model})"

    def _explained(self, error: StatusError) -> str:
        if names_the_model(error):
            return (
                f"{self._where}: the endpoint does not know this model ({error.status}: {error.detail});"
                " check judge.model (or RAGPROOF_JUDGE_MODEL)"
            )
        return str(error)


def _key(settings: MessagesSettings) -> str | None:
    if settings.api_key and settings.api_key.get_secret_value():
        return settings.api_key.get_secret_value()
    if settings.base_url != DEFAULT_URL:
        return None
    key = os.environ.get(_KEY_VARIABLE, "").strip()
    if not key and not settings.headers:
        raise ConfigError(
            f"judge anthropic: no API key; set {_KEY_VARIABLE}, RAGPROOF_LLM_API_KEY or judge.api_key (env:NAME)"
        )
    return key or None


def _notes(payload: Payload, asked_again: int) -> tuple[str, ...]:
    if not asked_again:
        return payload.notes
    return (*payload.notes, "asked again after a reply was cut off; tokens of the lost reply are not counted")
