"""What the config says about the service."""

from __future__ import annotations

import json
from typing import Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator, model_validator

from ragproof_adapter_http.paths import Path
from ragproof_adapter_http.templates import placeholders

_PRINTABLE = range(0x20, 0x7F)


def checked_headers(headers: dict[str, SecretStr]) -> dict[str, SecretStr]:
    """Return the headers; ``ValueError`` (without the value) for one that HTTP cannot carry."""
    for name, value in headers.items():
        if any(ord(character) not in _PRINTABLE for character in name + value.get_secret_value()):
            raise ValueError(f"{name!r} has characters that an HTTP header cannot carry; was it pasted whole?")
    return headers


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)


class ChunkPaths(_Section):
    """Where the chunks are: ``path`` in the reply, the others in each chunk."""

    path: Path = Field(description="the list of chunks, such as $.results")
    id: Path = Field("$.id", description="of the chunk; a list of bare ids or texts has $")
    text: Path = Field("$.text", description="of the chunk")
    score: Path = Field("$.score", description="shown, never used to sort")
    document_id: Path | None = Field(None, description="the document that the chunk is from")
    metadata: Path | None = Field(None, description="an object kept with the chunk")


class UsagePaths(_Section):
    """Where the reply says what it cost."""

    input_tokens: Path | None = None
    output_tokens: Path | None = None
    cost_usd: Path | None = None


class Stream(_Section):
    """A reply that arrives in events; JSONPaths see the list of all events (``$[*].delta``)."""

    format: Literal["sse", "ndjson"]
    done: str | None = Field(
        None, min_length=1, description="data of the last event; when set, a stream without it is an error"
    )


class _Request(_Section):
    url: str = Field(min_length=1, description="absolute, or below base_url; may hold placeholders")
    method: Literal["GET", "POST", "PUT", "PATCH"] | None = Field(None, description="POST with a body, else GET")
    headers: dict[str, SecretStr] = Field(default_factory=dict, description="added to the adapter's own")
    params: dict[str, SecretStr] = Field(default_factory=dict, description="query parameters; may hold placeholders")
    body: Any = Field(None, description="JSON, with placeholders such as {{question}}")

    @field_validator("body")
    @classmethod
    def _parsed(cls, body: Any) -> Any:
        if not isinstance(body, str):
            return body
        try:
            return json.loads(body)
        except ValueError as error:
            raise ValueError(f"is not JSON: {error}; placeholders go inside quotes, numbers too") from error

    @field_validator("headers")
    @classmethod
    def _sendable(cls, headers: dict[str, SecretStr]) -> dict[str, SecretStr]:
        return checked_headers(headers)

    def check_placeholders(self, where: str, known: tuple[str, ...]) -> None:
        """Raise ``ValueError`` for a placeholder that has no value here."""
        params = {name: value.get_secret_value() for name, value in self.params.items()}
        for name in placeholders([self.url, params, self.body]):
            first, dot, rest = name.partition(".")
            if first not in known or (dot and (first != "metadata" or not rest)):
                names = ", ".join(f"{{{{{each}}}}}" for each in known)
                raise ValueError(f"{where}: {{{{{name}}}}} is not known here; known: {names}")


class RetrieveRequest(_Request):
    """How chunks are asked for, and where they are in the reply."""

    chunks: ChunkPaths


class AnswerRequest(_Request):
    """How an answer is asked for, and where its parts are in the reply."""

    stream: Stream | None = None
    text: Path = Field("$.answer", description="the answer; several matches are joined")
    chunks: ChunkPaths | None = Field(None, description="the context that the generator saw")
    citations: Path | None = Field(None, description="the ids of the cited chunks, such as $.citations[*].id")
    usage: UsagePaths = UsagePaths()
    timings_ms: dict[str, Path] = Field(default_factory=dict, description="name of a stage: milliseconds")
    trace: dict[str, Path] = Field(default_factory=dict, description="name of a fact: any value")


class HTTPSettings(_Section):
    """A service with an endpoint for retrieval, one for answers, or one for both."""

    base_url: str | None = Field(None, description="what relative urls are below")
    headers: dict[str, SecretStr] = Field(default_factory=dict, description="sent with every request")
    timeout_seconds: float = Field(
        60.0, gt=0, le=86_400, description="for one attempt, from sending to the end of the reply"
    )
    retries: int = Field(2, ge=0, description="after a failed connection or status 429, 502, 503, 504")
    max_wait_seconds: float = Field(
        30.0, ge=0, le=86_400, description="longest wait before a retry, also when told to wait"
    )
    retrieve: RetrieveRequest | None = Field(None, description="url, method, params, headers, body, chunks")
    answer: AnswerRequest | None = Field(
        None,
        description="url, method, params, headers, body, text, chunks, citations, usage, timings_ms, trace, stream",
    )
    retrieve_exact: RetrieveRequest | None = Field(None, description="as retrieve, by exhaustive search")

    @field_validator("headers")
    @classmethod
    def _sendable(cls, headers: dict[str, SecretStr]) -> dict[str, SecretStr]:
        return checked_headers(headers)

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.retrieve is None and self.answer is None:
            raise ValueError("needs `retrieve`, `answer`, or both")
        asked = ("question", "history", "messages", "metadata")
        places: tuple[tuple[str, _Request | None, tuple[str, ...]], ...] = (
            ("retrieve", self.retrieve, ("question", "k", *asked[1:])),
            ("answer", self.answer, asked),
            ("retrieve_exact", self.retrieve_exact, ("question", "k")),
        )
        for where, request, known in places:
            if request is not None:
                request.check_placeholders(where, known)
                _check_address(self.address(request), where)
        return self

    def address(self, request: _Request) -> str:
        """Return the request's address, its placeholders not yet filled in."""
        if self.base_url is None or "://" in request.url.partition("{{")[0]:
            return request.url
        return f"{self.base_url.rstrip('/')}/{request.url.lstrip('/')}"


def _check_address(address: str, where: str) -> None:
    try:
        parts = urlsplit(address)
        usable = parts.scheme in {"http", "https"} and parts.hostname and "{{" not in parts.netloc and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise ValueError(f"{where}.url: expected an address such as https://host/ask, or a path and `base_url`")
