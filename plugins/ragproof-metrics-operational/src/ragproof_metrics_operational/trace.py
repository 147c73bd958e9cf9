"""What the pipeline says of its own run in ``answer.trace``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from ragproof_core import Outcome, Response, hookimpl, skipped
from ragproof_core.engine.needs import reason_without
from ragproof_metrics_operational.metric import Measure

_LONGEST_SHOWN = 60


class TraceMeasure(Measure, ABC):
    """One key of ``answer.trace``; a value of another type is this metric's error, not a guess."""

    key: ClassVar[str]
    expected: ClassVar[str]

    @hookimpl
    def score(self, response: Response) -> float | Outcome:
        """Return the key's value as a number; skipped when it is absent or ``None``."""
        value = None if response.answer is None else response.answer.trace.get(self.key)
        if value is None:
            return skipped(reason_without(f"trace.{self.key}"))
        if self.accepts(value):
            return float(value)
        shown = repr(value)
        shown = shown if len(shown) <= _LONGEST_SHOWN else f"{shown[:_LONGEST_SHOWN]}…"
        return Outcome("error", None, f"trace.{self.key} is {shown}; expected {self.expected}")

    @staticmethod
    @abstractmethod
    def accepts(value: Any) -> bool:
        """Whether the value is of the type that the key has to have."""


class TraceFlag(TraceMeasure):
    """A yes or no: ``True`` or 1 is 1, ``False`` or 0 is 0."""

    range = (0.0, 1.0)
    unit = "share"
    expected = "true or false (or 1 or 0)"

    @staticmethod
    def accepts(value: Any) -> bool:
        """Whether the value is a boolean, or the number 0 or 1."""
        return value is True or value is False or (isinstance(value, (int, float)) and value in (0, 1))


class TraceCount(TraceMeasure):
    """A whole number, 0 or more."""

    unit = "count"
    expected = "a whole number, 0 or more"

    @staticmethod
    def accepts(value: Any) -> bool:
        """Whether the value is a whole number, 0 or more; ``True`` is none."""
        if isinstance(value, float):
            return value >= 0 and value.is_integer()
        return isinstance(value, int) and not isinstance(value, bool) and value >= 0


class TaskSuccess(TraceFlag):
    """Whether the pipeline reached what the user wanted, by its own account."""

    direction = "higher"
    description = "1 when the pipeline reports that the task was done, else 0"
    source = "answer.trace.task_success"
    needs = ("answer", "trace.task_success")
    key = "task_success"


class Escalated(TraceFlag):
    """Whether the case was handed over to a person or a larger model."""

    description = "1 when the pipeline reports that it handed the case over, else 0"
    source = "answer.trace.escalated"
    needs = ("answer", "trace.escalated")
    key = "escalated"


class RetrievalCalled(TraceFlag):
    """Whether the pipeline searched at all; right or wrong depends on the question."""

    direction = "none"
    description = "1 when the pipeline reports that it searched, else 0"
    source = "answer.trace.retrieval_called"
    needs = ("answer", "trace.retrieval_called")
    key = "retrieval_called"


class CacheHit(TraceFlag):
    """Whether the answer came from a cache; how warm a cache is says nothing about quality."""

    direction = "none"
    description = "1 when the pipeline reports that the answer came from its cache, else 0"
    source = "answer.trace.cache_hit"
    needs = ("answer", "trace.cache_hit")
    key = "cache_hit"


class Steps(TraceCount):
    """How many steps an agent took; fewer for the same task is better."""

    description = "steps that the pipeline took, as it reports them"
    source = "answer.trace.steps"
    needs = ("answer", "trace.steps")
    key = "steps"
