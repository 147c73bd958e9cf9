"""A judge over the Messages API."""

from __future__ import annotations

import os
from functools import partial
from typing import ClassVar

from ragproof_http import Endpoint, EndpointError, RefusedParameters, StatusError, Wording, post_accepted

from ragproof_core.errors import ConfigError, JudgeError
from ragproof_core.hookspecs import hookimpl
from ragproof_core.models.judging import JudgeReply, JudgeRequest
from ragproof_judge_anthropic.payload import build_payload
from ragproof_judge_anthropic.replies import effective_status, names_the_model, read_reply
from ragproof_judge_anthropic.settings import DEFAULT_URL, MessagesSettings

_KEY_VARIABLE = "ANTHROPIC_API_KEY"
_WORDING = Wording(
    name="judge anthropic",
    url="judge.base_url (or RAGPROOF_LLM_BASE_URL)",
    key=f"judge.api_key or {_KEY_VARIABLE} or RAGPROOF_LLM_API_KEY",
    timeout="judge.timeout_seconds",
    wait="judge.max_wait_seconds",
    model="judge.model (or RAGPROOF_JUDGE_MODEL)",
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
        own = {"anthropic-version": settings.anthropic_version, **({"x-api-key": key} if key else {})}
        self._refused = RefusedParameters(settings.base_url, settings.model)
        self._endpoint = Endpoint(
            settings.base_url,
            wording=_WORDING,
            headers={**own, **settings.plain_headers},
            secrets=[*([key] if key else []), *settings.plain_headers.values()],
            timeout_seconds=settings.timeout_seconds,
            retry=settings.retry_policy,
            status_of=effective_status,
        )

    @hookimpl
    def complete(self, request: JudgeRequest) -> JudgeReply:
        """Ask once; parameters that the model refuses are left out and the request is sent again."""
        try:
            payload, reply = post_accepted(
                self._endpoint,
                "/v1/messages",
                partial(build_payload, request, self._settings),
                self._refused,
                resend_lost=request.resend_lost,
            )
        except StatusError as error:
            known = not names_the_model(error)
            text = str(error) if known else _WORDING.unknown_model(error, self._settings.model)
            failure = JudgeError(text, billed=error.may_be_billed)
        except EndpointError as error:
            failure = JudgeError(str(error), billed=error.may_be_billed)
        else:
            return read_reply(reply, self._where, (*payload.notes, *reply.notes))
        raise failure

    @hookimpl
    def close(self) -> None:
        """Close the connections."""
        self._endpoint.close()

    @property
    def _where(self) -> str:
        return f"judge anthropic ({self._settings.model})"


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
