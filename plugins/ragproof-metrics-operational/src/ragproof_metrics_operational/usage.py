"""Tokens and dollars, as the pipeline reports them in ``answer.usage``; never estimated, never priced here."""

from __future__ import annotations

from typing import ClassVar

from ragproof_core import Outcome, Response, hookimpl, skipped
from ragproof_core.engine.needs import reason_without
from ragproof_metrics_operational.metric import Measure


class ReportedUsage(Measure):
    """One field of ``answer.usage``."""

    field: ClassVar[str]

    @hookimpl
    def score(self, response: Response) -> float | Outcome:
        """Return the field; skipped when the pipeline does not report it."""
        usage = None if response.answer is None else response.answer.usage
        value: float | None = getattr(usage, self.field, None)
        return skipped(reason_without(f"usage.{self.field}")) if value is None else value


class InputTokens(ReportedUsage):
    """Tokens that went into the pipeline's models for this case."""

    unit = "tokens"
    description = "input tokens of the case, as the pipeline reports them"
    source = "answer.usage.input_tokens"
    needs = ("answer", "usage.input_tokens")
    field = "input_tokens"


class OutputTokens(ReportedUsage):
    """Tokens that came out of the pipeline's models for this case."""

    unit = "tokens"
    description = "output tokens of the case, as the pipeline reports them"
    source = "answer.usage.output_tokens"
    needs = ("answer", "usage.output_tokens")
    field = "output_tokens"


class Cost(ReportedUsage):
    """What the case cost."""

    unit = "usd"
    description = "US dollars that the case cost, as the pipeline reports them"
    source = "answer.usage.cost_usd"
    needs = ("answer", "usage.cost_usd")
    field = "cost_usd"
