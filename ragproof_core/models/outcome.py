"""What one metric says about one case."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
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


class Scores(dict[str, Outcome]):
    """A case's outcomes by metric, of which the first are those of ``shared``.

    ``shared`` is one object for all cases of the same shape: who handles many cases handles its outcomes once.
    """

    __slots__ = ("shared",)

    def __init__(self, shared: Mapping[str, Outcome] | Iterable[tuple[str, Outcome]] = ()) -> None:
        super().__init__(shared)
        self.shared: Mapping[str, Outcome] = shared if isinstance(shared, Mapping) else {}

    def __reduce__(self) -> tuple[type[dict[str, Outcome]], tuple[dict[str, Outcome]]]:
        """A copy, or what is unpickled, is a plain dict: it shares nothing any more."""
        return dict, (dict(self),)

    def own(self) -> Iterable[tuple[str, Outcome]]:
        """The outcomes behind the shared ones, in order."""
        return islice(self.items(), len(self.shared), None)
