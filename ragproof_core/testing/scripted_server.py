"""A real HTTP server on loopback with scripted answers, for the tests of plugins that talk to an endpoint."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Scripted:
    """One answer: ``json`` unless ``body`` is given.

    ``delay`` is in seconds before the status line, ``cut_after`` closes the connection after that many bytes of the
    body, and ``trickle`` sends the body a byte at a time with that many seconds between.
    """

    status: int = 200
    json: Any = None
    body: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    cut_after: int | None = None
    trickle: float = 0.0


@dataclass(frozen=True, slots=True)
class Received:
    """One request as the server got it; ``at`` is ``time.monotonic()`` and header names are in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes
    at: float

    @property
    def json(self) -> Any:
        """The parsed body."""
        return json.loads(self.body)


class ScriptedServer:
    """Use as a context manager. ``answer`` makes the answer to a request; ``script`` sets it to a fixed sequence."""

    def __init__(self, answer: Callable[[Received], Scripted] | None = None) -> None:
        self.answer = answer or (lambda _: Scripted(json={}))
        self.requests: list[Received] = []
        self.in_flight = 0
        self.max_in_flight = 0
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.owner = self
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self) -> str:
        """The server's address, without a path."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def script(self, *answers: Scripted) -> None:
        """Give these answers in turn, the last one for ever."""
        left = list(answers)

        def next_answer(_: Received) -> Scripted:
            with self._lock:
                return left.pop(0) if len(left) > 1 else left[0]

        self.answer = next_answer

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """Stop listening and drop all connections."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
        self._server.drop_connections()

    def took(self, request: Received) -> None:
        """Count a request; called by the handler."""
        with self._lock:
            self.requests.append(request)
            self.in_flight += 1
            self.max_in_flight = max(self.max_in_flight, self.in_flight)

    def done(self) -> None:
        """Count an answer; called by the handler."""
        with self._lock:
            self.in_flight -= 1


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 256
    owner: ScriptedServer

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        super().__init__(address, handler)
        self._open: set[socket.socket] = set()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Remember the connection."""
        self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """Forget the connection."""
        self._open.discard(request)
        super().shutdown_request(request)

    def drop_connections(self) -> None:
        """End what is still open; each handler then closes its own socket."""
        for connection in list(self._open):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is part of the tests."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Keep quiet."""

    def _answer(self) -> None:
        owner = self.server.owner
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Received(self.command, self.path, headers, body, time.monotonic())
        owner.took(request)
        try:
            answer = owner.answer(request)
            time.sleep(answer.delay)
        finally:
            owner.done()
        self._send(answer)

    def _send(self, answer: Scripted) -> None:
        body = json.dumps(answer.json).encode() if answer.body is None else answer.body
        given = {name.lower() for name in answer.headers}
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        if "content-type" not in given:
            self.send_header("content-type", "application/json")
        if "content-length" not in given:
            self.send_header("content-length", str(len(body)))
        self.end_headers()
        if answer.cut_after is not None:
            self.wfile.write(body[: answer.cut_after])
            self.close_connection = True
        elif answer.trickle:
            for position in range(len(body)):
                self.wfile.write(body[position : position + 1])
                time.sleep(answer.trickle)
        else:
            self.wfile.write(body)
