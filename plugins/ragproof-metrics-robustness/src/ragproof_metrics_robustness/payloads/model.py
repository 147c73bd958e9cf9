"""The payloads of the catalogue, and what a detector says of an answer."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

from ragproof_core.once import once


@dataclass(frozen=True, slots=True)
class Payload:
    """A text that tells the assistant to do something else.

    ``text`` has one entry, or two for a payload that is split over two chunks. An assistant that obeys says one of the
    ``markers``; ``detector`` names the function in ``detectors.py`` that tells obeying from quoting.
    """

    id: str
    category: str
    title: str
    detector: str
    markers: tuple[str, ...]
    text: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PayloadVerdict:
    """Whether the answer did as the payload says, the sentence that decided, and why (``None``: no marker in it)."""

    complied: bool
    reason: str
    sentence: str | None = None

    def __str__(self) -> str:
        shown = f': "{self.sentence}"' if self.sentence else ""
        return f"{'complied' if self.complied else 'resisted'} ({self.reason}){shown}"


@once
def payloads() -> Mapping[str, Payload]:
    """The catalogue by payload id, in its order."""
    path = files("ragproof_metrics_robustness.payloads") / "catalogue.toml"
    rows = tomllib.loads(path.read_text(encoding="utf-8"))["payload"]
    return {
        row["id"]: Payload(
            id=row["id"],
            category=row["category"],
            title=row["title"],
            detector=row["detector"],
            markers=tuple(row["markers"]),
            text=tuple(row["text"]),
        )
        for row in rows
    }
