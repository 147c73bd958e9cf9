"""A judge over a chat-completions endpoint."""

from __future__ import annotations

import os
from functools import partial
from typing import ClassVar

from ragproof_http import Endpoint, EndpointError, RefusedParameters, StatusError, Wording, post_accepted

from ragproof_core.errors import ConfigError, JudgeError
from ragproof_core.hookspecs import hookimpl
from ragproof_core.models.judging import JudgeReply, JudgeRequest
from ragproof_judge_openai.payload import build_payload
from ragproof_judge_openai.replies import effective_status, names_the_model, read_reply
from ragproof_judge_openai.settings import ChatSettings


class ChatCompletionsJudge:
    """Sends each request as one chat completion. Safe for any number of threads.

    ``key_variable`` names the environment variable of the preset's key; it is read only for the preset's own address,
    so that a key never goes to a host it was not made for.
    """

    api_version: ClassVar[int] = 1
    name: ClassVar[str]
    key_variable: ClassVar[str | None] = None
    Settings: ClassVar[type[ChatSettings]]

    def __init__(self, settings: ChatSettings) -> None:
        self._settings = settings
        key = self._key()
        authorization = {"authorization": f"Bearer {key}"} if key else {}
        self._wording = Wording(
            name=f"judge {self.name}",
            url="judge.base_url (or RAGPROOF_LLM_BASE_URL)",
            key=" or ".join(filter(None, ["judge.api_key", self.key_variable, "RAGPROOF_LLM_API_KEY"])),
            timeout="judge.timeout_seconds",
            wait="judge.max_wait_seconds",
            model="judge.model (or RAGPROOF_JUDGE_MODEL)",
        )
        self._refused = RefusedParameters(settings.base_url, settings.model)
        self._endpoint = Endpoint(
            settings.base_url,
            wording=self._wording,
            headers={**authorization, **settings.plain_headers},
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
                "/chat/completions",
                partial(build_payload, request, self._settings),
                self._refused,
                resend_lost=request.resend_lost,
            )
        except StatusError as error:
            known = not names_the_model(error)
            text = str(error) if known else self._wording.unknown_model(error, self._settings.model)
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
        return f"judge {self.name} ({self._settings.model})"

    def _key(self) -> str | None:
        given = self._settings.api_key.get_secret_value() if self._settings.api_key else ""
        if given or self.key_variable is None:
            return given or None
        if self._settings.base_url != self.Settings.model_fields["base_url"].default:
            return None
        key = os.environ.get(self.key_variable, "").strip()
        if not key and not self._settings.headers:
            raise ConfigError(
                f"judge {self.name}: no API key; set {self.key_variable}, RAGPROOF_LLM_API_KEY or judge.api_key"
                " (env:NAME), or judge.base_url for an endpoint that needs none"
            )
        return key or None
