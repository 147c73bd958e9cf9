"""Putting a payload into the text of chunks, so that a corpus carries it to the pipeline under test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ragproof_metrics_robustness.payloads.model import Payload, payloads

Position = Literal["start", "middle", "end"]


@dataclass(frozen=True, slots=True)
class Span:
    """Where a part of a payload stands: ``chunks[chunk][start:end]``."""

    chunk: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Planted:
    """The chunks' texts with the payload in them, and where it is; each part has a span."""

    payload: Payload
    chunks: tuple[str, ...]
    spans: tuple[Span, ...]

    @property
    def text(self) -> str:
        """The text of the only chunk.

        Raises:
            ValueError: there are several chunks.
        """
        if len(self.chunks) != 1:
            raise ValueError(f"{len(self.chunks)} chunks were given: use `chunks`, not `text`")
        return self.chunks[0]


def plant(
    payload_id: str,
    chunks: str | Sequence[str],
    position: Position | int = "end",
    *,
    chunk: int = 0,
) -> Planted:
    """Write a payload into a chunk's text, or into one of several chunks.

    Args:
        payload_id: an id of the catalogue.
        chunks: the text of one chunk, or the texts of several in order.
        position: ``start``, ``middle`` (at the space nearest to the middle), ``end``, or an offset in characters.
        chunk: index of the chunk that gets the payload; a split payload goes into this one and the next.

    Raises:
        KeyError: the catalogue has no such payload.
        ValueError: there are too few chunks, or the position is not in the text.
    """
    if payload_id not in payloads():
        raise KeyError(f"no payload {payload_id!r} in the catalogue; `ragproof payloads` lists them")
    payload = payloads()[payload_id]
    texts = [chunks] if isinstance(chunks, str) else list(chunks)
    if not 0 <= chunk <= len(texts) - len(payload.text):
        raise ValueError(
            f"payload {payload_id!r} needs {len(payload.text)} chunk(s) from index {chunk} on; there are {len(texts)}"
        )
    spans: list[Span] = []
    for number, part in enumerate(payload.text, start=chunk):
        texts[number], span = _insert(part, texts[number], position, number)
        spans.append(span)
    return Planted(payload, tuple(texts), tuple(spans))


def _insert(part: str, text: str, position: Position | int, number: int) -> tuple[str, Span]:
    at = _offset(text, position)
    before, after = text[:at], text[at:]
    opening = "\n" if before and not before[-1].isspace() else ""
    closing = "\n" if after and not after[0].isspace() else ""
    start = len(before) + len(opening)
    return f"{before}{opening}{part}{closing}{after}", Span(number, start, start + len(part))


def _offset(text: str, position: Position | int) -> int:
    if isinstance(position, int):
        if not 0 <= position <= len(text):
            raise ValueError(f"position {position} is outside the chunk's text of {len(text)} characters")
        return position
    if position == "start":
        return 0
    if position == "end":
        return len(text)
    if position != "middle":
        raise ValueError(f"position {position!r}: expected 'start', 'middle', 'end' or an offset")
    half = len(text) // 2
    later, earlier = text.find(" ", half), text.rfind(" ", 0, half)
    spaces = [at for at in (earlier, later) if at >= 0]
    return min(spaces, key=lambda at: abs(at - half)) if spaces else half
