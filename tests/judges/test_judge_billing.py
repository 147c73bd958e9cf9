"""Which failures cost budget: only those behind which the provider may have done the work."""

from dataclasses import replace

import pytest
from ragproof_http.testing import Scripted

from ragproof_core import JudgeError


@pytest.mark.parametrize("status", [400, 401, 404, 429, 503])
def test_a_refused_call_is_not_billed(server, dialect, make, request_for, status):
    server.script(dialect.refusal(status, "no"))
    with pytest.raises(JudgeError) as caught:
        make(max_retries=0).complete(request_for())
    assert caught.value.billed is False


def test_a_lost_reply_may_be_billed(server, dialect, make, request_for):
    server.script(Scripted(json=dialect.reply("{}").json, cut_after=20))
    with pytest.raises(JudgeError) as caught:
        make(max_retries=0).complete(request_for())
    assert caught.value.billed is True


def test_a_slow_reply_may_be_billed(server, dialect, make, request_for):
    server.script(Scripted(json={}, delay=1))
    with pytest.raises(JudgeError) as caught:
        make(timeout_seconds=0.2).complete(request_for())
    assert caught.value.billed is True


def test_a_refusal_behind_a_lost_reply_may_be_billed(server, dialect, make, request_for):
    server.script(Scripted(json=dialect.reply("{}").json, cut_after=20), dialect.refusal(401, "no"))
    with pytest.raises(JudgeError) as caught:
        make(max_retries=1).complete(request_for())
    assert caught.value.billed is True


def test_under_a_budget_a_lost_reply_is_not_asked_for_again(server, dialect, make, request_for):
    whole = dialect.reply("{}")
    server.script(Scripted(json=whole.json, cut_after=20), whole)
    with pytest.raises(JudgeError) as caught:
        make(max_retries=5).complete(replace(request_for(), resend_lost=False))
    assert caught.value.billed is True
    assert len(server.requests) == 1
