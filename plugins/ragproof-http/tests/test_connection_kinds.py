"""Which connection a call gets: the bare transport, or a client where there is a proxy or a user in the address."""

import base64

import pytest
from ragproof_http import Endpoint, StatusError, Wording
from ragproof_http.connections import Bare, Whole
from ragproof_http.lending import ConnectionStack
from ragproof_http.testing import Scripted

from ragproof_core.errors import ConfigError

WORDING = Wording(name="judge test")
PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")


@pytest.fixture(autouse=True)
def _no_proxies(monkeypatch):
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


def kind(url):
    stack = ConnectionStack(url)
    with stack.lend() as connection:
        found = type(connection)
    stack.close()
    return found


def test_an_ordinary_address_gets_the_transport():
    assert kind("http://127.0.0.1:9/v1") is Bare
    assert kind("https://judge.example/v1") is Bare


@pytest.mark.parametrize("name", PROXIES[:3])
def test_a_proxy_takes_a_client(monkeypatch, name):
    monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert kind("http://judge.example/v1") is Whole


def test_a_user_in_the_address_is_sent(server):
    assert kind("http://me:secret@judge.example/v1") is Whole
    endpoint = Endpoint(server.url.replace("http://", "http://me:s3cr%2Ft@"), wording=WORDING)
    assert endpoint.post_json("/x", {"a": 1}).status == 200
    endpoint.close()
    (request,) = server.requests
    assert request.headers["authorization"] == "Basic " + base64.b64encode(b"me:s3cr/t").decode()


def test_a_proxy_gets_the_whole_address(server, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", server.url)
    endpoint = Endpoint("http://judge.invalid/v1", wording=WORDING)
    assert endpoint.post_json("/chat/completions", {}).status == 200
    endpoint.close()
    assert [request.path for request in server.requests] == ["http://judge.invalid/v1/chat/completions"]


def test_hosts_that_no_proxy_names_are_asked_directly(server, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    endpoint = Endpoint(server.url, wording=WORDING)
    assert endpoint.get_json("/x", {"q": "a b"}).status == 200
    endpoint.close()
    assert [request.path for request in server.requests] == ["/x?q=a+b"]


def test_calls_in_turn_share_one_connection(server):
    endpoint = Endpoint(server.url, wording=WORDING)
    for number in range(5):
        endpoint.post_json("/x", {"number": number})
    assert len(endpoint._connections._idle) == 1
    endpoint.close()
    assert [request.json["number"] for request in server.requests] == [0, 1, 2, 3, 4]


def test_a_proxy_that_cannot_be_used_is_named(monkeypatch):
    monkeypatch.setenv("ALL_PROXY", "unix:///run/proxy.sock")
    endpoint = Endpoint("http://judge.example/v1", wording=WORDING)
    with pytest.raises(ConfigError, match=r"the proxy of the environment .* cannot be used: "):
        endpoint.post_json("/x", {})
    endpoint.close()


def test_a_redirect_to_nowhere_is_told(server):
    server.script(Scripted(302, headers={"location": "http://[bad"}))
    endpoint = Endpoint(server.url, wording=WORDING)
    with pytest.raises(
        StatusError, match="redirects to an address that cannot be read; set base_url to where it leads"
    ):
        endpoint.post_json("/x", {})
    endpoint.close()
