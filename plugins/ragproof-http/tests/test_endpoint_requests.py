"""One request and its reply, against a real server."""

import socket
import threading
import time

import pytest
from ragproof_http import Endpoint, EndpointError, RetryPolicy, StatusError, Wording
from ragproof_http.testing import Scripted

from ragproof_core.errors import ConfigError

SECRET = "sk-very-secret-0123456789"
WORDING = Wording(name="judge test", url="judge.base_url", key="judge.api_key", timeout="judge.timeout_seconds")


def made(url, **options):
    options.setdefault("retry", RetryPolicy(retries=0))
    return Endpoint(url, wording=WORDING, headers={"authorization": f"Bearer {SECRET}"}, secrets=[SECRET], **options)


def test_a_post_carries_headers_and_body_and_returns_parsed_json(server):
    server.script(Scripted(json={"x": 1}))
    endpoint = made(server.url + "/v1/?version=2")
    reply = endpoint.post_json("/ask", {"text": "Größe"})
    endpoint.close()
    request = server.requests[0]
    assert (reply.status, reply.data, reply.asked_again, reply.notes) == (200, {"x": 1}, 0, ())
    assert (request.method, request.path) == ("POST", "/v1/ask?version=2")
    assert request.headers["authorization"] == f"Bearer {SECRET}"
    assert request.body == '{"text":"Größe"}'.encode()


def test_a_get_carries_its_parameters(server):
    endpoint = made(server.url)
    endpoint.get_json("/models", {"q": "a b&c"})
    endpoint.close()
    assert (server.requests[0].method, server.requests[0].path) == ("GET", "/models?q=a+b%26c")


def test_a_body_that_is_not_json_is_returned_when_that_is_fine(server):
    server.script(Scripted(body=b"plain", headers={"content-type": "text/plain"}))
    endpoint = made(server.url)
    reply = endpoint.request("GET", "", expect_json=False)
    endpoint.close()
    assert (reply.text, reply.data) == ("plain", None)


@pytest.mark.parametrize(
    ("text", "sent"), [("a\ud800b", "a\ufffdb"), ("\ud83d\ude00", "\U0001f600"), ("\u2028\x00é", "\u2028\x00é")]
)
def test_any_text_can_be_sent(server, text, sent):
    endpoint = made(server.url)
    endpoint.post_json("", {"t": text})
    endpoint.close()
    assert server.requests[0].json == {"t": sent}


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {1, 2}])
def test_what_json_does_not_have_is_refused_before_sending(server, value):
    endpoint = made(server.url)
    with pytest.raises(EndpointError, match="judge test: the request cannot be written as JSON"):
        endpoint.post_json("", {"v": value})
    endpoint.close()
    assert server.requests == []


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (Scripted(401, json={"error": {"message": f"bad key {SECRET}"}}), "check judge.api_key"),
        (Scripted(402, json={"error": "no money"}), "check its plan and billing"),
        (Scripted(403, json={"detail": "no"}), "refuses access (403): no"),
        (Scripted(404, json={"detail": "Not Found"}), "nothing to ask at"),
        (Scripted(405, body=b"<html>no</html>"), "(405): a web page; check judge.base_url"),
        (
            Scripted(302, headers={"location": "https://else.where/x?key=1"}),
            "redirects to https://else.where/x; set judge.base_url",
        ),
        (Scripted(418, json={"message": "teapot"}), "refused the request (418): teapot"),
        (Scripted(422, json={"detail": [{"loc": ["body", "k"], "msg": "too big"}]}), "(422): body.k: too big"),
        (
            Scripted(400, json={"error": {"message": "upstream", "metadata": {"raw": "real reason"}}}),
            "upstream: real reason",
        ),
        (Scripted(400, body=b"\x1b[31mred\nalert"), "(400): [31mred alert"),
    ],
)
def test_a_refusal_says_what_to_check_and_never_the_key(server, answer, says):
    server.script(answer)
    endpoint = made(server.url)
    with pytest.raises(StatusError) as caught:
        endpoint.post_json("/ask", {})
    endpoint.close()
    assert says in str(caught.value)
    assert caught.value.status == answer.status
    assert SECRET not in repr(caught.value) + str(caught.value) + repr(caught.value.data) + caught.value.detail
    assert caught.value.__context__ is None
    assert len(server.requests) == 1


