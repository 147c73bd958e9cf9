"""The conformance suite, in the service's own wording."""

import pytest
from acme_judge import AcmeJudge

from ragproof_core.testing import JudgeConformance, Scripted


class TestAcme(JudgeConformance):
    entry_point = "acme"

    @pytest.fixture
    def make_judge(self):
        return lambda **settings: AcmeJudge(AcmeJudge.Settings(**settings))

    def reply(self, text, *, cut=False, usage=(11, 7)):
        tokens = usage and {"read": usage[0], "written": usage[1]}
        return Scripted(json={"written": text, "complete": not cut, "tokens": tokens})

    def refusal(self, status, message, headers=None):
        return Scripted(status, json={"because": message}, headers=headers or {})
