"""An HTTP endpoint that many threads ask at once."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ragproof_core.errors import ConfigError
from ragproof_core.redaction import Redactor
from ragproof_http.attempt_results import Failure
from ragproof_http.bodies import detail_of, encoded, is_web_page, one_line
from ragproof_http.errors import EndpointError, StatusError
from ragproof_http.lending import ConnectionStack
from ragproof_http.pausing import LONGEST_SPREAD, shared_pause
from ragproof_http.reply import HTTPReply
from ragproof_http.retrying import RETRY_STATUSES, TOO_MANY, Patience, RetryPolicy, retry_after
from ragproof_http.urls import checked_header_value, checked_url, joined, origin, shown, url_secrets
from ragproof_http.wording import Wording

_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_FIRST_REDIRECT = 300
_BREATHER = 1.0
_LONGEST_CONNECT = 15.0
_WORTH_RETRYING = {"refused", "unknown_host", "connect", "cut"}
_WORK_WAS_DONE = ("cut", "timeout", "too_large", "not_json")
_RARELY_PASSES = {"refused", "unknown_host"}

if TYPE_CHECKING:
    import httpx


class Endpoint:
    """Sends requests, retries, and waits as told; safe for any number of threads, and without a thread of its own.

    ``url`` is what paths are appended to (a query in it stays), ``headers`` go with each request, ``secrets`` never
    show in a message. ``status_of`` may read another status out of a reply, for endpoints that report failures in the
    body of a 200. Raises ``ConfigError`` when the address or a header value cannot be used.
    """

    def __init__(
        self,
        url: str,
        *,
        wording: Wording,
        headers: Mapping[str, str] | None = None,
        secrets: Iterable[str] = (),
        timeout_seconds: float = 120.0,
        retry: RetryPolicy | None = None,
        status_of: Callable[[HTTPReply], int] | None = None,
    ) -> None:
        self._wording = wording
        try:
            self.url = checked_url(url)
        except ValueError as error:
            raise ConfigError(f"{wording.name}: {wording.url}: {error}") from None
        self._headers = {name: self._checked_header(name, value) for name, value in (headers or {}).items()}
        known = tuple(secret for secret in (*secrets, *url_secrets(self.url)) if secret)
        self._redact = Redactor((*known, *(secret.strip() for secret in known)))
        self._seconds = timeout_seconds
        self._retry = retry or RetryPolicy()
        self._status_of = status_of or (lambda reply: reply.status)
        limits = dict.fromkeys(("read", "write", "pool"), timeout_seconds)
        self._extensions = {"timeout": {**limits, "connect": min(timeout_seconds, _LONGEST_CONNECT)}}
        self._urls: dict[str, httpx.URL] = {}
        self._connections = ConnectionStack(self.url)
        self._pause = shared_pause(origin(self.url), known)
        self._closing = threading.Event()
        self._answered = False

    def __repr__(self) -> str:
        return f"Endpoint({shown(self.url)!r})"

    def post_json(self, path: str, payload: Any, *, resend_lost: bool = True) -> HTTPReply:
        """POST the payload; the reply has JSON in ``data``."""
        return self.request("POST", path, payload=payload, resend_lost=resend_lost)

    def get_json(self, path: str, params: Mapping[str, str] | None = None) -> HTTPReply:
        """GET; the reply has JSON in ``data``."""
        return self.request("GET", path, params=params)

    def request(
        self,
        method: str,
        path: str,
        *,
        payload: Any = None,
        params: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        expect_json: bool = True,
        resend_lost: bool = True,
    ) -> HTTPReply:
        """Return the reply to the request, after as many tries as the policy allows.

        With ``resend_lost=False`` a request whose reply was lost on the way is not sent again.

        Raises :class:`StatusError` for a status of 300 and above and :class:`EndpointError` when there is no reply.
        """
        from ragproof_http.attempts import attempt  # httpx is slow to import, and a cached run asks nothing

        request = self._build(method, path, payload, params, headers)
        patience = Patience(self._retry)
        while True:
            self._wait_for_pause(patience)
            patience.attempts += 1
            with self._connections.lend() as connection:
                result = attempt(connection, request, seconds=self._seconds, expect_json=expect_json)
            if isinstance(result, Failure):
                problem = self._after_failure(result, request, patience, resend_lost=resend_lost)
            else:
                self._answered = True
                status = self._status_of(result)
                if status < _FIRST_REDIRECT:
                    return replace(result, asked_again=patience.asked_again) if patience.asked_again else result
                problem = self._after_status(status, result, request, patience)
            if problem is not None:
                raise problem

    def close(self) -> None:
        """Close the connections; calls that wait give up at once."""
        self._closing.set()
        self._connections.close()

    def _checked_header(self, name: str, value: str) -> str:
        if not _HEADER_NAME.fullmatch(name):
            raise ConfigError(f"{self._wording.name}: {one_line(name)!r} cannot be the name of a header")
        try:
            return checked_header_value(value)
        except ValueError as error:
            raise ConfigError(f"{self._wording.name}: the value of the header {name} {error}") from None

    def _build(
        self,
        method: str,
        path: str,
        payload: Any,
        params: Mapping[str, str] | None,
        headers: Mapping[str, str] | None,
    ) -> httpx.Request:
        import httpx

        url = self._urls.get(path)
        if url is None:
            url = self._urls[path] = httpx.URL(joined(self.url, path))  # parsed once: it takes a tenth of a call
        if params:
            url = url.copy_merge_params(params)
        sent = {"accept": "application/json", "user-agent": "ragproof", **self._headers, **(headers or {})}
        if payload is None:
            return httpx.Request(method, url, headers=sent, extensions=self._extensions)
        try:
            body = encoded(payload)
        except (TypeError, ValueError) as error:
            raise EndpointError(f"{self._wording.name}: the request cannot be written as JSON: {error}") from None
        sent["content-type"] = "application/json"
        return httpx.Request(method, url, headers=sent, content=body, extensions=self._extensions)

    def _after_failure(
        self, failure: Failure, request: httpx.Request, patience: Patience, *, resend_lost: bool
    ) -> EndpointError | None:
        if failure.kind in _WORTH_RETRYING and (resend_lost or failure.kind != "cut"):
            # a host that never answered is more likely misspelt than down
            at_most = 1 if failure.kind in _RARELY_PASSES and not self._answered else None
            delay = patience.next_delay(None, at_most=at_most)
            if delay is not None:
                patience.asked_again += failure.kind == "cut"
                self._wait(delay, patience)
                return None
        failure = Failure(failure.kind, one_line(self._redact(failure.text)))
        may_be_billed = failure.kind in _WORK_WAS_DONE or patience.asked_again > 0
        text = self._wording.failure(failure, shown(str(request.url)), patience, self._seconds)
        return EndpointError(text, may_be_billed=may_be_billed)

    def _after_status(
        self, status: int, reply: HTTPReply, request: httpx.Request, patience: Patience
    ) -> StatusError | None:
        told = retry_after(reply.headers) if status in RETRY_STATUSES else None
        if status in RETRY_STATUSES:
            delay = patience.next_delay(told)
            if delay is not None:
                if told is not None or status == TOO_MANY:
                    self._pause.extend(delay)
                else:
                    self._wait(delay, patience)
                return None
            if told is not None:
                self._pause.extend(min(told, _BREATHER))
        address = shown(str(request.url))
        data, detail = self._said(reply)
        if status in RETRY_STATUSES:
            text = self._wording.gave_up(status, detail, address, patience, told)
        else:
            location = shown(str(reply.headers.get("location", "")))
            text = self._wording.status(status, detail, address, location=one_line(self._redact(location)))
        return StatusError(text, status=status, detail=detail, data=data, may_be_billed=patience.asked_again > 0)

    def _said(self, reply: HTTPReply) -> tuple[Any, str]:
        text = self._redact(reply.text)
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            page = is_web_page(reply.body, reply.headers.get("content-type", ""))
            return None, "a web page" if page else one_line(text)
        return data, one_line(detail_of(data))

    def _wait_for_pause(self, patience: Patience) -> None:
        while not self._closing.is_set():
            seconds = self._pause.remaining()
            if seconds <= 0:
                return
            if seconds - LONGEST_SPREAD > patience.wait_left:
                raise EndpointError(self._wording.paused(seconds, patience))
            self._wait(seconds, patience)
        raise EndpointError(self._wording.closed())

    def _wait(self, seconds: float, patience: Patience) -> None:
        began = time.monotonic()
        self._closing.wait(seconds)
        patience.charge(time.monotonic() - began)
