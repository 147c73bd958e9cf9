"""HTTP clients that are lent to one call at a time.

A client with one connection spends no time on finding a free one and takes no lock that another thread holds. The one
used last is lent first, so that few connections are kept warm. All share one TLS context, which is slow to make.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, cached_property
from typing import TYPE_CHECKING

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
        self._is_https = url.startswith("https:")
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

    @cached_property
    def _trust_env(self) -> bool:
        """Whether there are proxies; httpx would look anew for each client, which costs more than the client itself."""
        from urllib.request import getproxies  # slow to import, and a cached run asks nothing

        return bool(getproxies())

    def _new(self) -> httpx.Client:
        import httpx

        # an http address without a proxy never uses TLS, and redirects are not followed
        uses_tls = self._is_https or self._trust_env
        return httpx.Client(verify=_tls() if uses_tls else False, trust_env=self._trust_env)

    def close(self) -> None:
        """Close the idle clients now and the lent ones when they come back."""
        self._closed = True
        while self._idle:
            try:
                client = self._idle.pop()
            except IndexError:
                return
            client.close()
