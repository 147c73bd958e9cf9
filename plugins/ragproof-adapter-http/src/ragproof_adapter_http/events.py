"""Replies that arrive in events: server-sent events and newline-delimited JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Literal

from ragproof_adapter_http.misfit import MisfitError

_DONE = "[DONE]"


def read_events(pieces: Iterable[bytes], stream_format: Literal["sse", "ndjson"], done: str | None) -> Iterator[Any]:
    """Yield each event's JSON value as it arrives.

    The name of a server-sent event is added to an object as ``event`` unless it has such a key. ``[DONE]`` or ``done``
    ends the stream.

    Raises:
        MisfitError: an event is not JSON, or ``done`` was given and did not come.
    """
    lines = _lines(pieces)
    events = _server_sent(lines) if stream_format == "sse" else ((None, line) for line in lines if line.strip())
    for name, data in events:
        if data.strip() == (done or _DONE):
            return
        try:
            value = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise MisfitError(f"an event of the stream is not JSON ({error})", data) from error
        if name and isinstance(value, dict):
            value.setdefault("event", name)
        yield value
    if done is not None:
        raise MisfitError("the stream ended early", f"no event {done}")


def _lines(pieces: Iterable[bytes]) -> Iterator[str]:
    # Only line feeds end a line: U+2028 and the like are ordinary characters inside JSON.
    rest = b""
    for piece in pieces:
        *whole, rest = (rest + piece).split(b"\n")
        for line in whole:
            yield line.removesuffix(b"\r").decode("utf-8", "replace")
    if rest:
        yield rest.removesuffix(b"\r").decode("utf-8", "replace")


def _server_sent(lines: Iterable[str]) -> Iterator[tuple[str | None, str]]:
    name: str | None = None
    data: list[str] = []
    for line in lines:
        if not line:
            if data:
                yield name, "\n".join(data)
            name, data = None, []
            continue
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "data":
            data.append(value)
        elif field == "event":
            name = value
    if data:
        yield name, "\n".join(data)