def test_a_key_that_the_endpoint_shows_half_masked_is_not_repeated(server):
    server.script(Scripted(401, json={"error": {"message": "Incorrect key provided: sk-ve*******6789. See the site."}}))
    endpoint = made(server.url)
    with pytest.raises(StatusError, match=r"Incorrect key provided: \[redacted\]\. See the site") as caught:
        endpoint.post_json("", {})
    endpoint.close()
    assert "6789" not in str(caught.value)


def test_a_web_page_instead_of_json_is_a_wrong_address_and_not_retried(server):
    server.script(Scripted(body=b"<!DOCTYPE html><html></html>", headers={"content-type": "text/html"}))
    endpoint = made(server.url, retry=RetryPolicy(retries=3))
    with pytest.raises(EndpointError, match=r"answered with a web page instead of JSON; check judge.base_url"):
        endpoint.post_json("", {})
    endpoint.close()
    assert len(server.requests) == 1


def test_nothing_listening_is_said_soon():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    endpoint = made(f"http://127.0.0.1:{port}", retry=RetryPolicy(retries=5))
    began = time.monotonic()
    with pytest.raises(EndpointError, match=r"nothing listens at http://127.* Check judge.base_url \(2 tries"):
        endpoint.post_json("", {})
    assert time.monotonic() - began < 3
    endpoint.close()


def test_an_unknown_host_is_named():
    endpoint = made("http://no-such-host.invalid/v1")
    with pytest.raises(EndpointError, match=r"the host of http://no-such-host.invalid/v1/ask is not known"):
        endpoint.post_json("/ask", {})
    endpoint.close()


def test_tls_to_a_server_without_it_is_said(server):
    endpoint = made(server.url.replace("http:", "https:"))
    with pytest.raises(EndpointError, match="no trusted TLS to https://"):
        endpoint.post_json("", {})
    endpoint.close()


@pytest.mark.parametrize("answer", [Scripted(json={}, delay=1.0), Scripted(body=b'{"slow": true}', trickle=0.1)])
def test_a_reply_that_takes_too_long_is_given_up_and_not_asked_again(server, answer):
    server.script(answer)
    endpoint = made(server.url, timeout_seconds=0.3, retry=RetryPolicy(retries=3))
    began = time.monotonic()
    with pytest.raises(EndpointError, match=r"no whole reply from .* within 0.3 s; raise judge.timeout_seconds"):
        endpoint.post_json("", {})
    assert time.monotonic() - began < 0.9
    endpoint.close()
    assert len(server.requests) == 1


def test_closing_wakes_a_call_that_waits(server):
    server.script(Scripted(429, headers={"Retry-After": "30"}))
    endpoint = made(server.url, retry=RetryPolicy())
    caught = []

    def call():
        try:
            endpoint.post_json("", {})
        except EndpointError as error:
            caught.append(str(error))

    thread = threading.Thread(target=call)
    thread.start()
    while not server.requests:
        time.sleep(0.01)
    time.sleep(0.1)
    endpoint.close()
    thread.join(2)
    assert caught == ["judge test: closed before there was a reply"]


@pytest.mark.parametrize(
    "url",
    ["", "ftp://x", "localhost:8000", "http://", "http://host:0x/", "http://[bad", "http://a b/v1", "http://x\ny/"],
)
def test_an_address_that_cannot_be_used_is_a_configuration_error(url):
    with pytest.raises(ConfigError, match=r"judge test: judge.base_url: "):
        made(url)


@pytest.mark.parametrize("key", ["sk-secret\nkey", "sk-schlüssel", "sk\x00key"])
def test_a_key_that_no_header_can_carry_is_a_configuration_error_that_does_not_show_it(key):
    with pytest.raises(ConfigError, match="the value of the header authorization has characters") as caught:
        Endpoint("http://localhost", wording=WORDING, headers={"authorization": f"Bearer {key}"})
    assert key not in str(caught.value) + repr(caught.value)
    assert caught.value.__cause__ is None


@pytest.mark.parametrize("name", ["", "x y", "x:", "größe", "a\nb"])
def test_a_header_name_that_cannot_be_sent_is_a_configuration_error(name):
    with pytest.raises(ConfigError, match="cannot be the name of a header"):
        Endpoint("http://localhost", wording=WORDING, headers={name: "x"})


def test_the_representation_has_no_password_and_no_query():
    endpoint = Endpoint("https://me:hunter22@host/v1?key=abcdef", wording=WORDING)
    assert repr(endpoint) == "Endpoint('https://host/v1')"
    endpoint.close()
