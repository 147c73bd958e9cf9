"""The kernel's standard tests, in the wording of the Messages API."""

import pytest
from ragproof_judge_anthropic import Anthropic

from ragproof_core.testing import JudgeConformance, Scripted


class TestAnthropic(JudgeConformance):
    entry_point = "anthropic"

    @pytest.fixture
    def make_judge(self):
        def make(*, url, **settings):
            return Anthropic(Anthropic.Settings(base_url=url, max_retries=1, **settings))

        return make

    def reply(self, text, *, cut=False, usage=(11, 7)):
        body = {
            "type": "message",
            "content": [] if text is None else [{"type": "text", "text": text}],
            "stop_reason": "max_tokens" if cut else "end_turn",
        }
        if usage is not None:
            body["usage"] = {"input_tokens": usage[0], "output_tokens": usage[1]}
        return Scripted(json=body)

    def refusal(self, status, message, headers=None):
        kind = {401: "authentication_error", 404: "not_found_error"}.get(status, "invalid_request_error")
        body = {"type": "error", "error": {"type": kind, "message": message}}
        return Scripted(status, json=body, headers=headers or {})
