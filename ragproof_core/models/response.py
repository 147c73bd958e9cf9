"""What an adapter gives back for a case."""

from __future__ import annotations

import dataclasses
from typing import Annotated, Any

from pydantic import BeforeValidator, ConfigDict, Field
from pydantic.dataclasses import dataclass

_OUTPUT = ConfigDict(extra="ignore", coerce_numbers_to_str=True)

Count = Annotated[float, Field(ge=0, allow_inf_nan=False)]


@dataclass(frozen=True, slots=True, config=_OUTPUT)
class Chunk:
    """A retrieved passage.

    ``id`` may be given as a number and is kept as a string. ``score`` is shown but never used to sort: the adapter's
    order is the rank. ``metadata["document_id"]`` names the document for ``source_match: document``.
    """

    id: Annotated[str, Field(min_length=1)]
    text: str = ""
    score: float | None = None
    metadata: dict[str, Any] = Field(default_factory=dict)

    @property
    def document_id(self) -> str:
        """``metadata["document_id"]`` as a string, else the chunk's id."""
        document = self.metadata.get("document_id")
        return self.id if document is None else str(document)


def _citation_from_id(value: object) -> object:
    return {"chunk_id": value} if isinstance(value, (str, int)) and not isinstance(value, bool) else value


@dataclass(frozen=True, slots=True, config=_OUTPUT)
class Citation:
    """A chunk that the answer cites; ``text`` is the quoted part of the answer, when the pipeline knows it."""

    chunk_id: Annotated[str, Field(min_length=1)]
    text: str | None = None


@dataclass(frozen=True, slots=True, config=_OUTPUT)
class Usage:
    """What answering cost: tokens in and out, and US dollars, as the pipeline reports them."""

    input_tokens: Count | None = None
    output_tokens: Count | None = None
    cost_usd: Count | None = None


@dataclass(frozen=True, slots=True, config=_OUTPUT)
class Answer:
    """The generated answer.

    ``retrieved_chunks`` is the context that the generator saw: ``None`` when the pipeline does not tell, an empty
    list when it saw nothing. ``timings_ms`` holds milliseconds by stage (``time_to_first_token``), ``trace`` free
    facts about the run of the pipeline (``steps``, ``cache_hit``, ``task_success`` …).
    """

    answer_text: str
    citations: tuple[Annotated[Citation, BeforeValidator(_citation_from_id)], ...] = ()
    retrieved_chunks: tuple[Chunk, ...] | None = None
    usage: Usage | None = None
    timings_ms: dict[str, Count] = Field(default_factory=dict)
    trace: dict[str, Any] = Field(default_factory=dict)


@dataclasses.dataclass(slots=True)
class Response:
    """All that metrics may know about what the adapter did for one case.

    ``retrieved`` and ``exact`` are chunks best first, ``None`` when the adapter was not asked or has no such hook.
    ``ranked`` are the source ids of ``retrieved`` after source matching, each once, at its best rank. ``context`` is
    the generation context: the answer's own ``retrieved_chunks``, else ``retrieved``; ``None`` when neither is known,
    which differs from an empty context. ``timings_ms`` has ``retrieve``, ``answer`` and ``total``, measured by the
    engine. Metrics must not change it.
    """

    retrieved: tuple[Chunk, ...] | None = None
    answer: Answer | None = None
    exact: tuple[Chunk, ...] | None = None
    ranked: tuple[str, ...] | None = None
    exact_ranked: tuple[str, ...] | None = None
    context: tuple[Chunk, ...] | None = None
    context_ids: tuple[str, ...] | None = None
    timings_ms: dict[str, float] = dataclasses.field(default_factory=dict)
