"""One attempt at one request: a reply, or what went wrong."""

from __future__ import annotations

import json
import socket
import ssl
import time
from collections.abc import Iterator

import httpx

from ragproof_http.attempt_results import LARGEST_BODY, Failure, FailureKind
from ragproof_http.bodies import is_web_page
from ragproof_http.lending import Connection
from ragproof_http.reply import HTTPReply


class _OverdueError(Exception):
    pass


class _TooLargeError(Exception):
    pass


def attempt(
    connection: Connection, request: httpx.Request, *, seconds: float, expect_json: bool
) -> HTTPReply | Failure:
    """Send once; never raises for what the network or the endpoint does."""
    deadline = time.monotonic() + seconds
    try:
        response = connection.send(request)
        try:
            body = b"".join(_pieces(response, deadline))
        finally:
            response.close()
    except (httpx.ReadTimeout, httpx.WriteTimeout, _OverdueError):
        return Failure("timeout", "")
    except _TooLargeError:
        return Failure("too_large", "")
    except (httpx.ConnectError, httpx.ConnectTimeout, httpx.ProxyError) as error:
        return Failure(_connect_kind(error), str(error) or "timed out")
    except httpx.LocalProtocolError:
        return Failure("connect", "the request has a header that cannot be sent")
    except (httpx.HTTPError, OSError) as error:
        return Failure("cut", str(error))
    return _read(response, body, expect_json=expect_json)


def _pieces(response: httpx.Response, deadline: float) -> Iterator[bytes]:
    # the read timeout is for each piece; a body that trickles, or blanks that keep a connection alive, need a whole
    size = 0
    for piece in response.iter_bytes():
        size += len(piece)
        if size > LARGEST_BODY:
            raise _TooLargeError
        yield piece
        if time.monotonic() > deadline:
            raise _OverdueError


def _read(response: httpx.Response, body: bytes, *, expect_json: bool) -> HTTPReply | Failure:
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        data = None
        if expect_json and response.is_success:
            if is_web_page(body, response.headers.get("content-type", "")):
                return Failure("not_json", "a web page")
            return Failure("cut", "the body is empty" if not body.strip() else "the body is not whole JSON")
    return HTTPReply(response.status_code, response.headers, body, data)


def _connect_kind(error: BaseException) -> FailureKind:
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, socket.gaierror):
            return "unknown_host"
        if isinstance(cause, ConnectionRefusedError):
            return "refused"
        if isinstance(cause, ssl.SSLError):
            return "certificate"
        cause = cause.__cause__ or cause.__context__
    return "connect"
