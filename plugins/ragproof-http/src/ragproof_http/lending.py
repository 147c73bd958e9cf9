"""HTTP connections that are lent to one call at a time.

A client with one connection spends no time on finding a free one and takes no lock that another thread holds. The one
used last is lent first, so that few connections are kept warm. All share one TLS context, which is slow to make.

Most calls need none of what httpx's client adds to its transport (redirects, cookies, authentication, hooks), which
takes as long as the transport itself; the client is used where there is a proxy, or a user in the address.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urlsplit

from ragproof_core.once import once, once_property

if TYPE_CHECKING:
    import ssl

    import httpx


class Connection(Protocol):
    """Sends one request at a time; the response's body is still to be read."""

    def send(self, request: httpx.Request) -> httpx.Response:
        """Send the request; raises httpx's errors."""
        ...

    def close(self) -> None:
        """Close the connection."""
        ...


@once
def _tls() -> ssl.SSLContext:
    import httpx

    return httpx.create_ssl_context()


class ConnectionStack:
    """Grows to the number of calls in flight. Safe for threads."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._is_https = parts.scheme == "https"
        self._has_user = parts.username is not None
        self._idle: list[Connection] = []
        self._closed = False

    @contextmanager
    def lend(self) -> Iterator[Connection]:
        """A connection that nobody else has until the block ends."""
        try:
            connection = self._idle.pop()
        except IndexError:
            connection = self._new()
        try:
            yield connection
        finally:
            self._idle.append(connection)
            if self._closed:
                self.close()

    @once_property
    def _trust_env(self) -> bool:
        """Whether there are proxies; httpx would look anew for each client, which costs more than the client itself."""
        from urllib.request import getproxies  # slow to import, and a cached run asks nothing

        return bool(getproxies())

    def _new(self) -> Connection:
        from ragproof_http import connections  # httpx is slow to import, and a cached run asks nothing

        # an http address without a proxy never uses TLS, and redirects are not followed
        tls = _tls() if self._is_https or self._trust_env else None
        if self._trust_env or self._has_user:
            return connections.Whole(tls, trust_env=self._trust_env)
        return connections.Bare(tls)

    def close(self) -> None:
        """Close the idle connections now and the lent ones when they come back."""
        self._closed = True
        while self._idle:
            try:
                connection = self._idle.pop()
            except IndexError:
                return
            connection.close()
