"""What one metric says about one case."""

from __future__ import annotations

from typing import Literal, NamedTuple

OutcomeStatus = Literal["scored", "skipped", "not_applicable", "judge_error", "error"]


class Outcome(NamedTuple):
    """A metric's outcome on a case: ``value`` is set exactly when ``status`` is ``scored``.

    ``reason`` says why there is no value; beside a value it is a note for the reader (which sentence decided, say).
    """

    status: OutcomeStatus
    value: float | None = None
    reason: str | None = None


def scored(value: float, note: str | None = None) -> Outcome:
    """The metric's value for this case, with an optional note."""
    return Outcome("scored", value, note)


def skipped(reason: str) -> Outcome:
    """The metric cannot be computed for this case; never a zero."""
    return Outcome("skipped", None, reason)


def not_applicable(reason: str) -> Outcome:
    """The metric has nothing to measure here (an answer without claims, say)."""
    return Outcome("not_applicable", None, reason)


def judge_error(reason: str) -> Outcome:
    """The judge gave no usable verdict."""
    return Outcome("judge_error", None, reason)


def error(reason: str) -> Outcome:
    """The metric failed on this case."""
    return Outcome("error", None, reason)
