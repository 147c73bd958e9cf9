"""Metrics that are one verdict out of three: 1.0, 0.5 or 0.0."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from ragproof_core import Judge, Outcome, Prompt, scored


class Verdict(Protocol):
    """A reply with one of three words as its verdict."""

    @property
    def verdict(self) -> str:
        """The word."""
        ...


def scale(best: str, middle: str, worst: str) -> Callable[[Verdict, Mapping[str, Any]], float]:
    """Return the ``score`` of a prompt that maps the three verdicts to 1.0, 0.5 and 0.0."""
    values = {best: 1.0, middle: 0.5, worst: 0.0}

    def value_of(reply: Verdict, variables: Mapping[str, Any]) -> float:  # noqa: ARG001
        return values[reply.verdict]

    return value_of


def ask(prompt: Prompt, judge: Judge, variables: Mapping[str, Any]) -> Outcome:
    """Ask for the verdict on ``variables["answer"]``; a blank answer gets the worst one without asking."""
    if not variables["answer"].strip():
        return scored(0.0, "answer is blank")
    value = prompt.score(judge.ask(prompt, variables), variables)
    assert value is not None  # every verdict of a scale has a value
    return scored(value)
