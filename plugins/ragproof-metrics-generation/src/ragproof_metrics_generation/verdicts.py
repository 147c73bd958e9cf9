"""Yes/no verdicts that a judge gives about a fixed list of chunks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BeforeValidator


def _id_as_text(value: object) -> object:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


ChunkId = Annotated[str, BeforeValidator(_id_as_text)]
"""A chunk id in a reply; models write the id 12 without quotes."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The verdicts on ``asked``, in its order; a chunk without a verdict counts as a no."""

    asked: tuple[str, ...]
    verdicts: tuple[bool, ...]
    missing: tuple[str, ...]
    unknown: tuple[str, ...]

    @property
    def note(self) -> str | None:
        """What the judge left out or made up, for the reader; ``None`` when it did neither."""
        parts = []
        if self.missing:
            parts.append(f"no verdict for {', '.join(self.missing)}: counted as no")
        if self.unknown:
            parts.append(f"verdict for unknown {', '.join(self.unknown)}: ignored")
        return "; ".join(parts) or None


def tally(asked: Iterable[str], given: Iterable[tuple[str, bool]]) -> Tally:
    """Match the verdicts ``given`` by chunk id with the ids that were ``asked`` for, each id once."""
    wanted = tuple(dict.fromkeys(asked))
    by_id = dict(given)
    return Tally(
        asked=wanted,
        verdicts=tuple(by_id.get(chunk_id, False) for chunk_id in wanted),
        missing=tuple(chunk_id for chunk_id in wanted if chunk_id not in by_id),
        unknown=tuple(chunk_id for chunk_id in by_id if chunk_id not in wanted),
    )


def refuse_contradictions(given: Iterable[tuple[str, bool]]) -> None:
    """Raise ``ValueError`` when one chunk has both verdicts; the judge is then asked to repair its reply."""
    seen: dict[str, bool] = {}
    for chunk_id, verdict in given:
        if seen.setdefault(chunk_id, verdict) != verdict:
            raise ValueError(f"two different verdicts for chunk {chunk_id!r}; give one verdict a chunk")


def chunk_ids(chunks: Sequence[Any]) -> list[str]:
    """Return the ids of a chunk list in a prompt's variables: chunks, or mappings with ``id`` in a fixture."""
    return [str(chunk["id"]) if isinstance(chunk, Mapping) else str(chunk.id) for chunk in chunks]
