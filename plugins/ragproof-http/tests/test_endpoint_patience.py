"""Retries, told waits, and the pause that all calls to an endpoint share."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st
from ragproof_http import Endpoint, EndpointError, RetryPolicy, StatusError, Wording
from ragproof_http.retrying import Patience, backoff, retry_after
from ragproof_http.testing import Scripted, ScriptedServer

OK = Scripted(json={"ok": True})
BUSY = Scripted(503, json={"error": "busy"})


def made(url, **options):
    return Endpoint(url, wording=Wording(name="judge test", wait="judge.max_wait_seconds"), **options)


def gaps(server):
    times = [request.at for request in server.requests]
    return [later - earlier for earlier, later in pairwise(times)]


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504, 529])
def test_a_passing_failure_is_retried(server, status):
    server.script(Scripted(status, json={"error": "try later"}), OK)
    endpoint = made(server.url)
    assert endpoint.post_json("", {}).data == {"ok": True}
    endpoint.close()
    assert len(server.requests) == 2
    assert 0.2 < gaps(server)[0] < 2.0


@pytest.mark.parametrize(
    "answer",
    [
        Scripted(body=b'{"a": "long enough to be cut"}', cut_after=9),
        Scripted(body=b'{"a": "lo', headers={"connection": "close"}),
        Scripted(body=b"", headers={"connection": "close"}),
    ],
    ids=["cut mid-body", "half a document", "empty"],
)
def test_a_reply_that_was_cut_off_is_asked_for_again_and_counted(server, answer):
    server.script(answer, OK)
    endpoint = made(server.url)
    reply = endpoint.post_json("", {})
    endpoint.close()
    assert (reply.data, reply.asked_again) == ({"ok": True}, 1)
    assert reply.notes == ("asked again after a connection was lost; tokens of a lost reply are not counted",)


def test_a_reply_that_is_always_cut_off_is_an_error(server):
    server.script(Scripted(body=b'{"a": "long enough to be cut"}', cut_after=9))
    endpoint = made(server.url, retry=RetryPolicy(retries=1))
    with pytest.raises(EndpointError, match=r"the reply of http\S+ was cut off.* \(2 tries in"):
        endpoint.post_json("", {})
    endpoint.close()
    assert len(server.requests) == 2


def test_retries_end_and_the_last_reason_is_told(server):
    server.script(BUSY)
    endpoint = made(server.url, retry=RetryPolicy(retries=2))
    with pytest.raises(StatusError, match=r"answered 503 Service Unavailable: busy; gave up after 3 tries in"):
        endpoint.post_json("", {})
    endpoint.close()
    assert len(server.requests) == 3


def test_a_told_wait_is_kept(server):
    server.script(Scripted(429, headers={"Retry-After": "1"}), OK)
    endpoint = made(server.url)
    endpoint.post_json("", {})
    endpoint.close()
    assert 1.0 <= gaps(server)[0] < 1.6  # a second, up to a quarter more, and slack


def test_an_http_date_is_read_against_the_servers_own_clock(server):
    now = datetime(2020, 1, 1, tzinfo=UTC)
    headers = {
        "Date": format_datetime(now, usegmt=True),
        "Retry-After": format_datetime(now + timedelta(seconds=1), usegmt=True),
    }
    assert retry_after({name.lower(): value for name, value in headers.items()}) == 1.0
    server.script(
        Scripted(503, headers={"Retry-After": format_datetime(datetime.now(UTC) + timedelta(seconds=2), usegmt=True)}),
        OK,
    )
    endpoint = made(server.url)
    endpoint.post_json("", {})
    endpoint.close()
    assert 0.9 <= gaps(server)[0] < 3.0


def test_a_wait_past_the_cap_is_an_error_at_once(server):
    server.script(Scripted(429, json={"error": {"message": "daily quota"}}, headers={"Retry-After": "86400"}))
    endpoint = made(server.url)
    began = time.monotonic()
    with pytest.raises(
        StatusError, match=r"429 Too Many Requests: daily quota; it asks to wait 86400 s, until .* 120 s at most"
    ):
        endpoint.post_json("", {})
    endpoint.close()
    assert time.monotonic() - began < 1.0
    assert len(server.requests) == 1


def test_told_waits_are_bounded_in_all(server):
    server.script(Scripted(429, headers={"Retry-After": "1"}))
    endpoint = made(server.url, retry=RetryPolicy(retries=0, max_wait_seconds=2.2))
    with pytest.raises(StatusError, match="429 Too Many Requests; it asks to wait 1 s"):
        endpoint.post_json("", {})
    endpoint.close()
    assert len(server.requests) == 2 or len(server.requests) == 3  # 1 s to 1.25 s each


def test_retry_after_zero_for_ever_ends_with_the_retries(server):
    server.script(Scripted(429, headers={"Retry-After": "0"}))
    endpoint = made(server.url, retry=RetryPolicy(retries=3))
    with pytest.raises(StatusError, match="gave up after 4 tries"):
        endpoint.post_json("", {})
    endpoint.close()


def test_when_one_call_is_told_to_wait_the_others_wait_too(server):
    told = threading.Event()

    def answer(_):
        if not told.is_set():
            told.set()
            return Scripted(429, headers={"Retry-After": "1"})
        return OK

    server.answer = answer
    endpoint, twin = made(server.url), made(server.url)
    with ThreadPoolExecutor(9) as threads:
        first = threads.submit(endpoint.post_json, "", {})
        while not told.is_set():
            time.sleep(0.005)
        time.sleep(0.1)
        rest = [threads.submit((endpoint, twin)[n % 2].post_json, "", {}) for n in range(8)]
        assert [call.result().data for call in [first, *rest]] == [{"ok": True}] * 9
    endpoint.close()
    twin.close()
    start = server.requests[0].at
    assert len(server.requests) == 10
    assert all(request.at - start >= 0.99 for request in server.requests[1:])


def test_64_calls_in_flight_use_64_connections_again_and_again(server):
    server.answer = lambda request: Scripted(json=request.json, delay=0.1)
    endpoint = made(server.url)
    with ThreadPoolExecutor(64) as threads:
        replies = list(threads.map(lambda n: endpoint.post_json("", {"n": n}).data["n"], range(256)))
    endpoint.close()
    assert replies == list(range(256))
    assert 32 <= server.max_in_flight <= 64


def test_a_server_that_went_away_is_waited_for_once_it_has_answered():
    with ScriptedServer() as server:
        endpoint = made(server.url, retry=RetryPolicy(retries=2))
        endpoint.post_json("", {})
    with pytest.raises(EndpointError, match=r"nothing listens at .*\(3 tries in"):
        endpoint.post_json("", {})
    endpoint.close()


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("1", 1.0),
        ("1.5", 1.5),
        (" 7 ", 7.0),
        ("0", 0.0),
        ("-3", 0.0),
        ("1e999", float("inf")),
        ("soon", None),
        ("", None),
        ("nan", None),
    ],
)
def test_retry_after_values(value, seconds):
    assert retry_after({"retry-after": value}) == seconds


def test_backoff_doubles_up_to_half_a_minute():
    for retry, longest in enumerate([0.5, 1, 2, 4, 8, 16, 30, 30]):
        assert longest / 2 <= backoff(retry) <= longest


@given(retries=st.integers(0, 20), told=st.lists(st.one_of(st.none(), st.floats(0, 300)), max_size=60))
def test_a_call_never_waits_longer_than_its_policy_says(retries, told):
    patience = Patience(RetryPolicy(retries=retries, max_wait_seconds=100))
    waited, counted = 0.0, 0
    for asked in told:
        delay = patience.next_delay(asked)
        if delay is None:
            break
        patience.charge(delay)
        waited += delay
        counted += asked is None or asked < 1
    assert waited <= 100.0001
    assert counted <= retries
