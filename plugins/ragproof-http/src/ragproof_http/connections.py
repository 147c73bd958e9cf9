"""The two kinds of connection that are lent: httpx's transport alone, and its client around one."""

from __future__ import annotations

import ssl

import httpx

from ragproof_core.errors import ConfigError
from ragproof_core.once import once

_ONE = httpx.Limits(max_connections=1, max_keepalive_connections=1)


class Bare:
    """The transport alone."""

    def __init__(self, tls: ssl.SSLContext | None) -> None:
        self._transport = httpx.HTTPTransport(verify=tls or _no_tls(), trust_env=False, limits=_ONE)
        self.send = self._transport.handle_request
        self.close = self._transport.close


class Whole:
    """A client, which knows proxies and sends the user and password of an address."""

    def __init__(self, tls: ssl.SSLContext | None, *, trust_env: bool) -> None:
        try:
            self._client = httpx.Client(verify=tls or _no_tls(), trust_env=trust_env, limits=_ONE)
        except (ImportError, ValueError) as problem:
            text = f"the proxy of the environment (HTTPS_PROXY and its like) cannot be used: {problem}"
            raise ConfigError(text) from None
        self.close = self._client.close

    def send(self, request: httpx.Request) -> httpx.Response:
        """Send the request without reading the response's body."""
        return self._client.send(request, stream=True)


@once
def _no_tls() -> ssl.SSLContext:
    """A context for connections that never use it: httpx makes one otherwise, for each of them."""
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
