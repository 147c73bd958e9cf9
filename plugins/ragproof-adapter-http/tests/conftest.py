"""A real HTTP server on loopback that answers as a test tells it to."""

import json
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest


@dataclass
class Service:
    """``replies`` are taken in order, the last one again and again; ``seen`` are the requests."""

    url: str = ""
    replies: list = field(default_factory=list)
    seen: list = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def reply(self, body, status=200, headers=None, *, cut=False):
        """Queue a reply: JSON for anything but bytes; a list of bytes or seconds is sent piece by piece.

        A function is given the request's JSON and returns what is sent.
        """
        self.replies.append((body, status, headers or {}, cut))

    def next(self):
        with self.lock:
            return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def handle_any(self):
        service = self.server.service
        size = int(self.headers.get("content-length") or 0)
        request = self.rfile.read(size)
        service.seen.append((self.command, self.path, dict(self.headers), request))
        body, status, headers, cut = service.next()
        body = body(json.loads(request)) if callable(body) else body
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if isinstance(body, list):
            self.send_pieces(body, cut=cut)
            return
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_header("Content-Length", str(len(data) + (10 if cut else 0)))
        self.end_headers()
        self.wfile.write(data)
        self.close_connection = cut

    def send_pieces(self, pieces, *, cut):
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for piece in pieces:
            if isinstance(piece, float):
                time.sleep(piece)
                continue
            self.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
            self.wfile.flush()
        if cut:
            self.close_connection = True
        else:
            self.wfile.write(b"0\r\n\r\n")

    do_GET = do_POST = handle_any  # noqa: N815 - names that http.server looks for

    def log_message(self, *args):
        pass


@pytest.fixture
def service():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.service = Service(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    yield server.service
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def adapter_for(service):
    """Build adapters against the service; they are closed at the end."""
    from ragproof_adapter_http import HTTP

    built = []

    def build(**sections):
        adapter = HTTP(HTTP.Settings.model_validate({"base_url": service.url, "retries": 0, **sections}))
        built.append(adapter)
        return adapter

    yield build
    for adapter in built:
        adapter.close()
