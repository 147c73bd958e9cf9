"""Statuses, retries, time limits, cut connections, secrets."""

import socket
import threading
import time

import httpx
import pytest
from ragproof_adapter_http.exchange import retry_after

from ragproof_core import AdapterError

ANSWER = {"url": "/ask", "body": {}}
OK = {"answer": "ok"}


def ask(adapter):
    return adapter.answer("q", [], {}).answer_text


def test_a_busy_service_is_asked_again(service, adapter_for):
    service.reply({}, 503, {"Retry-After": "0"})
    service.reply({}, 429, {"Retry-After": "0"})
    service.reply(OK)
    assert ask(adapter_for(answer=ANSWER, retries=2)) == "ok"
    assert len(service.seen) == 3


def test_it_waits_as_it_is_told(service, adapter_for):
    service.reply({}, 429, {"Retry-After": "1"})
    service.reply(OK)
    adapter = adapter_for(answer=ANSWER, retries=1)
    started = time.monotonic()
    assert ask(adapter) == "ok"
    assert time.monotonic() - started >= 1.0


def test_a_wait_beyond_the_limit_ends_it_at_once(service, adapter_for):
    service.reply({"detail": "quota"}, 429, {"Retry-After": "86400"})
    with pytest.raises(AdapterError) as caught:
        ask(adapter_for(answer=ANSWER, retries=5))
    expected = 'status 429 Too Many Requests, which asks to wait 86400 s; the reply was: {"detail": "quota"}'
    assert str(caught.value) == f"POST {service.url}/ask: {expected}"
    assert len(service.seen) == 1


def test_retries_end(service, adapter_for):
    service.reply(b"down", 503, {"Retry-After": "0"})
    with pytest.raises(AdapterError, match=r"status 503 Service Unavailable after 3 tries.*the reply was: down"):
        ask(adapter_for(answer=ANSWER, retries=2))
    assert len(service.seen) == 3


@pytest.mark.parametrize(
    ("status", "headers", "reason"),
    [
        (401, {}, "status 401 Unauthorized; check `headers`; the reply was: (empty)"),
        (404, {}, "status 404 Not Found; check `url`"),
        (405, {}, "status 405 Method Not Allowed; check `method`"),
        (422, {}, "status 422"),
        (500, {}, "status 500 Internal Server Error"),
        (302, {"Location": "/login"}, "status 302 Found, which points to /login"),
    ],
)
def test_other_statuses_are_final(service, adapter_for, status, headers, reason):
    service.reply(b"", status, headers)
    with pytest.raises(AdapterError) as caught:
        ask(adapter_for(answer=ANSWER, retries=3))
    assert reason in str(caught.value)
    assert len(service.seen) == 1


def test_nobody_listens(adapter_for):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    adapter = adapter_for(base_url=f"http://127.0.0.1:{port}", answer=ANSWER)
    with pytest.raises(AdapterError, match=f"POST http://127.0.0.1:{port}/ask: .*refused"):
        ask(adapter)


@pytest.mark.parametrize("pieces", [[3.0, b"{}"], [b"{", *([0.05, b" "] * 60), b"}"]], ids=["silent", "trickling"])
def test_a_slow_reply_ends_on_time(service, adapter_for, pieces):
    service.reply(pieces)
    started = time.monotonic()
    with pytest.raises(AdapterError, match=r"no reply within 0\.2 s"):
        ask(adapter_for(answer=ANSWER, timeout_seconds=0.2))
    assert time.monotonic() - started < 2.0


@pytest.mark.parametrize("body", [OK, [b'{"answer": ']], ids=["short", "chunked"])
def test_a_reply_that_breaks_off_is_an_error(service, adapter_for, body):
    service.reply(body, cut=True)
    with pytest.raises(AdapterError, match=f"POST {service.url}/ask: "):
        ask(adapter_for(answer=ANSWER))


def test_secrets_never_reach_a_message(service, adapter_for):
    service.reply({"echo": "key-in-params Basic dXNlcjpwYXNz hunter22"}, 400, {"X": "y"})
    adapter = adapter_for(
        base_url=service.url.replace("//", "//user:hunter22@"),
        headers={"Authorization": "Basic dXNlcjpwYXNz", "Accept": "application/json"},
        answer={**ANSWER, "params": {"key": "key-in-params"}},
    )
    with pytest.raises(AdapterError) as caught:
        ask(adapter)
    expected = 'status 400 Bad Request; the reply was: {"echo": "[redacted] [redacted] [redacted]"}'
    assert str(caught.value) == f"POST {service.url}/ask: {expected}"
    assert service.seen[-1][1] == "/ask?key=key-in-params"


def test_many_calls_at_once(service, adapter_for):
    service.reply([0.3, b'{"answer": "ok"}'])
    adapter = adapter_for(answer=ANSWER)
    answers = []
    threads = [threading.Thread(target=lambda: answers.append(ask(adapter))) for _ in range(16)]
    started = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == ["ok"] * 16
    assert time.monotonic() - started < 3.0  # one after another they would take 4.8 s


def test_closing_twice_is_fine(adapter_for):
    adapter = adapter_for(answer=ANSWER)
    adapter.close()
    adapter.close()


@pytest.mark.parametrize(
    ("value", "expected"),
    [("5", 5.0), (" 0 ", 0.0), ("", None), ("soon", None), ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0), ("-3", None)],
)
def test_retry_after(value, expected):
    assert retry_after(httpx.Headers({"Retry-After": value})) == expected
