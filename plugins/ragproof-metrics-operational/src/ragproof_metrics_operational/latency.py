"""Milliseconds: by stage as the engine measures them, and to the first token as the pipeline reports it."""

from __future__ import annotations

from typing import ClassVar

from ragproof_core import Outcome, Response, hookimpl, skipped
from ragproof_core.engine.needs import NEEDS
from ragproof_metrics_operational.metric import Measure

_FIRST_TOKEN_KEYS = ("time_to_first_token", "time_to_first_token_ms")
_NO_FIRST_TOKEN = skipped(f"adapter reports no timings_ms.{_FIRST_TOKEN_KEYS[0]}")


class StageLatency(Measure):
    """Wall-clock milliseconds of one stage, measured around the adapter's calls."""

    unit = "ms"
    source = "engine's clock around the adapter's calls"
    stage: ClassVar[str]
    untimed: ClassVar[Outcome]

    @hookimpl
    def score(self, response: Response) -> float | Outcome:
        """Return the stage's milliseconds; skipped when the adapter has no such stage."""
        return response.timings_ms.get(self.stage, self.untimed)


class RetrieveLatency(StageLatency):
    """How long ``retrieve()`` took."""

    description = "milliseconds that the adapter's retrieve() took"
    needs = ("retrieval",)
    stage = "retrieve"
    untimed = skipped(NEEDS["retrieval"])


class AnswerLatency(StageLatency):
    """How long ``answer()`` took."""

    description = "milliseconds that the adapter's answer() took, its own search included"
    needs = ("answer",)
    stage = "answer"
    untimed = skipped(NEEDS["answer"])


class Latency(StageLatency):
    """How long all calls for the case took together."""

    description = "milliseconds that all of the adapter's calls for the case took together"
    wants = ("retrieval", "answer")
    stage = "total"
    untimed = skipped("adapter was not asked")


class TimeToFirstToken(Measure):
    """How long a streaming pipeline took to its first token."""

    unit = "ms"
    description = "milliseconds from the question to the answer's first token, as the pipeline reports them"
    source = f"answer.timings_ms.{_FIRST_TOKEN_KEYS[0]}"
    needs = ("answer",)

    @hookimpl
    def score(self, response: Response) -> float | Outcome:
        """Return ``timings_ms``'s ``time_to_first_token``, else its ``time_to_first_token_ms``."""
        timings = response.answer.timings_ms if response.answer is not None else {}
        return next((timings[key] for key in _FIRST_TOKEN_KEYS if key in timings), _NO_FIRST_TOKEN)
