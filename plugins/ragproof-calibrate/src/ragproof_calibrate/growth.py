"""Whether a verdict holds when its context grows by chunks of other examples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ragproof_calibrate.samples import Sample

SIZES = (1, 2, 5, 10)
CONTEXT = "context"


def grown(sample: Sample, neighbours: Sequence[Sample], size: int) -> dict[str, Any] | None:
    """Return the variables with the context filled up to ``size`` chunks; ``None`` when it has as many already.

    The chunks come from the examples after this one, in turn, under ids of their own; half of them stand before the
    example's chunks and half behind. There may be too few; then all are taken.
    """
    own = list(sample.variables[CONTEXT])
    wanted = size - len(own)
    if wanted <= 0:
        return None
    start = next(place for place, other in enumerate(neighbours, 1) if other is sample)
    around = [*neighbours[start:], *neighbours[: start - 1]]
    texts = [_text(chunk) for neighbour in around for chunk in neighbour.variables[CONTEXT]][:wanted]
    filling = [{"id": f"other-{number}", "text": text} for number, text in enumerate(texts, 1)]
    half = len(filling) // 2
    return {**sample.variables, CONTEXT: [*filling[:half], *own, *filling[half:]]}


def has_context(sample: Sample) -> bool:
    """Whether the example has a list of chunks under ``context``."""
    return isinstance(sample.variables.get(CONTEXT), (list, tuple)) and bool(sample.variables[CONTEXT])


def _text(chunk: Any) -> str:
    return str(chunk["text"] if isinstance(chunk, dict) else chunk.text)
