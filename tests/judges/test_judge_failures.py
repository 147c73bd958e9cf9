"""Waiting, retrying and giving up, alike in every HTTP judge package."""

import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from ragproof_http.testing import Scripted

from ragproof_core.errors import JudgeError

VERDICT = '{"verdict": "relevant"}'


def test_a_told_wait_is_kept(server, dialect, make, request_for):
    server.script(dialect.refusal(429, "slow down", **{"Retry-After": "1"}), dialect.reply(VERDICT))
    began = time.monotonic()
    assert make().complete(request_for()).text == VERDICT
    assert 1.0 <= time.monotonic() - began < 2.5


def test_a_wait_of_a_day_is_an_error_with_the_reason(server, dialect, make, request_for):
    server.script(dialect.refusal(429, "daily limit", **{"Retry-After": "86400"}))
    with pytest.raises(
        JudgeError, match=r"429 Too Many Requests: daily limit; it asks to wait 86400 s.*judge.max_wait_seconds"
    ):
        make().complete(request_for())


@pytest.mark.parametrize("status", [500, 502, 503, 504, 529])
def test_an_overloaded_endpoint_is_asked_again(server, dialect, make, request_for, status):
    server.script(dialect.refusal(status, "overloaded"), dialect.reply(VERDICT))
    assert make().complete(request_for()).text == VERDICT
    assert len(server.requests) == 2


def test_an_endpoint_that_stays_overloaded_is_given_up(server, dialect, make, request_for):
    server.script(dialect.refusal(529, "overloaded"))
    with pytest.raises(JudgeError, match="529 Overloaded: overloaded; gave up after 2 tries"):
        make(max_retries=1).complete(request_for())


def test_a_cut_connection_is_asked_again_and_noted(server, dialect, make, request_for):
    whole = dialect.reply(VERDICT)
    server.script(Scripted(json=whole.json, cut_after=20), whole)
    reply = make().complete(request_for())
    assert reply.text == VERDICT
    assert reply.notes == ("asked again after a connection was lost; tokens of a lost reply are not counted",)


def test_a_slow_reply_times_out(server, dialect, make, request_for):
    server.script(Scripted(json={}, delay=2))
    began = time.monotonic()
    with pytest.raises(JudgeError, match=r"no whole reply .* within 0.3 s; raise judge.timeout_seconds"):
        make(timeout_seconds=0.3).complete(request_for())
    assert time.monotonic() - began < 1.5


def test_when_one_call_is_told_to_wait_all_wait(server, dialect, make, request_for):
    first = threading.Event()

    def answer(_):
        if not first.is_set():
            first.set()
            return dialect.refusal(429, "slow down", **{"Retry-After": "1"})
        return dialect.reply(VERDICT)

    server.answer = answer
    judge = make()
    with ThreadPoolExecutor(9) as threads:
        calls = [threads.submit(judge.complete, request_for())]
        first.wait(5)
        time.sleep(0.1)
        calls += [threads.submit(judge.complete, request_for()) for _ in range(8)]
        assert {call.result().text for call in calls} == {VERDICT}
    assert all(request.at - server.requests[0].at >= 0.99 for request in server.requests[1:])


@pytest.mark.parametrize("status", [401, 403])
def test_a_wrong_key_says_what_to_check_and_never_the_key(server, dialect, make, request_for, key, status):
    server.script(dialect.refusal(status, f"invalid x-api-key {key}"))
    with pytest.raises(JudgeError, match=rf"\({status}\).*\[redacted\].*check judge.api_key") as caught:
        make().complete(request_for())
    assert key not in str(caught.value) + repr(caught.value)
    assert caught.value.__context__ is None
    assert len(server.requests) == 1


@pytest.mark.parametrize(("status", "message"), [(404, "model: m-1 not found"), (400, "model: m-1 does not exist")])
def test_a_wrong_model_says_what_to_check(server, dialect, make, request_for, status, message):
    server.script(dialect.refusal(status, message))
    with pytest.raises(JudgeError, match=r"does not know the model 'm-1' .*check judge.model"):
        make().complete(request_for())


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (Scripted(404, body=b"404 page not found"), "there is nothing to ask at"),
        (Scripted(405, json={"detail": "Method Not Allowed"}), "there is nothing to ask at"),
        (Scripted(body=b"<html><body>hello</body></html>"), "answered with a web page instead of JSON"),
        (Scripted(308, headers={"location": "https://elsewhere.test/v1"}), "redirects to https://elsewhere.test/v1"),
    ],
)
def test_a_wrong_address_says_what_to_check(server, make, request_for, answer, says):
    server.script(answer)
    with pytest.raises(JudgeError, match=rf"{says}.*judge.base_url \(or RAGPROOF_LLM_BASE_URL\)"):
        make().complete(request_for())
    assert len(server.requests) == 1


def test_an_address_where_nothing_listens_says_what_to_check(make, request_for):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    with pytest.raises(JudgeError, match=r"nothing listens at .*Check judge.base_url"):
        make(base_url=f"http://127.0.0.1:{port}").complete(request_for())


def test_an_unknown_host_says_what_to_check(make, request_for):
    with pytest.raises(JudgeError, match=r"no-such-host.invalid\S* is not known.*check judge.base_url"):
        make(base_url="http://no-such-host.invalid").complete(request_for())


def test_a_failed_call_leaves_the_judge_usable(server, dialect, make, request_for):
    server.script(dialect.refusal(400, "the prompt is too long"), dialect.reply(VERDICT))
    judge = make()
    with pytest.raises(JudgeError, match=r"refused the request \(400\): the prompt is too long"):
        judge.complete(request_for())
    assert judge.complete(request_for()).text == VERDICT
