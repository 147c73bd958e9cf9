"""What a run's judge calls added up to."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field

from ragproof_core.judging.prices import PICODOLLARS
from ragproof_core.models.judging import Prompt


@dataclass(frozen=True, slots=True)
class JudgeStats:
    """Totals of a bench so far.

    ``calls`` counts requests that were answered or failed, repairs included; ``cache_hits`` verdicts from the store;
    ``shared`` verdicts that an equal request of this run had brought. Tokens are the provider's counts, or estimates
    at four characters a token. ``cost_usd`` is 0 when the prices are unknown (``priced`` is false). ``prompts`` maps
    the prompts asked to the sha256 of their template, ``notes`` are distinct.
    """

    calls: int = 0
    cache_hits: int = 0
    shared: int = 0
    repairs: int = 0
    failures: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    priced: bool = False
    prompts: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


class Tally:
    """Counts from many threads."""

    def __init__(self, *, priced: bool) -> None:
        self._lock = threading.Lock()
        self._counts = dict.fromkeys(("calls", "cache_hits", "shared", "repairs", "failures"), 0)
        self._tokens = [0, 0]
        self._spent = 0
        self._priced = priced
        self._notes: dict[str, None] = {}

    def add(self, what: str) -> None:
        """Count one ``calls``, ``cache_hits``, ``shared``, ``repairs`` or ``failures``."""
        with self._lock:
            self._counts[what] += 1

    def settle(self, input_tokens: int, output_tokens: int, picodollars: int) -> None:
        """Add what one answered call used."""
        with self._lock:
            self._tokens[0] += input_tokens
            self._tokens[1] += output_tokens
            self._spent += picodollars

    def note(self, text: str) -> None:
        """Keep a note, once."""
        with self._lock:
            self._notes.setdefault(text)

    def stats(self, prompts: list[Prompt]) -> JudgeStats:
        """Return the totals as they stand."""
        with self._lock:
            return JudgeStats(
                **self._counts,
                input_tokens=self._tokens[0],
                output_tokens=self._tokens[1],
                cost_usd=self._spent / PICODOLLARS,
                priced=self._priced,
                prompts=_templates(prompts),
                notes=tuple(self._notes),
            )


def _templates(prompts: list[Prompt]) -> dict[str, str]:
    """Name to sha256; prompts of one name and different templates are told apart by their package."""
    by_name: dict[str, set[str]] = {}
    for prompt in prompts:
        by_name.setdefault(prompt.name, set()).add(prompt.sha256)
    named = {p.name if len(by_name[p.name]) == 1 else f"{p.package}:{p.name}": p.sha256 for p in prompts}
    return dict(sorted(named.items()))
