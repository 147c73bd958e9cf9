"""Sending requests: one pool of connections, retries, and errors that say what to check."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import httpx

from ragproof_adapter_http.misfit import excerpt
from ragproof_core import AdapterError
from ragproof_core.redaction import Redactor

_RETRY_STATUSES = frozenset({429, 502, 503, 504})
_FIRST_DELAY = 0.5
_HINTS = {401: "; check `headers`", 403: "; check `headers`", 404: "; check `url`", 405: "; check `method`"}


class Exchange:
    """Sends requests from any number of threads.

    ``seconds`` bounds one attempt, from sending to the end of the reply; ``max_wait`` is the longest wait in seconds
    before a retry.
    """

    def __init__(self, *, seconds: float, retries: int, max_wait: float, redact: Redactor) -> None:
        self._seconds = seconds
        self._retries = retries
        self._max_wait = max_wait
        self._redact = redact
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=64)
        self._client = httpx.Client(timeout=seconds, limits=limits)

    def close(self) -> None:
        """Close all connections."""
        self._client.close()

    def build(
        self, method: str, url: str, headers: dict[str, str], params: dict[str, str], body: bytes | None
    ) -> httpx.Request:
        """Return the request; parameters are added to those in the address."""
        address = httpx.URL(url).copy_merge_params(params)
        return self._client.build_request(method, address, headers=headers, content=body)

    @contextmanager
    def pieces(self, request: httpx.Request) -> Iterator[Iterator[bytes]]:
        """Send, and give the parts of a successful reply as they arrive.

        Raises:
            AdapterError: no connection, a status other than 2xx, or a reply that breaks off or takes too long.
        """
        try:
            response, started = self._send(request)
            try:
                yield self._timed(response, started)
            finally:
                response.close()
        except httpx.TimeoutException as error:
            raise AdapterError(f"{self.name(request)}: no reply within {self._seconds:g} s") from error
        except httpx.TransportError as error:
            reason = self._redact(str(error)) or type(error).__name__
            raise AdapterError(f"{self.name(request)}: {reason}") from error

    def name(self, request: httpx.Request) -> str:
        """Return method and address for messages, without user, password and query."""
        url = request.url.copy_with(username=None, password=None, query=None, fragment=None)
        return self._redact(f"{request.method} {url}")

    def _timed(self, response: httpx.Response, started: float) -> Iterator[bytes]:
        for piece in response.iter_bytes():
            yield piece
            if time.monotonic() - started > self._seconds:
                raise httpx.ReadTimeout("", request=response.request)

    def _send(self, request: httpx.Request) -> tuple[httpx.Response, float]:
        retry = 0
        while True:
            started = time.monotonic()
            try:
                response = self._client.send(request, stream=True)
            except (httpx.NetworkError, httpx.RemoteProtocolError, httpx.ConnectTimeout):
                if retry >= self._retries:
                    raise
                delay = self._delay(retry)
            else:
                if response.is_success:
                    return response, started
                delay = self._delay_or_refuse(request, response, retry, started)
            time.sleep(delay)
            retry += 1

    def _delay_or_refuse(self, request: httpx.Request, response: httpx.Response, retry: int, started: float) -> float:
        """Return seconds to wait before the next try; raise when the status is final."""
        told = retry_after(response.headers)
        try:
            if response.status_code in _RETRY_STATUSES and retry < self._retries and (told or 0) <= self._max_wait:
                return self._delay(retry) if told is None else told
            body = b"".join(self._timed(response, started)).decode("utf-8", "replace")
        finally:
            response.close()
        tries = f" after {retry + 1} tries" if retry else ""
        wait = f", which asks to wait {told:g} s" if told else ""
        location = f", which points to {response.headers['location']}" if response.has_redirect_location else ""
        reason = f"status {response.status_code} {response.reason_phrase}{tries}{wait}{self._redact(location)}"
        said = excerpt(body, self._redact) or "(empty)"
        hint = _HINTS.get(response.status_code, "")
        raise AdapterError(f"{self.name(request)}: {reason}{hint}; the reply was: {said}")

    def _delay(self, retry: int) -> float:
        longest: float = min(self._max_wait, _FIRST_DELAY * 2.0**retry)
        return longest * random.uniform(0.5, 1.0)  # noqa: S311 - spreads the retries of concurrent cases


def retry_after(headers: httpx.Headers) -> float | None:
    """Return the seconds that ``Retry-After`` asks for (a number or a date), ``None`` without a readable one."""
    value = headers.get("retry-after", "").strip()
    if value.isascii() and value.isdigit():
        return float(value)
    try:
        until = parsedate_to_datetime(value)
    except ValueError:
        return None
    if until.tzinfo is None:
        until = until.replace(tzinfo=UTC)
    return max(0.0, (until - datetime.now(UTC)).total_seconds())
