"""HTTP clients that are lent to one call at a time.

A client with one connection spends no time on finding a free one and takes no lock that another thread holds. The one
used last is lent first, so that few connections are kept warm. All share one TLS context, which is slow to make.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING
from urllib.request import getproxies

if TYPE_CHECKING:
    import ssl

    import httpx


@cache
def _tls() -> ssl.SSLContext:
    import httpx

    return httpx.create_ssl_context()


class ClientStack:
    """Grows to the number of calls in flight. Safe for threads."""

    def __init__(self, url: str) -> None:
        # httpx reads the proxy settings anew for each client, which costs more than the client itself
        self._trust_env = bool(getproxies())
        # an http address without a proxy never uses TLS, and redirects are not followed
        self._uses_tls = url.startswith("https:") or self._trust_env
        self._idle: list[httpx.Client] = []
        self._closed = False

    @contextmanager
    def lend(self) -> Iterator[httpx.Client]:
        """A client that nobody else has until the block ends."""
        try:
            client = self._idle.pop()
        except IndexError:
            client = self._new()
        try:
            yield client
        finally:
            self._idle.append(client)
            if self._closed:
                self.close()

    def _new(self) -> httpx.Client:
        import httpx

        return httpx.Client(verify=_tls() if self._uses_tls else False, trust_env=self._trust_env)

    def close(self) -> None:
        """Close the idle clients now and the lent ones when they come back."""
        self._closed = True
        while self._idle:
            try:
                client = self._idle.pop()
            except IndexError:
                return
            client.close()
