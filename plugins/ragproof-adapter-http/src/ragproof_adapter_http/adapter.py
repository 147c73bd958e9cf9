"""The adapter: hooks that fill in a request, send it and read the reply."""

from __future__ import annotations

import json
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

import httpx
from pydantic import SecretStr

from ragproof_adapter_http.events import read_events
from ragproof_adapter_http.exchange import Exchange
from ragproof_adapter_http.extract import extract_answer, extract_chunks
from ragproof_adapter_http.misfit import MisfitError
from ragproof_adapter_http.paths import select
from ragproof_adapter_http.settings import AnswerRequest, HTTPSettings, RetrieveRequest
from ragproof_adapter_http.templates import fill, fill_text, fill_url, placeholders
from ragproof_core import AdapterError, Answer, Chunk, hookimpl
from ragproof_core.redaction import Redactor

_PLAIN_HEADERS = frozenset({"accept", "accept-language", "content-type", "user-agent"})
_KEPT = 256


class HTTP:
    """A service described by request templates and JSONPaths.

    With an ``answer`` endpoint that also gives chunks and no ``retrieve`` endpoint, ``retrieve`` makes the one
    request and ``answer`` gives the same reply's answer.
    """

    api_version = 1
    Settings = HTTPSettings

    def __init__(self, settings: HTTPSettings) -> None:
        self._settings = settings
        self._redact = Redactor(_secrets(settings))
        self._exchange = Exchange(
            seconds=settings.timeout_seconds,
            retries=settings.retries,
            max_wait=settings.max_wait_seconds,
            redact=self._redact,
        )
        self._kept: OrderedDict[str, Answer] = OrderedDict()
        self._lock = threading.Lock()
        self._both = settings.retrieve is None and settings.answer is not None and settings.answer.chunks is not None
        if settings.answer is None:
            self.answer = None  # type: ignore[assignment,method-assign]
        if settings.retrieve is None and not self._both:
            self.retrieve = None  # type: ignore[assignment,method-assign]
        if settings.retrieve_exact is None:
            self.retrieve_exact = None  # type: ignore[assignment,method-assign]

    @hookimpl
    def retrieve(
        self, question: str, k: int, history: Sequence[Mapping[str, str]], metadata: Mapping[str, Any]
    ) -> tuple[Chunk, ...]:
        """Return the first ``k`` chunks of the reply, in its order."""
        values = _values(question, history, metadata)
        if self._settings.retrieve is not None:
            return self._chunks(self._settings.retrieve, {**values, "k": k})[:k]
        answer = self._ask(values)
        with self._lock:
            self._kept[_key(values)] = answer
            if len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return (answer.retrieved_chunks or ())[:k]

    @hookimpl
    def answer(self, question: str, history: Sequence[Mapping[str, str]], metadata: Mapping[str, Any]) -> Answer:
        """Return the reply's answer; with a stream, ``timings_ms`` has ``time_to_first_token``."""
        values = _values(question, history, metadata)
        if self._both:
            with self._lock:
                kept = self._kept.pop(_key(values), None)
            if kept is not None:
                return kept
        return self._ask(values)

    @hookimpl
    def retrieve_exact(self, question: str, k: int) -> tuple[Chunk, ...]:
        """Return the first ``k`` chunks of the exact search."""
        request = self._settings.retrieve_exact
        assert request is not None
        return self._chunks(request, {"question": question, "k": k})[:k]

    @hookimpl
    def close(self) -> None:
        """Close all connections."""
        self._exchange.close()

    def _chunks(self, section: RetrieveRequest, values: Mapping[str, Any]) -> tuple[Chunk, ...]:
        request = self._request(section, values)
        with self._exchange.pieces(request) as pieces:
            body = b"".join(pieces)
        try:
            return extract_chunks(section.chunks, _parsed(body))
        except MisfitError as misfit:
            raise self._error(request, misfit) from misfit

    def _ask(self, values: Mapping[str, Any]) -> Answer:
        section = self._settings.answer
        assert section is not None
        request = self._request(section, values)
        timings: dict[str, float] = {}
        started = time.monotonic()
        try:
            with self._exchange.pieces(request) as pieces:
                reply: Any = []
                if section.stream is None:
                    reply = _parsed(b"".join(pieces))
                else:
                    for event in read_events(pieces, section.stream.format, section.stream.done):
                        reply.append(event)
                        if not timings and any(select(section.text, [event])):
                            timings["time_to_first_token"] = (time.monotonic() - started) * 1000.0
            return extract_answer(section, reply, timings)
        except MisfitError as misfit:
            raise self._error(request, misfit) from misfit

    def _request(self, section: RetrieveRequest | AnswerRequest, values: Mapping[str, Any]) -> httpx.Request:
        headers = {
            name: value.get_secret_value() for name, value in {**self._settings.headers, **section.headers}.items()
        }
        params = {
            name: fill_text(value.get_secret_value(), values).encode("utf-8", "replace").decode()
            for name, value in section.params.items()
        }
        body = None
        if section.body is not None:
            try:
                body = json.dumps(fill(section.body, values), allow_nan=False).encode()
            except (TypeError, ValueError) as error:
                raise AdapterError(f"the request's body cannot be written as JSON: {error}") from error
            headers = {"Content-Type": "application/json", **headers}
        method = section.method or ("GET" if body is None else "POST")
        url = fill_url(self._settings.address(section), values)
        return self._exchange.build(method, url, headers, params, body)

    def _error(self, request: httpx.Request, misfit: MisfitError) -> AdapterError:
        return AdapterError(f"{self._exchange.name(request)}: {misfit.describe(self._redact)}")


def _parsed(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as error:
        text = body.decode("utf-8", "replace")
        if text.startswith(("data:", "event:")):
            raise MisfitError("the reply is a stream of events (set `answer.stream`)", text) from error
        raise MisfitError("the reply is not JSON" if text.strip() else "the reply is empty", text) from error


def _values(question: str, history: Sequence[Mapping[str, str]], metadata: Mapping[str, Any]) -> dict[str, Any]:
    turns = [dict(turn) for turn in history]
    messages = [*turns, {"role": "user", "content": question}]
    return {"question": question, "history": turns, "messages": messages, "metadata": dict(metadata)}


def _key(values: Mapping[str, Any]) -> str:
    return json.dumps([values["messages"], values["metadata"]], sort_keys=True, default=repr)


def _secrets(settings: HTTPSettings) -> list[str]:
    sections = [each for each in (settings.retrieve, settings.answer, settings.retrieve_exact) if each is not None]
    secrets = []
    for headers in (settings.headers, *(section.headers for section in sections)):
        for name, value in headers.items():
            if name.lower() not in _PLAIN_HEADERS:
                secrets += _with_parts(value)
    for section in sections:
        secrets += [text for text in map(_plain, section.params.values()) if not any(placeholders(text))]
        password = urlsplit(settings.address(section)).password
        secrets += [password] if password else []
    return secrets


def _plain(secret: SecretStr) -> str:
    return secret.get_secret_value()


def _with_parts(value: SecretStr) -> list[str]:
    # "Bearer TOKEN": a reply may echo the token alone, and the scheme's name is no secret.
    whole = _plain(value)
    scheme, _, credentials = whole.partition(" ")
    return [whole, credentials] if scheme and credentials else [whole]
